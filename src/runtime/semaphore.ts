/** Lets at most `places` callers in at a time; the others wait in the order in which they came. */
export interface Semaphore {
  /** Resolves to true inside; false when the line is full or the wait was too long. Rejects when the signal aborts. */
  enter(signal?: AbortSignal, waitMs?: number): Promise<boolean>
  leave(): void
  /** Does the work inside, after any wait. For a semaphore whose line is not limited. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  readonly inside: number
  readonly waiting: number
}

/** At most `line` callers may wait. */
export function createSemaphore({ places, line = Infinity }: { places: number; line?: number }): Semaphore {
  let inside = 0
  const waiting = new Set<() => void>()

  async function enter(signal?: AbortSignal, waitMs = Infinity): Promise<boolean> {
    signal?.throwIfAborted()
    if (inside < places) {
      inside++
      return true
    }
    if (waiting.size >= line) return false
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => () => {
        waiting.delete(admit)
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        act()
      }
      const admit = settle(() => resolve(true))
      const abort = settle(() => reject(signal!.reason))
      const giveUp = settle(() => resolve(false))
      const timer = Number.isFinite(waitMs) ? setTimeout(giveUp, waitMs) : undefined
      signal?.addEventListener('abort', abort, { once: true })
      waiting.add(admit)
    })
  }

  // The place is handed on rather than freed, so that nobody who comes later slips in between.
  function leave() {
    const [next] = waiting
    if (next) next()
    else inside--
  }

  return {
    enter,
    leave,
    async run(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get inside() {
      return inside
    },
    get waiting() {
      return waiting.size
    },
  }
}
