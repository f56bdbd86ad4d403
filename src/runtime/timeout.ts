/**
 * The result of the work, or `late` if it takes longer than `ms` (Infinity: no limit). The work's signal fires then; a
 * later error of it is ignored. With `ref: false` the timer does not keep the process alive.
 */
export async function withTimeout<T, L>(
  ms: number,
  late: L,
  work: (signal: AbortSignal) => Promise<T>,
  { ref = true } = {},
): Promise<T | L> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<L>((resolve) => {
    if (!Number.isFinite(ms)) return
    timer = setTimeout(
      () => {
        resolve(late)
        stop.abort()
      },
      Math.max(0, ms),
    )
    if (!ref) timer.unref()
  })
  try {
    const working = work(stop.signal)
    working.catch(() => {})
    return await Promise.race([working, timeout])
  } finally {
    clearTimeout(timer)
  }
}
