// Threads that read and parse, so that the main thread stays free to answer. They start when there is something to do
// and end after a while without; one that hangs or dies costs its file and nothing else.
import { Worker } from 'node:worker_threads'
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

interface Thread {
  worker: Worker
  job: Job | null
  timer: NodeJS.Timeout | null
}

const idleMs = 30_000

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
      const idle =
        [...threads].find((thread) => thread.job === null) ??
        (threads.size < options.workers ? start() : null)
      if (!idle) return
      give(idle, waiting.shift()!)
    }
  }

  function start(): Thread {
    const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    const thread: Thread = { worker, job: null, timer: null }
    threads.add(thread)
    worker.on('message', ({ id, reading }: { id: number; reading: Reading }) => {
      if (thread.job?.id === id) finish(thread, reading)
    })
    worker.on('error', (error) => lose(thread, `Reading it stopped the parser: ${error.message}.`))
    worker.on('exit', () => lose(thread, 'Reading it stopped the parser.'))
    return thread
  }

  function give(thread: Thread, job: Job) {
    if (thread.timer) clearTimeout(thread.timer)
    thread.worker.ref()
    thread.job = job
    thread.timer = setTimeout(
      () => lose(thread, `It took longer than ${Math.round(options.fileMs / 1000)} s.`),
      options.fileMs,
    )
    thread.worker.postMessage({ id: job.id, task: job.task })
  }

  function finish(thread: Thread, reading: Reading) {
    const job = thread.job!
    if (thread.timer) clearTimeout(thread.timer)
    thread.job = null
    // An idle thread must not keep a finished process alive.
    thread.worker.unref()
    thread.timer = setTimeout(() => end(thread), idleMs).unref()
    job.done(reading)
    assign()
  }

  function lose(thread: Thread, reason: string) {
    if (!threads.has(thread)) return
    const job = thread.job
    end(thread)
    job?.done({ state: 'failed', reason })
    assign()
  }

  function end(thread: Thread) {
    threads.delete(thread)
    if (thread.timer) clearTimeout(thread.timer)
    thread.job = null
    void thread.worker.terminate()
  }

  async function close() {
    closed = true
    for (const thread of [...threads]) end(thread)
    for (const job of waiting.splice(0)) job.done({ state: 'failed', reason: 'Indexing was stopped.' })
  }

  return { read, size: options.workers, close }
}
