import { setImmediate as nextTurn } from 'node:timers/promises'

/** Gives way to other work now and then. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < 8) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
