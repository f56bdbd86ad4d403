import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work in the main thread calls it often. It yields to the event loop when the work has run for 8 ms. */
export type YieldIfDue = () => Promise<void> | undefined

const longestStepMs = 8

/** The time runs from now. */
export function createYielder(signal?: AbortSignal): YieldIfDue {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestStepMs) return undefined
    return nextTurn(undefined, { signal }).then(() => {
      since = performance.now()
    })
  }
}
