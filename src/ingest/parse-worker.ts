// A parsing thread: one file at a time, from disk to a packed document.
import { parentPort } from 'node:worker_threads'
import { Problem, reasonOf } from '../model/problem.js'
import { hashOf } from '../text/hash.js'
import { wordSender } from './carried-words.js'
import { prepare } from './prepare.js'
import { readFile } from './read-file.js'
import { pack, type Reading, type Task } from './task.js'

// In the order they came: the pool watches the clock of the first.
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ id, task }: { id: number; task: Task }) => {
  last = last.then(async () => answer(id, await read(task)))
})

const carry = wordSender()

function answer(id: number, reading: Reading) {
  if (reading.state !== 'read') return parentPort!.postMessage({ id, reading })
  const { document } = reading
  const words = carry(document.words, document.numbered!)
  document.words = []
  delete document.numbered
  const arrays = [document.shape, document.counts, document.places, words.numbers]
  parentPort!.postMessage({ id, reading, words }, arrays.map((array) => array.buffer) as ArrayBuffer[])
}

async function read(task: Task): Promise<Reading> {
  const found = task.bytes
    ? { bytes: task.bytes, stamp: null, readAt: 0 }
    : readFile(task.root, task.path, task.maxBytes)
  if ('state' in found) return found
  const { bytes, stamp, readAt } = found
  if (stamp && task.knownHash !== null && hashOf(bytes) === task.knownHash)
    return { state: 'same', stamp, readAt, bytes: bytes.length }
  try {
    const { source, path: file, as: path = file } = task
    const document = await prepare({ ref: { source, path }, bytes, stamp, readAt, file })
    const packed = { ...pack(document), numbered: document.numbered }
    return { state: 'read', document: packed, bytes: bytes.length }
  } catch (error) {
    const skipped = error instanceof Problem && error.code === 'binary'
    return { state: skipped ? 'skipped' : 'failed', reason: reasonOf(error) }
  }
}
