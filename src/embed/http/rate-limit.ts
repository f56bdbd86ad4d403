// Keeps to a service's requests per minute. Urgent requests go first, and no request waits longer than its patience.
import type { Clock } from './clock.js'

export interface RateLimit {
  /** Resolves to 0 when the request may go out, and to the milliseconds it would take when that is too long. */
  take(wish: Wish): Promise<number>
  /** The service asked everyone to wait. */
  pause(milliseconds: number): void
}

export interface Wish {
  urgent: boolean
  /** The longest wait that is of use, in milliseconds. */
  patience: number
  signal?: AbortSignal
}

export interface RateSettings {
  requestsPerMinute?: number
}

export function createRateLimit(clock: Clock, settings: RateSettings): RateLimit {
  const requests = createBucket(clock, settings.requestsPerMinute)
  let pausedUntil = 0
  let urgentWaiting = 0

  function waitFor(wish: Wish): number {
    const own = Math.max(pausedUntil - clock.now(), requests.waitFor(), 0)
    return own === 0 && !wish.urgent && urgentWaiting > 0 ? 50 : own
  }

  async function take(wish: Wish): Promise<number> {
    const deadline = clock.now() + wish.patience
    if (wish.urgent) urgentWaiting++
    try {
      for (let wait = waitFor(wish); wait > 0; wait = waitFor(wish)) {
        if (clock.now() + wait > deadline) return wait
        await clock.sleep(wait, wish.signal)
      }
      requests.spend()
      return 0
    } finally {
      if (wish.urgent) urgentWaiting--
    }
  }

  return {
    take,
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds)
    },
  }
}

// A token bucket, full at first.
function createBucket(clock: Clock, perMinute = Number.POSITIVE_INFINITY) {
  if (perMinute === Number.POSITIVE_INFINITY) return { waitFor: () => 0, spend: () => {} }
  let level = perMinute
  let at = clock.now()
  function refill() {
    const now = clock.now()
    level = Math.min(perMinute, level + ((now - at) * perMinute) / 60_000)
    at = now
  }
  return {
    waitFor() {
      refill()
      const missing = Math.min(1, perMinute) - level
      return missing <= 0 ? 0 : Math.ceil((missing * 60_000) / perMinute)
    },
    spend() {
      refill()
      level -= Math.min(1, perMinute)
    },
  }
}
