/** What a piece of work gives, or `late` when the time is up first: the work is then told to stop. */
export async function within<T, L>(
  msLeft: number,
  late: L,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | L> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<L>((resolve) => {
    const giveUp = () => {
      resolve(late)
      stop.abort()
    }
    if (Number.isFinite(msLeft)) timer = setTimeout(giveUp, Math.max(0, msLeft))
  })
  try {
    const working = work(stop.signal)
    // When the time is up first, nobody waits for it any more.
    working.catch(() => {})
    return await Promise.race([working, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
