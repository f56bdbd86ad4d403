import type { Library } from '../library.js'
import { inTurn } from '../turns.js'

export const writingLease = 'writing-notes'

/** How a change can be stopped until it commits itself; then it is carried out, and says what became of it. */
export interface Stopping {
  signal?: AbortSignal
  /** Throws when it was stopped. */
  commit?(): void
}

/** One writer of notes at a time. */
export function withWriting<T>(library: Library, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return inTurn(library, writingLease, work, signal)
}
