// A few worker threads that load a model when it is first needed and work through requests. Urgent requests go ahead
// of the others, a request that was given up leaves the queue, and idle workers do not keep the process alive.
import { Worker } from 'node:worker_threads'
import { Problem } from '../../model/problem.js'
import type { Job, Told, WorkerMessage, WorkerStart } from './messages.js'
import { createGuard, type NativeGuard, quiet, release } from './native-guard.js'
import { createQueue, type Piece } from './queue.js'

export interface Pool<Task, Result> {
  /** One result a task, in order. When one task fails, the request does; other requests are not touched. */
  run(tasks: readonly Task[], options?: { urgent?: boolean; signal?: AbortSignal }): Promise<Result[]>
  /** What the first worker said about its engine, once there is one. */
  about(): unknown
  close(): Promise<void>
}

export interface PoolSettings {
  /** The compiled module that calls `serve`. */
  entry: URL
  /** Handed to every worker as it starts. */
  data: unknown
  threads: number
  /** For how long a model that could not be loaded is not tried again, in milliseconds. */
  retryLoadAfter?: number
}

interface Hand<Task, Result> {
  worker: Worker
  guard: NativeGuard
  ready: boolean
  piece: Piece<Task, Result> | null
  /** What it said before it died. */
  lastError: Error | null
}

export function createPool<Task, Result>(settings: PoolSettings): Pool<Task, Result> {
  const { retryLoadAfter = 10_000 } = settings
  const queue = createQueue<Task, Result>(() => keepAlive())
  const hands = new Set<Hand<Task, Result>>()
  let about: unknown
  let failure: { error: Error; until: number } | null = null
  let closed = false

  async function run(tasks: readonly Task[], options: { urgent?: boolean; signal?: AbortSignal } = {}) {
    options.signal?.throwIfAborted()
    if (closed) throw closedProblem()
    if (tasks.length === 0) return []
    if (hands.size === 0 && failedLately()) throw failure!.error
    const result = queue.add(tasks, options)
    dispatch()
    return result
  }

  function dispatch() {
    for (const hand of hands) if (hand.ready && !hand.piece && queue.waiting()) give(hand, queue.take()!)
    // One worker at a time is started: the first may have files to prepare that the others then find.
    const loading = [...hands].some((hand) => !hand.ready)
    if (queue.waiting() && !loading && hands.size < settings.threads && (hands.size === 0 || !failedLately()))
      start()
    keepAlive()
  }

  const failedLately = () => failure !== null && performance.now() < failure.until

  function give(hand: Hand<Task, Result>, piece: Piece<Task, Result>) {
    hand.piece = piece
    const job: Job<Task> = { id: piece.index, task: piece.request.tasks[piece.index]! }
    hand.worker.postMessage(job)
  }

  function start() {
    const guard = createGuard()
    const workerData: WorkerStart = { guard, data: settings.data }
    const worker = new Worker(settings.entry, { workerData, execArgv: [], name: 'carrel-embed' })
    const hand: Hand<Task, Result> = { worker, guard, ready: false, piece: null, lastError: null }
    hands.add(hand)
    worker.on('message', (message: WorkerMessage<Result>) => hear(hand, message))
    worker.on('error', (error) => {
      hand.lastError = error
    })
    worker.on('exit', () => lose(hand))
  }

  function hear(hand: Hand<Task, Result>, message: WorkerMessage<Result>) {
    const { piece } = hand
    if (message.kind === 'ready') {
      hand.ready = true
      about ??= message.about
      failure = null
    } else if (message.kind === 'not_ready') {
      hand.lastError = told(message.error)
      void stop(hand)
      return
    } else if (piece) {
      hand.piece = null
      if (message.kind === 'done') queue.done(piece, message.result)
      else queue.fail(piece.request, told(message.error))
    }
    dispatch()
  }

  function lose(hand: Hand<Task, Result>) {
    hands.delete(hand)
    release(hand.guard)
    if (closed) return
    if (!hand.ready) failLoading(hand.lastError)
    else if (hand.piece) retryOrFail(hand.piece, hand.lastError)
    dispatch()
  }

  // While other workers serve, one that could not start only means fewer threads.
  function failLoading(cause: Error | null) {
    const error = cause instanceof Problem ? cause : diedProblem('while it loaded the model', cause)
    failure = { error, until: performance.now() + retryLoadAfter }
    if (hands.size === 0) queue.failAll(error)
  }

  function retryOrFail(piece: Piece<Task, Result>, cause: Error | null) {
    if (piece.attempt === 1) queue.again({ ...piece, attempt: 2 })
    else queue.fail(piece.request, diedProblem('twice on the same text', cause))
  }

  function keepAlive() {
    for (const { worker } of hands) queue.open() ? worker.ref() : worker.unref()
  }

  async function close() {
    closed = true
    queue.failAll(closedProblem())
    await Promise.all([...hands].map(stop))
  }

  async function stop({ worker, guard }: Hand<Task, Result>) {
    worker.ref()
    await quiet(guard)
    await worker.terminate()
  }

  return { run, close, about: () => about }
}

function told({ message, code, hint, stack }: Told): Error {
  if (code !== undefined) return new Problem(code, message, hint)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}

function diedProblem(when: string, cause: Error | null): Problem {
  const why = cause ? `: ${cause.message}` : '.'
  const hint = 'Search by words goes on. `carrel doctor` shows whether the model can be loaded.'
  return new Problem('embedder_died', `The embedding worker died ${when}${why}`, hint, {
    cause: cause ?? undefined,
  })
}

function closedProblem(): Problem {
  return new Problem('embedder_closed', 'The embedder was closed.')
}
