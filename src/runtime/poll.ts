import { reasonOf } from '../model/problem.js'

export interface Poller {
  /** Looks now, after what is under way. */
  look(): Promise<void>
  close(): Promise<void>
}

/** Looks at once and every so often: one look at a time, none after closing, and what goes wrong with one is told. */
export function poll(
  lookOnce: () => Promise<void>,
  { everyMs, onTrouble }: { everyMs: number; onTrouble?: ((message: string) => void) | undefined },
): Poller {
  let closed = false
  let looking: Promise<void> = Promise.resolve()
  const look = () => {
    looking = looking
      .then(() => (closed ? undefined : lookOnce()))
      .catch((error) => {
        if (!closed) onTrouble?.(reasonOf(error))
      })
    return looking
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  void look()
  return {
    look,
    async close() {
      closed = true
      clearInterval(timer)
      await looking
    },
  }
}
