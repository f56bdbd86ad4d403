// A pool of threads or processes for heavy or dangerous work, so that the main thread stays free to answer. Workers start
// when there is work and end after a while without. A worker that hangs, crashes or is aborted costs its task and nothing
// else. Our own and not a library's: processes must be killable, and a suspended machine must not count as a slow task.

export interface WorkerPool<Task, Answer> {
  run(task: Task, options?: RunOptions): Promise<Answer>
  readonly size: number
  /** Ends all workers at once; tasks that are not done are lost. */
  close(): Promise<void>
}

export interface RunOptions {
  /** When it aborts, the task leaves the queue, or its worker is ended; `run` rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Instead of the pool's `taskMs`. */
  taskMs?: number
}

export interface PoolOptions<Answer> {
  start(): PoolWorker
  size: number
  /** How long one task may take. */
  taskMs: number
  /** How long a worker may take to say that it is ready; without it, the start counts as a part of the first task. */
  startMs?: number
  /** How long a worker without work is kept. */
  idleMs?: number
  /**
   * How many tasks a worker is sent ahead of its answers. A worker that had to ask for each small task would stand still
   * while the main thread is busy.
   */
  prefetch?: number
  /** The answer for a task that was lost; or it throws, and `run` rejects. */
  lost(loss: Loss): Answer
}

export interface Loss {
  /** The pool was closed, which says nothing of the task; the task took too long; or its worker ended. */
  why: 'closed' | 'late' | 'broken'
  reason: string
  /** Whether the worker was ready. */
  started: boolean
  /** What the worker's `error` event said, if it ended with one. */
  error?: Error
}

/**
 * A `Worker` of node:worker_threads, or something like it. The pool sends `{ id, task }`, and the worker answers in that
 * order. With `startMs` its first message is 'ready'.
 */
export interface PoolWorker {
  postMessage(message: { id: number; task: unknown }): void
  // biome-ignore lint/suspicious/noExplicitAny: the value depends on the event.
  on(event: 'message' | 'error' | 'exit', listener: (value: any) => void): unknown
  ref(): void
  unref(): void
  terminate(): unknown
}

/** What a worker sends. After its `last` answer it is ended. */
export type WorkerMessage<Answer> = 'ready' | { id: number; answer: Answer; last?: boolean }

interface Job<Task, Answer> {
  id: number
  task: Task
  taskMs: number
  settle(outcome: { answer: Answer } | { loss: Loss }): void
  reject(reason: unknown): void
}

interface Member<Task, Answer> {
  worker: PoolWorker
  ready: boolean
  /** The job it works on, then those that were sent ahead. */
  jobs: Job<Task, Answer>[]
  /** Limits the start, the first job or the idle time. */
  timer: NodeJS.Timeout | null
}

const stopped: Loss = { why: 'closed', reason: 'Reading was stopped.', started: true }

export function workerPool<Task, Answer>(options: PoolOptions<Answer>): WorkerPool<Task, Answer> {
  const { startMs, idleMs = 30_000, prefetch = 1 } = options
  const waiting: Job<Task, Answer>[] = []
  const members = new Set<Member<Task, Answer>>()
  let ids = 0
  let closed = false

  async function run(task: Task, { signal, taskMs = options.taskMs }: RunOptions = {}): Promise<Answer> {
    if (closed) return options.lost(stopped)
    signal?.throwIfAborted()
    let onAbort = () => {}
    const outcome = await new Promise<{ answer: Answer } | { loss: Loss }>((settle, reject) => {
      const job = { id: ids++, task, taskMs, settle, reject }
      onAbort = () => abort(job, signal?.reason)
      signal?.addEventListener('abort', onAbort)
      waiting.push(job)
      assign()
    }).finally(() => signal?.removeEventListener('abort', onAbort))
    return 'loss' in outcome ? options.lost(outcome.loss) : outcome.answer
  }

  function assign() {
    while (waiting.length > 0 && !closed) {
      const member = leastBusy()
      if (!member) return
      send(member, waiting.shift()!)
    }
  }

  /** An idle worker before a new one, a new one before sending ahead. */
  function leastBusy(): Member<Task, Answer> | null {
    const [first] = [...members].sort((a, b) => a.jobs.length - b.jobs.length)
    if (first && first.jobs.length === 0) return first
    if (members.size < options.size) return start()
    return first && first.jobs.length < prefetch ? first : null
  }

  function start(): Member<Task, Answer> {
    const worker = options.start()
    const member: Member<Task, Answer> = { worker, ready: startMs === undefined, jobs: [], timer: null }
    members.add(member)
    worker.on('message', (message: WorkerMessage<Answer>) => onMessage(member, message))
    worker.on('error', (error: Error) =>
      lose(member, { why: 'broken', reason: `Reading it stopped the parser: ${error.message}.`, error }),
    )
    worker.on('exit', () => lose(member, { why: 'broken', reason: 'Reading it stopped the parser.' }))
    return member
  }

  function send(member: Member<Task, Answer>, job: Job<Task, Answer>) {
    member.jobs.push(job)
    member.worker.ref()
    if (member.jobs.length === 1) setTimer(member)
    member.worker.postMessage({ id: job.id, task: job.task })
  }

  /** Only the first job's time runs. An idle worker must not keep a finished process alive. */
  function setTimer(member: Member<Task, Answer>) {
    if (member.timer) clearTimeout(member.timer)
    const [job] = member.jobs
    if (job) {
      const ms = member.ready ? job.taskMs : startMs!
      const reason = `It took longer than ${Math.round(ms / 1000)} s.`
      member.timer = suspendSafeTimeout(ms, () => lose(member, { why: 'late', reason }))
    } else {
      member.worker.unref()
      member.timer = setTimeout(() => end(member), idleMs).unref()
    }
  }

  function onMessage(member: Member<Task, Answer>, message: WorkerMessage<Answer>) {
    if (message === 'ready') {
      member.ready = true
      setTimer(member)
    } else if (member.jobs[0]?.id === message.id) {
      const job = member.jobs.shift()!
      if (message.last) waiting.unshift(...end(member))
      else setTimer(member)
      job.settle({ answer: message.answer })
      assign()
    }
  }

  /** The job at work is lost with its worker; those behind it go to another. */
  function lose(member: Member<Task, Answer>, loss: Omit<Loss, 'started'>) {
    if (!members.has(member)) return
    const [job, ...rest] = end(member)
    waiting.unshift(...rest)
    job?.settle({ loss: { ...loss, started: member.ready } })
    assign()
  }

  function abort(job: Job<Task, Answer>, reason: unknown) {
    job.reject(reason)
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    for (const member of members) if (member.jobs[0] === job) waiting.unshift(...end(member).slice(1))
    assign()
  }

  /** Returns the jobs that it leaves. */
  function end(member: Member<Task, Answer>): Job<Task, Answer>[] {
    members.delete(member)
    if (member.timer) clearTimeout(member.timer)
    void member.worker.terminate()
    return member.jobs.splice(0)
  }

  async function close() {
    closed = true
    const left = [...members].flatMap(end)
    for (const job of [...left, ...waiting.splice(0)]) job.settle({ loss: stopped })
  }

  return { run, size: options.size, close }
}

// When a suspended process (Ctrl-Z, a closed laptop) resumes, its timers fire before it receives the messages that arrived
// meanwhile. So time is counted in steps, and a step that comes far too late does not count.

const stepMs = 1_000
const slackMs = 1_000

/** Calls `over` after this process has run for `ms`. `clearTimeout` cancels it. */
function suspendSafeTimeout(ms: number, over: () => void): NodeJS.Timeout {
  let left = Math.ceil(ms / stepMs)
  const step = ms / left
  let last = performance.now()
  const timer = setInterval(() => {
    const passed = performance.now() - last
    last += passed
    if (passed <= step + slackMs) left--
    if (left > 0) return
    clearInterval(timer)
    over()
  }, step)
  return timer
}
