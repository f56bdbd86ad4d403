// A few worker processes that load a model when it is first needed and work through requests. Urgent requests go ahead
// of the others, a request that was given up leaves the queue, and idle workers do not keep the owner alive.
//
// Processes and not threads, because the native ONNX runtime keeps state for one thread only: a process that exits
// while a thread infers aborts (24 of 24 times), and loading it into a thread after an earlier one ended corrupts
// memory (5 of 8 times). A process can die, be replaced and be ended at any moment, and takes nobody with it.
import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Problem } from '../../model/problem.js'
import type { Jobs, Start, Told, WorkerMessage } from './messages.js'
import { createQueue, type Piece, type RequestOptions } from './queue.js'

export interface Pool<Task, Result> {
  /** One result a task, in order. When one task fails, the request does; other requests are not touched. */
  run(tasks: readonly Task[], options?: RequestOptions<Result>): Promise<Result[]>
  /** What the first worker said about its engine, once there is one. */
  about(): unknown
  close(): Promise<void>
}

export interface PoolSettings {
  /** The compiled module that calls `serve`. */
  entry: URL
  /** Handed to every worker as it starts. */
  data: unknown
  workers: number
  /**
   * How many urgent tasks may wait at a worker that is at an urgent one: it then goes on without asking while its owner
   * has its hands full. They are worked through even when they were given up meanwhile.
   */
  ahead?: number
  /** As for `nice`: above 0, the workers give way to everything else on the machine. */
  niceness?: number
  /** For how long a model that could not be loaded is not tried again, in milliseconds. */
  retryLoadAfter?: number
}

interface PoolWorker<Task, Result> {
  process: ChildProcess
  ready: boolean
  /** The one it is at, and those that wait there. */
  pieces: Piece<Task, Result>[]
  /** Of these, how many it knows of. */
  sent: number
  /** What it said before it died. */
  lastError: Error | null
}

export function createPool<Task, Result>(settings: PoolSettings): Pool<Task, Result> {
  const { retryLoadAfter = 10_000, ahead = 0 } = settings
  const queue = createQueue<Task, Result>(() => keepAlive())
  const hands = new Set<PoolWorker<Task, Result>>()
  let about: unknown
  let failure: { error: Error; until: number } | null = null
  let closed = false

  async function run(tasks: readonly Task[], options: RequestOptions<Result> = {}) {
    options.signal?.throwIfAborted()
    if (closed) throw closedProblem()
    if (tasks.length === 0) return []
    if (hands.size === 0 && failedLately()) throw failure!.error
    const result = queue.add(tasks, options)
    dispatch()
    return result
  }

  function dispatch() {
    if (closed) return
    for (const hand of hands)
      if (hand.ready && hand.pieces.length === 0 && queue.waiting()) hand.pieces.push(queue.take()!)
    if (queue.waiting() && mayGrow()) start()
    giveAhead()
    for (const hand of hands) sendNew(hand)
    keepAlive()
  }

  // Not to a worker that is at something long: another may be free before it is.
  function giveAhead() {
    while (queue.urgentWaiting()) {
      const quick = [...hands].filter(({ ready, pieces }) => ready && pieces.every((piece) => piece.urgent))
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
    if (hands.size === 0) return true
    return hands.size < settings.workers && [...hands].every((hand) => hand.ready) && !failedLately()
  }

  const failedLately = () => failure !== null && performance.now() < failure.until

  // What a worker gets at once goes in one message.
  function sendNew(hand: PoolWorker<Task, Result>) {
    if (hand.sent === hand.pieces.length) return
    const jobs = hand.pieces
      .slice(hand.sent)
      .map(({ index, request }) => ({ id: index, task: request.tasks[index]! }))
    hand.sent = hand.pieces.length
    send(hand, { jobs } satisfies Jobs<Task>)
  }

  function start() {
    const child = startProcess(settings)
    const hand: PoolWorker<Task, Result> = {
      process: child,
      ready: false,
      pieces: [],
      sent: 0,
      lastError: null,
    }
    hands.add(hand)
    child.on('message', (message) => hear(hand, message as WorkerMessage<Result>))
    child.on('error', (error) => {
      hand.lastError ??= error
      if (child.pid === undefined) lose(hand)
    })
    child.on('exit', (code, signal) => {
      hand.lastError ??= new Error(signal ?? `exit code ${code}`)
      lose(hand)
    })
    const first: Start = { data: settings.data }
    send(hand, first)
  }

  function hear(hand: PoolWorker<Task, Result>, message: WorkerMessage<Result>) {
    if (message.kind === 'ready') {
      hand.ready = true
      about ??= message.about
      failure = null
    } else if (message.kind === 'dying') {
      hand.lastError = told(message.error)
    } else if (message.kind === 'not_ready') {
      hand.lastError = told(message.error)
      hand.process.kill()
    } else {
      const piece = hand.pieces.shift()
      if (!piece) return
      hand.sent--
      if (message.kind === 'done') queue.done(piece, message.result)
      else queue.fail(piece.request, told(message.error))
    }
    dispatch()
  }

  function lose(hand: PoolWorker<Task, Result>) {
    if (!hands.delete(hand) || closed) return
    if (!hand.ready) failLoading(hand.lastError)
    else takeBack(hand.pieces, hand.lastError)
    dispatch()
  }

  // While other workers serve, one that could not start only means fewer of them.
  function failLoading(cause: Error | null) {
    const error = cause instanceof Problem ? cause : diedProblem('while it loaded the model', cause)
    failure = { error, until: performance.now() + retryLoadAfter }
    if (hands.size === 0) queue.failAll(error)
  }

  // Only the one it was at may have been its end.
  function takeBack([begun, ...others]: Piece<Task, Result>[], cause: Error | null) {
    for (const piece of others.reverse()) queue.again(piece)
    if (begun) retryOrFail(begun, cause)
  }

  function retryOrFail(piece: Piece<Task, Result>, cause: Error | null) {
    if (piece.attempt === 1) queue.again({ ...piece, attempt: 2 })
    else queue.fail(piece.request, diedProblem('twice on the same text', cause))
  }

  // While it closes, the owner waits for every worker's end, whatever one may still say.
  function keepAlive() {
    if (closed) return
    for (const { process } of hands)
      for (const handle of [process, process.channel]) queue.open() ? handle?.ref() : handle?.unref()
  }

  async function close() {
    closed = true
    queue.failAll(closedProblem())
    await Promise.all([...hands].map(({ process }) => ended(process)))
  }

  return { run, close, about: () => about }
}

function startProcess({ entry, niceness }: PoolSettings): ChildProcess {
  const child = fork(fileURLToPath(entry), [], {
    serialization: 'advanced',
    // Standard output belongs to the owner, which may speak a protocol on it.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    // Loading a model needs large pieces of memory for a moment; with a fixed threshold, glibc gives them back. That
    // takes 30 MB off each worker.
    env: { MALLOC_MMAP_THRESHOLD_: '262144', ...process.env, NODE_OPTIONS: '' },
  })
  try {
    if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {
    // Not allowed here, or gone already. It works at the usual priority.
  }
  return child
}

// A worker that is gone is heard of by its exit; the error of sending to it adds nothing.
function send<Task, Result>(hand: PoolWorker<Task, Result>, message: object): void {
  hand.process.send(message, () => {})
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve()
    child.ref()
    child.once('exit', () => resolve())
    child.kill()
  })
}

function told({ message, code, hint, stack }: Told): Error {
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
