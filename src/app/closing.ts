import type { Library } from '../answer/library.js'
import { closeMemory } from '../toolsets/context/lifecycle.js'

/**
 * Runs every step in order, even when one fails, because anything left open keeps the process alive. Throws the first
 * failure at the end.
 */
export async function closeEach(...steps: (() => Promise<unknown> | undefined)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps)
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}

/** Closes a server and everything it opened. */
export function closeServer(
  library: Library,
  live: { close(): Promise<void> },
  { statistics }: { statistics: { close(): Promise<void> } },
) {
  return closeEach(
    // Save what exists only in memory first: when the client is gone, three seconds remain for all steps.
    () => closeMemory(library),
    () => live.close(),
    () => statistics.close(),
    () => library.close(),
  )
}

/** Closes the library after a failed start, so that the process can end. Errors of closing are dropped: the start's error is reported. */
export function giveUp(library: Library, live: { close(): Promise<void> }) {
  return closeEach(
    () => live.close(),
    () => library.close(),
  ).catch(() => {})
}
