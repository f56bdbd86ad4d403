// Which files are read, by whom, and how large they may be. Text is parsed in threads; formats that only foreign code can
// read are converted in processes that can be killed.

import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Limits } from '../model/settings.js'
import { formatOf, officeFormatOf } from '../parse/formats.js'
import { type Loss, type PoolWorker, workerPool } from '../runtime/worker-pool.js'
import { type ConvertPool, convertPool } from './convert/convert-pool.js'
import { type ImportReading, type ImportTask, importPool } from './import-pool.js'
import type { Reading, Task } from './task.js'
import { type VocabularyUpdate, vocabularyReceiver } from './vocabulary-channel.js'

export interface Readers {
  read(task: Task): Promise<Reading>
  /** How many files are read at a time. */
  readonly size: number
  readonly converting: ConvertPool
  /** What a file of a folder imports, and the folder's files that this leads to. */
  imports(task: ImportTask): Promise<ImportReading>
  close(): Promise<void>
}

export function openReaders(limits: Limits): Readers {
  const parsing = workerPool<Task, Reading>({
    start: parsingThread,
    size: limits.workers,
    taskMs: limits.fileMs,
    prefetch: 64,
    lost: (loss) => refusalOf(loss, limits.fileMs),
  })
  const converting = convertPool({
    processes: Math.max(1, Math.ceil(limits.workers / 2)),
    inputBytes: limits.documentBytes,
  })
  const importing = importPool(limits)
  return {
    imports: importing.read,
    read: (task) => (isConverted(task.as?.name ?? task.path) ? converting.read(task) : parsing.run(task)),
    size: limits.workers,
    converting,
    async close() {
      await Promise.all([parsing.close(), converting.close(), importing.close()])
    },
  }
}

/** The most bytes a file of this name may have; null when it is not a kind that is read. */
export function sizeLimit(path: string, limits: Limits): number | null {
  if (isConverted(path)) return limits.documentBytes
  return formatOf(path) ? limits.fileBytes : null
}

export function isRead(path: string): boolean {
  return isConverted(path) || formatOf(path) !== null
}

function isConverted(path: string): boolean {
  return officeFormatOf(path) !== null
}

function refusalOf({ why, reason }: Loss, fileMs: number): Reading {
  if (why === 'closed') return { state: 'failed', reason, passing: true }
  if (why === 'broken') return { state: 'failed', reason }
  return {
    state: 'failed',
    reason: `${reason} Raise limits.fileSeconds to give it more.`,
    givenMs: fileMs,
  }
}

/** What a parsing thread sends back. It sends a document's words apart from the document. */
interface Answer {
  id: number
  reading: Reading
  words?: VocabularyUpdate
}

function parsingThread(): PoolWorker {
  compileLess()
  const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 24 },
  })
  const wordsOf = vocabularyReceiver()
  const whole = ({ id, reading, words }: Answer) => {
    if (reading.state === 'read' && words) reading.document.words = wordsOf(words)
    return { id, answer: reading }
  }
  return {
    postMessage: (message) => worker.postMessage(message),
    on: (event, listener) =>
      event === 'message'
        ? worker.on('message', (answer: Answer) => listener(whole(answer)))
        : worker.on(event, listener),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: () => worker.terminate(),
  }
}

/**
 * V8 inlines functions of up to 920 bytes into each one that it optimises, and each thread optimises for itself: compiling
 * took a quarter of the processor time of indexing MDN and two fifths of that of 16 MB. With 150 bytes it takes 40 % less,
 * and the code that it makes is as fast. Very small functions are inlined as before.
 */
function compileLess() {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')
}
