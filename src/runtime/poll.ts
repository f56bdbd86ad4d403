import { reasonOf } from '../model/problem.js'
import { createLocalMutex } from './mutex.js'

export interface Poller {
  /** Looks now, after the look that is under way. */
  look(): Promise<void>
  close(): Promise<void>
}

/** Looks at once and at every interval: one look at a time and none after closing. `onTrouble` hears what fails. */
export function poll(
  lookOnce: () => Promise<void>,
  { everyMs, onTrouble }: { everyMs: number; onTrouble?: ((message: string) => void) | undefined },
): Poller {
  let closed = false
  const lock = createLocalMutex()
  const look = () =>
    lock(async () => {
      if (!closed) await lookOnce()
    }).catch((error) => {
      if (!closed) onTrouble?.(reasonOf(error))
    })
  const timer = setInterval(() => void look(), everyMs).unref()
  void look()
  return {
    look,
    async close() {
      closed = true
      clearInterval(timer)
      await lock(() => {})
    },
  }
}
