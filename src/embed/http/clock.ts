import { setTimeout as wait } from 'node:timers/promises'

/** Time and chance, so that tests can have their own. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** From 0 up to 1. */
  random(): number
}

export const realClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  async sleep(milliseconds, signal) {
    try {
      await wait(milliseconds, undefined, { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}
