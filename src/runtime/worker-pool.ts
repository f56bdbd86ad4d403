// Threads or processes that do heavy work, so that the main one stays free to answer. They start when there is
// something to do and end after a while without; one that hangs or dies costs its task and nothing else.

import { suspendSafeTimeout } from './suspend-safe-timeout.js'

export interface WorkerPool<Task, Answer> {
  run(task: Task): Promise<Answer>
  readonly size: number
  close(): Promise<void>
}

export interface PoolOptions<Answer> {
  start(): PoolWorker
  size: number
  /** How long one task may take. */
  taskMs: number
  /** The answer for a task that was lost. */
  lost(loss: Loss): Answer
}

export interface Loss {
  /** The pool was closed, which says nothing of the task; or it took too long; or it took its hand along. */
  why: 'closed' | 'late' | 'broken'
  reason: string
}

/** A one, or what looks like one. It is sent `{ id, task }` and sends `{ id, answer }`, in the order they came. */
export interface PoolWorker {
  postMessage(message: unknown): void
  // biome-ignore lint/suspicious/noExplicitAny: what is heard depends on the event.
  on(event: 'message' | 'error' | 'exit', listener: (value: any) => void): unknown
  ref(): void
  unref(): void
  terminate(): unknown
}

interface Job<Task, Answer> {
  id: number
  task: Task
  done(answer: Answer): void
}

interface Busy<Task, Answer> {
  hand: PoolWorker
  /** The one it works on, then those that wait in its mailbox. */
  jobs: Job<Task, Answer>[]
  /** Of the job at work, or of idleness. */
  timer: NodeJS.Timeout | null
}

const idleMs = 30_000
/** One that had to ask for each file would stand still while the main thread is busy. */
const mailbox = 64
const stopped: Loss = { why: 'closed', reason: 'Reading was stopped.' }

export function workerPool<Task, Answer>(options: PoolOptions<Answer>): WorkerPool<Task, Answer> {
  type One = Busy<Task, Answer>
  const waiting: Job<Task, Answer>[] = []
  const hands = new Set<One>()
  let ids = 0
  let closed = false

  function run(task: Task): Promise<Answer> {
    if (closed) return Promise.resolve(options.lost(stopped))
    return new Promise((resolve) => {
      waiting.push({ id: ids++, task, done: resolve })
      assign()
    })
  }

  function assign() {
    while (waiting.length > 0 && !closed) {
      const one = leastBusy()
      if (!one) return
      give(one, waiting.shift()!)
    }
  }

  /** One without work before a new one, a new one before a full mailbox. */
  function leastBusy(): One | null {
    const [first] = [...hands].sort((a, b) => a.jobs.length - b.jobs.length)
    if (first && first.jobs.length === 0) return first
    if (hands.size < options.size) return start()
    return first && first.jobs.length < mailbox ? first : null
  }

  function start(): One {
    const hand = options.start()
    const one: One = { hand, jobs: [], timer: null }
    hands.add(one)
    hand.on('message', ({ id, answer }: { id: number; answer: Answer }) => {
      if (one.jobs[0]?.id === id) finish(one, answer)
    })
    const broken = (reason: string) => lose(one, { why: 'broken', reason })
    hand.on('error', (error: Error) => broken(`Reading it stopped the parser: ${error.message}.`))
    hand.on('exit', () => broken('Reading it stopped the parser.'))
    return one
  }

  function give(one: One, job: Job<Task, Answer>) {
    one.jobs.push(job)
    one.hand.ref()
    if (one.jobs.length === 1) watch(one)
    one.hand.postMessage({ id: job.id, task: job.task })
  }

  /** The clock runs for the job at work alone. An idle hand must not keep a finished process alive. */
  function watch(one: One) {
    if (one.timer) clearTimeout(one.timer)
    if (one.jobs.length > 0) {
      const reason = `It took longer than ${Math.round(options.taskMs / 1000)} s.`
      one.timer = suspendSafeTimeout(options.taskMs, () => lose(one, { why: 'late', reason }))
    } else {
      one.hand.unref()
      one.timer = setTimeout(() => end(one), idleMs).unref()
    }
  }

  function finish(one: One, answer: Answer) {
    const job = one.jobs.shift()!
    watch(one)
    job.done(answer)
    assign()
  }

  /** The task at work is lost with its hand; those behind it go to another. */
  function lose(one: One, loss: Loss) {
    if (!hands.has(one)) return
    const [job, ...rest] = one.jobs
    end(one)
    waiting.unshift(...rest)
    job?.done(options.lost(loss))
    assign()
  }

  function end(one: One) {
    hands.delete(one)
    if (one.timer) clearTimeout(one.timer)
    one.jobs = []
    void one.hand.terminate()
  }

  async function close() {
    closed = true
    const left = [...hands].flatMap((one) => one.jobs)
    for (const one of [...hands]) end(one)
    for (const job of [...left, ...waiting.splice(0)]) job.done(options.lost(stopped))
  }

  return { run, size: options.size, close }
}
