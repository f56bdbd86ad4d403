import type { Library } from '../library.js'
import { inTurn } from '../turns.js'

export const writingLease = 'writing-notes'

/** One writer of notes at a time. */
export function withWriting<T>(library: Library, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return inTurn(library, writingLease, work, signal)
}
