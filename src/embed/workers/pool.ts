// A few worker processes that load a model when it is first needed and work through requests. Urgent requests go ahead
// of the others, a request that was given up leaves the queue, and idle workers do not keep the owner alive.
//
// Processes and not threads, because the native ONNX runtime keeps state for one thread only: a process that exits
// while a thread infers aborts (24 of 24 times), and loading it into a thread after an earlier one ended corrupts
// memory (5 of 8 times). A process can die, be replaced and be ended at any moment, and takes nobody with it.
//
// Not a `workerPool` of runtime: urgent requests overtake others, a request is many tasks, a task whose worker died is tried
// once more, and a model that cannot be loaded fails all requests at once.

import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Problem } from '../../model/problem.js'
import type { EmbedOptions } from '../port.js'
import type { Jobs, SentError, Start, WorkerMessage } from './messages.js'

export interface Pool<Task, Result> {
  /** One result a task, in order. When one task fails, the request does; other requests are not touched. */
  run(tasks: readonly Task[], options?: RequestOptions<Result>): Promise<Result[]>
  /** Starts a worker if there is none, for tasks that are about to come. */
  load(): void
  /** What the first worker said about its engine, once there is one. */
  about(): unknown
  close(): Promise<void>
}

interface PoolSettings {
  /** The compiled module that calls `serve`. */
  entry: URL
  /** Handed to every worker as it starts. */
  data: unknown
  workers: number
  /**
   * How many urgent tasks a worker is sent ahead while it does an urgent one, so that it need not wait for a busy owner.
   * The worker does them even if they are aborted meanwhile.
   */
  ahead?: number
  /** As for `nice`: above 0, a worker gives way to everything else on the machine, from its first task on that is not urgent. */
  niceness?: number
  /** For how long a model that could not be loaded is not tried again, in milliseconds. */
  retryLoadAfter?: number
}

interface PoolWorker<Task, Result> {
  process: ChildProcess
  ready: boolean
  /** The task it works on, then those that were sent ahead. */
  pieces: Piece<Task, Result>[]
  /** How many of these were sent. */
  sent: number
  /** Whether it gives way to everything else. */
  isNice: boolean
  /** Its last error before it died. */
  lastError: Error | null
}

export function createPool<Task, Result>(settings: PoolSettings): Pool<Task, Result> {
  const { retryLoadAfter = 10_000, ahead = 0 } = settings
  const queue = createQueue<Task, Result>(() => keepAlive())
  const workers = new Set<PoolWorker<Task, Result>>()
  let about: unknown
  let failure: { error: Error; until: number } | null = null
  let closed = false

  async function run(tasks: readonly Task[], options: RequestOptions<Result> = {}) {
    options.signal?.throwIfAborted()
    if (closed) throw closedProblem()
    if (tasks.length === 0) return []
    if (workers.size === 0 && failedLately()) throw failure!.error
    const result = queue.add(tasks, options)
    dispatch()
    return result
  }

  function load() {
    if (closed || workers.size > 0 || failedLately()) return
    start()
    keepAlive()
  }

  function dispatch() {
    if (closed) return
    for (const worker of workers)
      if (worker.ready && worker.pieces.length === 0 && queue.waiting()) worker.pieces.push(queue.take()!)
    if (queue.waiting() && mayGrow()) start()
    giveAhead()
    for (const worker of workers) sendNew(worker)
    keepAlive()
  }

  // Not to a worker that does a long task: another may be free sooner.
  function giveAhead() {
    while (queue.urgentWaiting()) {
      const quick = [...workers].filter(({ ready, pieces }) => ready && pieces.every((piece) => piece.urgent))
      const least = quick.reduce<PoolWorker<Task, Result> | null>(
        (a, b) => (a && a.pieces.length <= b.pieces.length ? a : b),
        null,
      )
      if (!least || least.pieces.length > ahead) return
      least.pieces.push(queue.take()!)
    }
  }

  // One worker at a time is started: the first may have files to prepare that the others then find.
  function mayGrow(): boolean {
    if (workers.size === 0) return true
    return workers.size < settings.workers && [...workers].every((worker) => worker.ready) && !failedLately()
  }

  const failedLately = () => failure !== null && performance.now() < failure.until

  // All new tasks of a worker go in one message.
  function sendNew(worker: PoolWorker<Task, Result>) {
    if (worker.sent === worker.pieces.length) return
    if (worker.pieces.some(({ urgent }) => !urgent)) giveWay(worker)
    const jobs = worker.pieces
      .slice(worker.sent)
      .map(({ index, request }) => ({ id: index, task: request.tasks[index]! }))
    worker.sent = worker.pieces.length
    send(worker, { jobs } satisfies Jobs<Task>)
  }

  // Who asks waits for the model, too. A process cannot take its own priority back.
  function giveWay(worker: PoolWorker<Task, Result>) {
    if (worker.isNice || settings.niceness === undefined) return
    worker.isNice = true
    lowerPriority(worker.process, settings.niceness)
  }

  function start() {
    const child = startProcess(settings)
    const worker: PoolWorker<Task, Result> = {
      process: child,
      ready: false,
      pieces: [],
      sent: 0,
      isNice: false,
      lastError: null,
    }
    workers.add(worker)
    if (queue.waiting() && !queue.urgentWaiting()) giveWay(worker)
    child.on('message', (message) => onMessage(worker, message as WorkerMessage<Result>))
    child.on('error', (error) => {
      worker.lastError ??= error
      if (child.pid === undefined) lose(worker)
    })
    child.on('exit', (code, signal) => {
      worker.lastError ??= new Error(signal ?? `exit code ${code}`)
      lose(worker)
    })
    const first: Start = { data: settings.data }
    send(worker, first)
  }

  function onMessage(worker: PoolWorker<Task, Result>, message: WorkerMessage<Result>) {
    if (message.kind === 'ready') {
      worker.ready = true
      about ??= message.about
      failure = null
    } else if (message.kind === 'dying') {
      worker.lastError = errorFrom(message.error)
    } else if (message.kind === 'not_ready') {
      worker.lastError = errorFrom(message.error)
      worker.process.kill()
    } else {
      const piece = worker.pieces.shift()
      if (!piece) return
      worker.sent--
      if (message.kind === 'done') queue.done(piece, message.result)
      else queue.fail(piece.request, errorFrom(message.error))
    }
    dispatch()
  }

  function lose(worker: PoolWorker<Task, Result>) {
    if (!workers.delete(worker) || closed) return
    if (!worker.ready) failLoading(worker.lastError)
    else takeBack(worker.pieces, worker.lastError)
    dispatch()
  }

  // While other workers serve, one that could not start only means fewer of them.
  function failLoading(cause: Error | null) {
    const error = cause instanceof Problem ? cause : diedProblem('while it loaded the model', cause)
    failure = { error, until: performance.now() + retryLoadAfter }
    if (workers.size === 0) queue.failAll(error)
  }

  // Only the task it worked on may have killed it; the others are not counted as tried.
  function takeBack([begun, ...others]: Piece<Task, Result>[], cause: Error | null) {
    for (const piece of others.reverse()) queue.again(piece)
    if (begun) retryOrFail(begun, cause)
  }

  function retryOrFail(piece: Piece<Task, Result>, cause: Error | null) {
    if (piece.attempt === 1) queue.again({ ...piece, attempt: 2 })
    else queue.fail(piece.request, diedProblem('twice on the same text', cause))
  }

  // While the pool closes, it waits for every worker to end.
  function keepAlive() {
    if (closed) return
    for (const { process } of workers)
      for (const handle of [process, process.channel]) queue.open() ? handle?.ref() : handle?.unref()
  }

  async function close() {
    closed = true
    queue.failAll(closedProblem())
    await Promise.all([...workers].map(({ process }) => ended(process)))
  }

  return { run, load, close, about: () => about }
}

function startProcess({ entry }: PoolSettings): ChildProcess {
  return fork(fileURLToPath(entry), [], {
    serialization: 'advanced',
    // Standard output belongs to the owner, which may speak a protocol on it.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    // Loading a model needs large pieces of memory for a moment; with a fixed threshold, glibc gives them back. That
    // takes 30 MB off each worker.
    env: { MALLOC_MMAP_THRESHOLD_: '262144', ...process.env, NODE_OPTIONS: '' },
  })
}

function lowerPriority({ pid }: ChildProcess, niceness: number) {
  if (pid === undefined) return
  for (const thread of threadsOf(pid))
    try {
      setPriority(thread, niceness)
    } catch {
      // Not allowed here, or gone already. It works at the usual priority.
    }
}

/** Linux keeps a priority for each thread, and a new one has that of the thread that made it. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

// The exit event reports a dead worker; the error of sending to it adds nothing.
function send<Task, Result>(worker: PoolWorker<Task, Result>, message: object): void {
  worker.process.send(message, () => {})
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve()
    child.ref()
    child.once('exit', () => resolve())
    child.kill()
  })
}

function errorFrom({ message, code, hint, stack }: SentError): Error {
  if (code !== undefined) return new Problem(code, message, hint)
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}

function diedProblem(when: string, cause: Error | null): Problem {
  const why = cause ? `: ${cause.message}` : ''
  const hint = 'Search by words goes on. `carrel doctor` shows whether the model can be loaded.'
  return new Problem('embedder_died', `The embedding worker died ${when}${why}.`, hint, {
    cause: cause ?? undefined,
  })
}

function closedProblem(): Problem {
  return new Problem('embedder_closed', 'The embedder was closed.')
}

// The queue: urgent requests first, and of each request one task at a time.

interface Request<Task, Result> {
  readonly tasks: readonly Task[]
  readonly results: Result[]
  /** The first task that no worker has. */
  next: number
  unfinished: number
  /** Tasks whose worker died. */
  readonly lost: Piece<Task, Result>[]
  /** Receives each result as it comes. */
  readonly onResult?: OnResult<Result> | undefined
  /** Resolves with the results, or rejects with the failure. */
  settle(failure?: { error: unknown }): void
}

type OnResult<Result> = (index: number, result: Result) => void

interface RequestOptions<Result> {
  /** Served before all requests that are not urgent. */
  urgent?: boolean | undefined
  signal?: AbortSignal | undefined
  onResult?: OnResult<Result> | undefined
}

/** One task of a request. */
interface Piece<Task, Result> {
  request: Request<Task, Result>
  urgent: boolean
  index: number
  attempt: number
}

interface Queue<Task, Result> {
  add(tasks: readonly Task[], options: RequestOptions<Result>): Promise<Result[]>
  /** Whether a task waits. */
  waiting(): boolean
  /** Whether an urgent task waits. */
  urgentWaiting(): boolean
  take(): Piece<Task, Result> | null
  done(piece: Piece<Task, Result>, result: Result): void
  again(piece: Piece<Task, Result>): void
  fail(request: Request<Task, Result>, error: unknown): void
  failAll(error: unknown): void
  /** Whether any request has no answer yet. */
  open(): boolean
}

/** Calls `onSettled` when a request was answered, failed or aborted. */
function createQueue<Task, Result>(onSettled: () => void): Queue<Task, Result> {
  const [urgent, others] = [new Set<Request<Task, Result>>(), new Set<Request<Task, Result>>()]

  function add(tasks: readonly Task[], options: RequestOptions<Result>) {
    const { signal, onResult } = options
    const lane = options.urgent ? urgent : others
    return new Promise<Result[]>((resolve, reject) => {
      const giveUp = () => request.settle({ error: signal!.reason })
      const request: Request<Task, Result> = {
        tasks,
        results: new Array(tasks.length),
        next: 0,
        unfinished: tasks.length,
        lost: [],
        onResult,
        settle(failure) {
          if (!lane.delete(request)) return
          signal?.removeEventListener('abort', giveUp)
          if (failure) reject(failure.error)
          else resolve(request.results)
          onSettled()
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      lane.add(request)
    })
  }

  function nextIn(lane: Set<Request<Task, Result>>): Request<Task, Result> | null {
    for (const request of lane)
      if (request.next < request.tasks.length || request.lost.length > 0) return request
    return null
  }

  const nextRequest = () => nextIn(urgent) ?? nextIn(others)

  function take(): Piece<Task, Result> | null {
    const request = nextRequest()
    if (!request) return null
    return request.lost.pop() ?? { request, urgent: urgent.has(request), index: request.next++, attempt: 1 }
  }

  function done({ request, index }: Piece<Task, Result>, result: Result) {
    request.results[index] = result
    if (urgent.has(request) || others.has(request)) request.onResult?.(index, result)
    if (--request.unfinished === 0) request.settle()
  }

  return {
    add,
    waiting: () => nextRequest() !== null,
    urgentWaiting: () => nextIn(urgent) !== null,
    take,
    done,
    again: (piece) => void piece.request.lost.push(piece),
    fail: (request, error) => request.settle({ error }),
    failAll(error) {
      for (const request of [...urgent, ...others]) request.settle({ error })
    },
    open: () => urgent.size + others.size > 0,
  }
}

// Embedding with a pool.

export const workerEntry = new URL('../worker.js', import.meta.url)

/** A batch of ten questions goes out whole: a query takes two milliseconds, and the owner is busy with the others for longer. */
const queriesAhead = 9

export function embeddingPool(
  settings: Pick<PoolSettings, 'data' | 'niceness'> & { workers?: number | undefined },
): Pool<string, Float32Array> {
  return createPool({ ...settings, workers: settings.workers ?? 1, entry: workerEntry, ahead: queriesAhead })
}

/** Copies each vector out of the message's buffer, which is larger and would stay in memory with it. */
export async function embedInPool(
  pool: Pool<string, Float32Array>,
  texts: string[],
  { kind, signal, onVector }: EmbedOptions,
) {
  const onResult = onVector && ((place: number, vector: Float32Array) => onVector(place, vector.slice()))
  const vectors = await pool.run(texts, { urgent: kind === 'query', signal, onResult })
  return vectors.map((vector) => vector.slice())
}

/**
 * The part of a text that can matter to a model which reads so many tokens, with much to spare. What comes after is
 * not even sent to the worker, so that a huge text costs no more than a long one.
 */
export function headOf(text: string, tokens: number): string {
  return text.slice(0, tokens * 256)
}
