// A parsing thread: one file at a time, from disk to a packed document.
import { parentPort } from 'node:worker_threads'
import { Problem, reasonOf } from '../model/problem.js'
import { hashOf } from '../text/hash.js'
import { prepare } from './prepare.js'
import { readFile } from './read-file.js'
import { pack, type Reading, type Task } from './task.js'

// In the order they came: the pool watches the clock of the first.
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ id, task }: { id: number; task: Task }) => {
  last = last.then(async () => answer(id, await read(task)))
})

function answer(id: number, reading: Reading) {
  const arrays =
    reading.state === 'read' ? [reading.document.shape, reading.document.counts, reading.document.places] : []
  parentPort!.postMessage({ id, answer: reading }, arrays.map((array) => array.buffer) as ArrayBuffer[])
}

async function read(task: Task): Promise<Reading> {
  const found = readFile(task.root, task.path, task.maxBytes)
  if ('state' in found) return found
  const { bytes, stamp, readAt } = found
  if (task.knownHash !== null && hashOf(bytes) === task.knownHash)
    return { state: 'same', stamp, readAt, bytes: bytes.length }
  try {
    const document = await prepare({ ref: { source: task.source, path: task.path }, bytes, stamp, readAt })
    return { state: 'read', document: pack(document), bytes: bytes.length }
  } catch (error) {
    const skipped = error instanceof Problem && error.code === 'binary'
    return { state: skipped ? 'skipped' : 'failed', reason: reasonOf(error) }
  }
}
