// Background tasks, which end before the library closes.

export interface Tasks {
  /** The work's signal fires when the library closes. Its errors are ignored. */
  start(work: (signal: AbortSignal) => Promise<void>): void
  readonly running: number
  /** Resolves when no task is running. */
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
