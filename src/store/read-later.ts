/** Tolerance for small corrections of the clock. */
const slackMs = 2_000

/** Whether the stored version was read after `readAt`. A stored time in the future came from a wrong clock and is ignored. */
export function readLater(stored: number, readAt: number, now: number): boolean {
  return stored > readAt && stored <= now + slackMs
}
