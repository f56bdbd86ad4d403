// Stops asking a service that is down: after a few failures in a row, requests fail at once for a while, then one is
// let through to see. Each time that one fails too, the while is twice as long.
import type { Clock } from './clock.js'

export interface Breaker {
  /** Null when a request may go out; otherwise how long not to ask, and why. */
  refusal(): { error: Error; milliseconds: number } | null
  succeeded(): void
  failed(error: Error): void
}

export interface BreakerSettings {
  /** Failures in a row before it opens. */
  tolerated?: number
  /** How long it stays open at first. */
  rest?: number
  longestRest?: number
}

export function createBreaker(clock: Clock, settings: BreakerSettings = {}): Breaker {
  const { tolerated = 5, rest = 15_000, longestRest = 300_000 } = settings
  let failures = 0
  let rests = 0
  let open: { error: Error; until: number; trial: boolean } | null = null

  // The one that is let through moves the end of the rest: should it be given up, another tries after that.
  function refusal() {
    if (!open) return null
    const left = open.until - clock.now()
    if (left > 0) return { error: open.error, milliseconds: left }
    open.until = clock.now() + rest
    open.trial = true
    return null
  }

  function failed(error: Error) {
    failures++
    // A request from before the rest may fail during it; that is no news.
    if (open ? !open.trial : failures < tolerated) return
    const length = Math.min(longestRest, rest * 2 ** rests++)
    open = { error, until: clock.now() + length, trial: false }
  }

  function succeeded() {
    failures = 0
    rests = 0
    open = null
  }

  return { refusal, succeeded, failed }
}
