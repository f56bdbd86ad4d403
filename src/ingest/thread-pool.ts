// Threads that do heavy work, so that the main thread stays free to answer. They start when there is something to do and
// end after a while without; one that hangs or dies costs its task and nothing else.
import { Worker } from 'node:worker_threads'

export interface ThreadPool<Task, Answer> {
  run(task: Task): Promise<Answer>
  readonly size: number
  close(): Promise<void>
}

export interface PoolOptions<Answer> {
  /** Listens for `{ id, task }` and posts `{ id, answer }`, in the order they came. */
  script: URL
  size: number
  /** How long one task may take. */
  taskMs: number
  /** The answer for a task that was lost. */
  lost(reason: string): Answer
}

interface Job<Task, Answer> {
  id: number
  task: Task
  done(answer: Answer): void
}

interface Thread<Task, Answer> {
  worker: Worker
  /** The one it works on, then those that wait in its mailbox. */
  jobs: Job<Task, Answer>[]
  /** Of the job at work, or of idleness. */
  timer: NodeJS.Timeout | null
}

const idleMs = 30_000
/** A thread that had to ask for each file would stand still while the main thread is busy. */
const mailbox = 8
const stopped = 'Reading was stopped.'

export function threadPool<Task, Answer>(options: PoolOptions<Answer>): ThreadPool<Task, Answer> {
  type OwnThread = Thread<Task, Answer>
  const waiting: Job<Task, Answer>[] = []
  const threads = new Set<OwnThread>()
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
      const thread = leastBusy()
      if (!thread) return
      give(thread, waiting.shift()!)
    }
  }

  /** A thread without work before a new one, a new one before a full mailbox. */
  function leastBusy(): OwnThread | null {
    const [first] = [...threads].sort((a, b) => a.jobs.length - b.jobs.length)
    if (first && first.jobs.length === 0) return first
    if (threads.size < options.size) return start()
    return first && first.jobs.length < mailbox ? first : null
  }

  function start(): OwnThread {
    const worker = new Worker(options.script, {
      resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 96 },
    })
    const thread: OwnThread = { worker, jobs: [], timer: null }
    threads.add(thread)
    worker.on('message', ({ id, answer }: { id: number; answer: Answer }) => {
      if (thread.jobs[0]?.id === id) finish(thread, answer)
    })
    worker.on('error', (error) => lose(thread, `Reading it stopped the parser: ${error.message}.`))
    worker.on('exit', () => lose(thread, 'Reading it stopped the parser.'))
    return thread
  }

  function give(thread: OwnThread, job: Job<Task, Answer>) {
    thread.jobs.push(job)
    thread.worker.ref()
    if (thread.jobs.length === 1) watch(thread)
    thread.worker.postMessage({ id: job.id, task: job.task })
  }

  /** The clock runs for the job at work alone. An idle thread must not keep a finished process alive. */
  function watch(thread: OwnThread) {
    if (thread.timer) clearTimeout(thread.timer)
    if (thread.jobs.length > 0) {
      const late = `It took longer than ${Math.round(options.taskMs / 1000)} s.`
      thread.timer = setTimeout(() => lose(thread, late), options.taskMs)
    } else {
      thread.worker.unref()
      thread.timer = setTimeout(() => end(thread), idleMs).unref()
    }
  }

  function finish(thread: OwnThread, answer: Answer) {
    const job = thread.jobs.shift()!
    watch(thread)
    job.done(answer)
    assign()
  }

  /** The task at work is lost with its thread; those behind it go to another. */
  function lose(thread: OwnThread, reason: string) {
    if (!threads.has(thread)) return
    const [job, ...rest] = thread.jobs
    end(thread)
    waiting.unshift(...rest)
    job?.done(options.lost(reason))
    assign()
  }

  function end(thread: OwnThread) {
    threads.delete(thread)
    if (thread.timer) clearTimeout(thread.timer)
    thread.jobs = []
    void thread.worker.terminate()
  }

  async function close() {
    closed = true
    const left = [...threads].flatMap((thread) => thread.jobs)
    for (const thread of [...threads]) end(thread)
    for (const job of [...left, ...waiting.splice(0)]) job.done(options.lost(stopped))
  }

  return { run, size: options.size, close }
}
