/** Lets so many in at a time; the others wait their turn in order. */
export interface Semaphore {
  /** Resolves to true inside; false when the line is full or the wait was too long. Rejects when the signal aborts. */
  enter(signal: AbortSignal | undefined, waitMs: number): Promise<boolean>
  leave(): void
  readonly inside: number
  readonly waiting: number
}

export function createSemaphore({ places, line }: { places: number; line: number }): Semaphore {
  let inside = 0
  const waiting = new Set<() => void>()
  return {
    enter(signal, waitMs) {
      if (inside < places) {
        inside++
        return Promise.resolve(true)
      }
      if (waiting.size >= line) return Promise.resolve(false)
      return new Promise((resolve, reject) => {
        const done = () => {
          waiting.delete(turn)
          clearTimeout(timer)
          signal?.removeEventListener('abort', give)
        }
        const turn = () => {
          done()
          resolve(true)
        }
        const give = () => {
          done()
          reject(signal!.reason)
        }
        const timer = setTimeout(() => {
          done()
          resolve(false)
        }, waitMs)
        signal?.addEventListener('abort', give, { once: true })
        waiting.add(turn)
      })
    },
    // The place is handed on rather than freed, so that nobody who comes later slips in between.
    leave() {
      const [next] = waiting
      if (next) next()
      else inside--
    },
    get inside() {
      return inside
    },
    get waiting() {
      return waiting.size
    },
  }
}
