import type { Library } from '../../answer/library.js'
import type { Reader } from '../../answer/shown-to-client.js'

export const writingLease = 'writing-notes'

/** Whose change it is, and how it can be stopped until it commits itself; then it is carried out, and says what became of it. */
export interface Asking extends Reader {
  signal?: AbortSignal
  /** Throws when it was stopped. */
  commit?(): void
  /** Hears true while others are writing, and false when it is this one's turn. */
  inLine?(waits: boolean): void
}

/** One writer of notes at a time. */
export function withWriting<T>(
  library: Library,
  work: () => Promise<T>,
  { signal, inLine }: Pick<Asking, 'signal' | 'inLine'> = {},
): Promise<T> {
  const begin = () => {
    inLine?.(false)
    return work()
  }
  inLine?.(true)
  return library.mutex.withLock(writingLease, begin, { signal })
}
