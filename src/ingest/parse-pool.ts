// Threads that read and parse files for the index.
import { Worker } from 'node:worker_threads'
import { type Hand, type Loss, taskPool } from '../runtime/worker-pool.js'
import type { Reading, Task } from './task.js'
import { type CarriedWords, wordReceiver } from './vocabulary-channel.js'

export interface ParsePool {
  read(task: Task): Promise<Reading>
  readonly size: number
  close(): Promise<void>
}

export function parsePool(options: { workers: number; fileMs: number }): ParsePool {
  const { run, size, close } = taskPool<Task, Reading>({
    start: startThread,
    size: options.workers,
    taskMs: options.fileMs,
    lost: (loss) => refusalOf(loss, options.fileMs),
  })
  return { read: run, size, close }
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

/** What a thread sends back. A document's words come apart from it. */
interface Answer {
  id: number
  reading: Reading
  words?: CarriedWords
}

function startThread(): Hand {
  const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 24 },
  })
  const wordsOf = wordReceiver()
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
