// Requests in the order in which they are served: urgent ones first, each a list of tasks taken one at a time.

export interface Request<Task, Result> {
  readonly tasks: readonly Task[]
  readonly results: Result[]
  /** The first task that nobody has taken. */
  next: number
  unfinished: number
  /** Taken once already, and lost with the worker. */
  readonly lost: Piece<Task, Result>[]
  /** Answers with the results, or with why there are none. */
  settle(failure?: { error: unknown }): void
}

/** One task of a request. */
export interface Piece<Task, Result> {
  request: Request<Task, Result>
  index: number
  attempt: number
}

export interface Queue<Task, Result> {
  add(tasks: readonly Task[], options: { urgent?: boolean; signal?: AbortSignal }): Promise<Result[]>
  /** Whether a task waits to be taken. */
  waiting(): boolean
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

  function add(tasks: readonly Task[], options: { urgent?: boolean; signal?: AbortSignal }) {
    const { signal } = options
    const lane = options.urgent ? urgent : others
    return new Promise<Result[]>((resolve, reject) => {
      const giveUp = () => request.settle({ error: signal!.reason })
      const request: Request<Task, Result> = {
        tasks,
        results: new Array(tasks.length),
        next: 0,
        unfinished: tasks.length,
        lost: [],
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

  function nextRequest(): Request<Task, Result> | null {
    for (const lane of [urgent, others])
      for (const request of lane)
        if (request.next < request.tasks.length || request.lost.length > 0) return request
    return null
  }

  function take(): Piece<Task, Result> | null {
    const request = nextRequest()
    return request && (request.lost.pop() ?? { request, index: request.next++, attempt: 1 })
  }

  function done({ request, index }: Piece<Task, Result>, result: Result) {
    request.results[index] = result
    if (--request.unfinished === 0) request.settle()
  }

  return {
    add,
    waiting: () => nextRequest() !== null,
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
