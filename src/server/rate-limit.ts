// At most so many calls of one tool by one client in any sixty seconds. Decided synchronously, so that calls that
// arrive together cannot slip past each other.
import { lru } from '../runtime/lru.js'

export const defaultRates: Readonly<Record<string, number>> = {
  context_search: 30,
  read_file: 100,
  grep_codebase: 60,
}

export interface RateLimiter {
  /** Null when the call may run (and is counted), else the milliseconds until one may. */
  take(tool: string, client: string, perMinute: number | undefined): number | null
}

const minute = 60_000
const mostWindows = 10_000

export function rateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const windows = lru<string, Window>(mostWindows)
  return {
    take(tool, client, perMinute) {
      if (perMinute === undefined || !Number.isFinite(perMinute)) return null
      const most = Math.max(0, Math.floor(perMinute))
      const key = `${tool}\n${client}`
      const known = windows.get(key)
      const window = known?.times.length === most ? known : emptyWindow(most)
      windows.set(key, window)
      return takeFrom(window, now())
    },
  }
}

/** The times of the last calls, as many as the limit allows, in a ring. */
interface Window {
  times: Float64Array
  next: number
}

function emptyWindow(perMinute: number): Window {
  return { times: new Float64Array(perMinute).fill(Number.NEGATIVE_INFINITY), next: 0 }
}

function takeFrom(window: Window, at: number): number | null {
  if (window.times.length === 0) return minute
  const oldest = window.times[window.next]!
  if (at - oldest < minute) return Math.ceil(oldest + minute - at)
  window.times[window.next] = at
  window.next = (window.next + 1) % window.times.length
  return null
}
