export interface Limited<T> {
  /** The work's result, or the reason it was stopped, whichever comes first. */
  result: Promise<T>
  /** Settles when the work itself has ended, however late. */
  ended: Promise<void>
}

/**
 * Runs work that is stopped by a time limit or by the caller. The work hears of it through its own signal. Once it has
 * committed itself it is not stopped any more, and its outcome is the result; who was stopped before that cannot commit.
 */
export function limitTime<T>(
  limit: { ms: number; signal: AbortSignal | undefined; timeout(): Error; cancelled(): Error },
  work: (signal: AbortSignal, commit: () => void) => Promise<T> | T,
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
  const commit = () => {
    controller.signal.throwIfAborted()
    clear()
  }
  const running = Promise.resolve().then(() => {
    controller.signal.throwIfAborted()
    return work(controller.signal, commit)
  })
  const ended = running.then(
    () => {},
    () => {},
  )
  const result = Promise.race([running, stopped]).finally(clear)
  return { result, ended }
}
