// Requests in the order in which they are served: urgent ones first, each a list of tasks taken one at a time.

export interface Request<Task, Result> {
  readonly tasks: readonly Task[]
  readonly results: Result[]
  /** The first task that nobody has taken. */
  next: number
  unfinished: number
  /** Taken once already, and lost with the worker. */
  readonly lost: Piece<Task, Result>[]
  /** Told each result as it comes. */
  readonly onResult?: OnResult<Result> | undefined
  /** Answers with the results, or with why there are none. */
  settle(failure?: { error: unknown }): void
}

export type OnResult<Result> = (index: number, result: Result) => void

export interface RequestOptions<Result> {
  /** Served before those that are not. */
  urgent?: boolean | undefined
  signal?: AbortSignal | undefined
  onResult?: OnResult<Result> | undefined
}

/** One task of a request. */
export interface Piece<Task, Result> {
  request: Request<Task, Result>
  urgent: boolean
  index: number
  attempt: number
}

export interface Queue<Task, Result> {
  add(tasks: readonly Task[], options: RequestOptions<Result>): Promise<Result[]>
  /** Whether a task waits to be taken. */
  waiting(): boolean
  /** Whether an urgent one does: it would be taken next. */
  urgentWaiting(): boolean
  take(): Piece<Task, Result> | null
  done(piece: Piece<Task, Result>, result: Result): void
  again(piece: Piece<Task, Result>): void
  fail(request: Request<Task, Result>, error: unknown): void
  failAll(error: unknown): void
  /** Whether a request is unanswered, waiting or in work. */
  open(): boolean
}

/** `onSettled` is called whenever a request was answered, failed or given up. */
export function createQueue<Task, Result>(onSettled: () => void): Queue<Task, Result> {
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
