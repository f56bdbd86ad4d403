import type { Ref } from '../model/source.js'

/** Compares strings by code units, independent of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function byRef(a: Ref, b: Ref): number {
  return byText(a.source, b.source) || byText(a.path, b.path)
}

/** A chunk's source, path and position. Ties are broken in this order. */
export function byPlace(a: { ref: Ref; index: number }, b: { ref: Ref; index: number }): number {
  return byRef(a.ref, b.ref) || a.index - b.index
}

/** Tolerance for small corrections of the clock. */
const slackMs = 2_000

/** Whether the stored version was read after `readAt`. A stored time in the future came from a wrong clock and is ignored. */
export function readLater(stored: number, readAt: number, now: number): boolean {
  return stored > readAt && stored <= now + slackMs
}
