import { setImmediate as nextTurn } from 'node:timers/promises'

const longestStep = 8

/** For long work in the main thread: called often, it gives way to others whenever a step has lasted long enough. */
export function pace(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestStep) return undefined
    return nextTurn(undefined, { signal }).then(() => {
      since = performance.now()
    })
  }
}
