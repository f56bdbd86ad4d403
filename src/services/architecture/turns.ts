import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets others have the thread whenever this one has had it for some milliseconds; at once, if asked to. */
export function inTurns(): (now?: boolean) => Promise<void> {
  let since = performance.now()
  return async (now = false) => {
    if (!now && performance.now() - since < longestTurnMs) return
    await nextTurn()
    since = performance.now()
  }
}

const longestTurnMs = 8
