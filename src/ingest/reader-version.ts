// Raise this when the parser, chunker or tokenizer reads the same bytes differently. Every index then reads its files again,
// as with `--force`, and keeps the vectors of unchanged chunks. A test notices such changes.
import type { Store } from '../store/port.js'

export const readerVersion = 10

/** The kind of the records, by the ids of the sources of which all was looked at. */
export const readerKind = '~reader'
/** Which version began with an empty source: where it was interrupted, the next run goes on instead of starting anew. */
const begun = '~reader-begun'

/** Whether records of a kind tell how far the index was made: of another index, they are not true. */
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

// Uploads and crawled pages go by one name that is no source of its own: theirs may be any.
async function holdsAny(store: Store, source: string): Promise<boolean> {
  const { documents, bySource } = await store.counts()
  return (bySource[source]?.documents ?? documents) > 0
}

/** The sources of which all was looked at, at least once. */
export async function readToTheEnd(store: Store): Promise<Set<string>> {
  return new Set((await store.records.all(readerKind)).map(({ id }) => id))
}

/** A source that left the index has not been looked at when it comes back. */
export async function forgetReader(store: Store, source: string) {
  for (const kind of [readerKind, begun]) await store.records.delete(kind, source)
}

/** Once all of a source was looked at. */
export async function noteReader(store: Store, source: string) {
  const before = (await store.records.get<number>(readerKind, source)) ?? 0
  if (before < readerVersion) await store.records.put(readerKind, source, readerVersion)
}
