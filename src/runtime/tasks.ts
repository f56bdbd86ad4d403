// Work that goes on behind the answers and ends before the library closes.

export interface Tasks {
  /** The work's signal fires when the library closes; what it throws is its own affair. */
  start(work: (signal: AbortSignal) => Promise<void>): void
  /** Whether anything goes on now, and when nothing does any more. */
  readonly running: number
  idle(): Promise<void>
  close(): Promise<void>
}

export function openTasks(): Tasks {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    start(work) {
      if (stop.signal.aborted) return
      const task = work(stop.signal)
        .catch(() => {})
        .then(() => {
          running.delete(task)
        })
      running.add(task)
    },
    get running() {
      return running.size
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      stop.abort(new Error('The library is being closed.'))
      await Promise.all(running)
    },
  }
}
