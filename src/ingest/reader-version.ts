// Raise this when the parser, chunker or tokenizer reads the same bytes differently. Every index then reads its files again,
// as with `--force`, and keeps the vectors of unchanged chunks. A test notices such changes.
import type { Store } from '../store/port.js'

export const readerVersion = 10

/** The kind of the records that say, for each source that was read to its end, which version read it. */
export const readerKind = '~reader'
/**
 * The version that began to read an empty source. After an interruption the next run continues instead of starting again.
 */
const begun = '~reader-begun'

/** Whether records of a kind describe how far the index was read. They are not valid for another index. */
export function isOfReading(kind: string): boolean {
  return kind === readerKind || kind === begun
}

/**
 * Begins to read a source, and records that for an empty one. `mustReread`: an older version read the source last, so every
 * file has to be read again. Some older versions left no record.
 */
export async function beginReading(store: Store, source: string): Promise<{ mustReread: boolean }> {
  const before = await store.records.get<number>(readerKind, source)
  if (before !== null) return { mustReread: before < readerVersion }
  if (await holdsAny(store, source)) {
    const begunBy = (await store.records.get<number>(begun, source)) ?? 0
    return { mustReread: begunBy < readerVersion }
  }
  await store.records.put(begun, source, readerVersion)
  return { mustReread: false }
}

// Uploads and crawled pages are read under one name that is no source. For it, documents of any source count.
async function holdsAny(store: Store, source: string): Promise<boolean> {
  const { documents, bySource } = await store.counts()
  return (bySource[source]?.documents ?? documents) > 0
}

/** The sources that were read to their end at least once. */
export async function readToTheEnd(store: Store): Promise<Set<string>> {
  return new Set((await store.records.all(readerKind)).map(({ id }) => id))
}

/** Called when a source leaves the index: if it comes back, it counts as unread. */
export async function forgetReader(store: Store, source: string) {
  for (const kind of [readerKind, begun]) await store.records.delete(kind, source)
}

/** Called when a source was read to its end. */
export async function noteReader(store: Store, source: string) {
  const before = (await store.records.get<number>(readerKind, source)) ?? 0
  if (before < readerVersion) await store.records.put(readerKind, source, readerVersion)
}
