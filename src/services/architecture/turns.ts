import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets others have the thread whenever this one has had it for some milliseconds. */
export function inTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestTurnMs) return
    await nextTurn()
    since = performance.now()
  }
}

const longestTurnMs = 12
