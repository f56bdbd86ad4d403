export interface Limited<T> {
  /** The work's result, or the reason it was stopped, whichever comes first. */
  result: Promise<T>
  /** Settles when the work itself has ended, however late. */
  ended: Promise<void>
}

/** Runs work that is stopped by a time limit or by the caller. The work hears of it through its own signal. */
export function limitTime<T>(
  limit: { ms: number; signal: AbortSignal | undefined; timeout(): Error; cancelled(): Error },
  work: (signal: AbortSignal) => Promise<T> | T,
): Limited<T> {
  const controller = new AbortController()
  let clear = () => {}
  const stopped = new Promise<never>((_, reject) => {
    const stop = (reason: Error) => {
      controller.abort(reason)
      reject(reason)
    }
    const cancel = () => stop(limit.cancelled())
    const timer = setTimeout(() => stop(limit.timeout()), limit.ms)
    limit.signal?.addEventListener('abort', cancel, { once: true })
    if (limit.signal?.aborted) cancel()
    clear = () => {
      clearTimeout(timer)
      limit.signal?.removeEventListener('abort', cancel)
    }
  })
  const running = Promise.resolve().then(() => {
    if (controller.signal.aborted) throw controller.signal.reason
    return work(controller.signal)
  })
  const ended = running.then(
    () => {},
    () => {},
  )
  const result = Promise.race([running, stopped]).finally(clear)
  return { result, ended }
}
