/** Clocks are set right by a little now and then. */
const slackMs = 2_000

/** Whether what is stored was read after `readAt`. A time that lies ahead is of a clock that was wrong: it proves nothing. */
export function readLater(stored: number, readAt: number, now: number): boolean {
  return stored > readAt && stored <= now + slackMs
}
