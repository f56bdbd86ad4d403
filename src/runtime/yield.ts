import { setImmediate as nextTurn } from 'node:timers/promises'

/** Called often by long work in the main thread: gives way to others whenever a step has lasted long enough. */
export type YieldIfDue = () => Promise<void> | undefined

const longestStep = 8

/** For work that starts now. */
export function createYielder(signal?: AbortSignal): YieldIfDue {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestStep) return undefined
    return nextTurn(undefined, { signal }).then(() => {
      since = performance.now()
    })
  }
}
