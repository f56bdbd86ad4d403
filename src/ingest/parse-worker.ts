// A parsing thread: one file at a time, from disk to a packed document.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { IndexedDocument } from '../model/document.js'
import { Problem, reasonOf } from '../model/problem.js'
import { hashOf } from '../text/hash.js'
import { defaultLimits } from './convert/limits.js'
import { prepare, type RawDocument } from './prepare.js'
import { readFile } from './read-file.js'
import { isKnown, knownAs, packShared, type Reading, type Task } from './task.js'
import { vocabularySender } from './vocabulary-channel.js'

// The main thread comes first: it answers questions, and what is read here waits for it. Elsewhere the call would mean
// the whole process.
if (process.platform === 'linux')
  try {
    setPriority(0, 10)
  } catch {
    // Not allowed here: it reads at the usual priority.
  }

// In the order they came: the pool watches the clock of the first.
let last: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ id, task }: { id: number; task: Task }) => {
  last = last.then(async () => answer(id, await read(task)))
})

const carry = vocabularySender()

function answer(id: number, reading: Reading) {
  if (reading.state !== 'read') return parentPort!.postMessage({ id, reading })
  const { document } = reading
  const words = carry(document.words)
  document.words = []
  parentPort!.postMessage({ id, reading, words }, [document.numbers])
}

async function read(task: Task): Promise<Reading> {
  const found = task.bytes
    ? { bytes: task.bytes, stamp: null, readAt: 0 }
    : readFile(task.root, task.path, task.maxBytes)
  if ('state' in found) return found
  const { bytes, stamp, readAt } = found
  if (stamp && (task.knownHash !== null || task.sharedHashes)) {
    const hash = hashOf(bytes)
    if (isKnown(task, hash)) return { state: 'same', stamp, readAt, bytes: bytes.length, hash }
  }
  try {
    const document = await prepareWithin(task, { bytes, stamp, readAt })
    return { state: 'read', document: packShared(document), bytes: bytes.length }
  } catch (error) {
    const skipped = error instanceof Problem && error.code === 'binary'
    return { state: skipped ? 'skipped' : 'failed', reason: reasonOf(error) }
  }
}

/** Of bytes that were handed in, as much text is kept as of a converted document; what is beyond is cut, with a note. */
async function prepareWithin(
  task: Task,
  { bytes, ...file }: Pick<RawDocument, 'bytes' | 'stamp' | 'readAt'>,
): Promise<IndexedDocument> {
  const known = knownAs(task)
  if (!task.as || bytes.length <= defaultLimits.outputBytes) return prepare({ ...known, bytes, ...file })
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, defaultLimits.outputBytes).lastIndexOf(10)
  const head = bytes.subarray(0, line > 0 ? line + 1 : defaultLimits.outputBytes)
  const document = await prepare({ ...known, bytes: head, ...file })
  const megabytes = (size: number) => `${(size / 1_000_000).toFixed(1)} MB`
  const message = `Its first ${megabytes(head.length)} of ${megabytes(bytes.length)} were read.`
  return { ...document, hash: hashOf(bytes), notes: [...document.notes, { code: 'cut', message }] }
}
