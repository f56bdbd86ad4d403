import type { Library } from '../answer/library.js'
import { closeMemory } from '../toolsets/context/lifecycle.js'
import { closeEach } from './closing.js'

/** A server and all that it kept. */
export function closeServer(
  library: Library,
  live: { close(): Promise<void> },
  { statistics }: { statistics: { close(): Promise<void> } },
) {
  return closeEach(
    // First what exists only in memory: a client that is gone leaves three seconds for all of this.
    () => closeMemory(library),
    () => live.close(),
    () => statistics.close(),
    () => library.close(),
  )
}

/** What is open keeps the process alive: a start that fails closes it again, and tells only why it failed. */
export function giveUp(library: Library, live: { close(): Promise<void> }) {
  return closeEach(
    () => live.close(),
    () => library.close(),
  ).catch(() => {})
}
