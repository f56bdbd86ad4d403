// Lets so many run at once; the others wait in the order in which they came.

export interface Semaphore {
  /** Runs the work when there is room. One that is aborted while it waits leaves the line. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function semaphore(places: number): Semaphore {
  const line = new Set<() => void>()
  let free = places

  function enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (free > 0) {
      free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        line.delete(begin)
        reject(signal!.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leaveLine)
        resolve()
      }
      line.add(begin)
      signal?.addEventListener('abort', leaveLine, { once: true })
    })
  }

  function leave() {
    const [next] = line
    if (next === undefined) free++
    else {
      line.delete(next)
      next()
    }
  }

  return {
    async run(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
