// Threads that read and parse, so that the main thread stays free to answer. They start when there is something to do
// and end after a while without; one that hangs or dies costs its file and nothing else.
import { Worker } from 'node:worker_threads'
import { type CarriedWords, wordReceiver } from './carried-words.js'
import type { Reading, Task } from './task.js'

export interface ParsePool {
  read(task: Task): Promise<Reading>
  readonly size: number
  close(): Promise<void>
}

interface Job {
  id: number
  task: Task
  done(reading: Reading): void
}

/** What a thread sends back. A document's words come apart from it. */
interface Answer {
  id: number
  reading: Reading
  words?: CarriedWords
}

interface Thread {
  worker: Worker
  /** The one it works on, then those that wait in its mailbox. */
  jobs: Job[]
  /** Of the job at work, or of idleness. */
  timer: NodeJS.Timeout | null
}

const idleMs = 30_000
/** A thread that had to ask for each file would stand still while the main thread is busy. */
const mailbox = 8

export function parsePool(options: { workers: number; fileMs: number }): ParsePool {
  const waiting: Job[] = []
  const threads = new Set<Thread>()
  let ids = 0
  let closed = false

  function read(task: Task): Promise<Reading> {
    return new Promise((resolve) => {
      waiting.push({ id: ids++, task, done: resolve })
      assign()
    })
  }

  function assign() {
    while (waiting.length > 0 && !closed) {
      const thread = leastBusy()
      if (!thread) return
      give(thread, waiting.shift()!)
    }
  }

  /** A thread without work before a new one, a new one before a full mailbox. */
  function leastBusy(): Thread | null {
    const [first] = [...threads].sort((a, b) => a.jobs.length - b.jobs.length)
    if (first && first.jobs.length === 0) return first
    if (threads.size < options.workers) return start()
    return first && first.jobs.length < mailbox ? first : null
  }

  function start(): Thread {
    const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 96 },
    })
    const thread: Thread = { worker, jobs: [], timer: null }
    threads.add(thread)
    const wordsOf = wordReceiver()
    worker.on('message', ({ id, reading, words }: Answer) => {
      if (reading.state === 'read' && words) Object.assign(reading.document, wordsOf(words))
      if (thread.jobs[0]?.id === id) finish(thread, reading)
    })
    worker.on('error', (error) => lose(thread, `Reading it stopped the parser: ${error.message}.`))
    worker.on('exit', () => lose(thread, 'Reading it stopped the parser.'))
    return thread
  }

  function give(thread: Thread, job: Job) {
    thread.jobs.push(job)
    thread.worker.ref()
    if (thread.jobs.length === 1) watch(thread)
    thread.worker.postMessage({ id: job.id, task: job.task })
  }

  /** The clock runs for the job at work alone. An idle thread must not keep a finished process alive. */
  function watch(thread: Thread) {
    if (thread.timer) clearTimeout(thread.timer)
    if (thread.jobs.length > 0) {
      const late = `It took longer than ${Math.round(options.fileMs / 1000)} s.`
      thread.timer = setTimeout(() => lose(thread, late), options.fileMs)
    } else {
      thread.worker.unref()
      thread.timer = setTimeout(() => end(thread), idleMs).unref()
    }
  }

  function finish(thread: Thread, reading: Reading) {
    const job = thread.jobs.shift()!
    watch(thread)
    job.done(reading)
    assign()
  }

  /** The file at work is lost with its thread; those behind it go to another. */
  function lose(thread: Thread, reason: string) {
    if (!threads.has(thread)) return
    const [job, ...rest] = thread.jobs
    end(thread)
    waiting.unshift(...rest)
    job?.done({ state: 'failed', reason })
    assign()
  }

  function end(thread: Thread) {
    threads.delete(thread)
    if (thread.timer) clearTimeout(thread.timer)
    thread.jobs = []
    void thread.worker.terminate()
  }

  async function close() {
    closed = true
    const left = [...threads].flatMap((thread) => thread.jobs)
    for (const thread of [...threads]) end(thread)
    for (const job of [...left, ...waiting.splice(0)])
      job.done({ state: 'failed', reason: 'Indexing was stopped.' })
  }

  return { read, size: options.workers, close }
}
