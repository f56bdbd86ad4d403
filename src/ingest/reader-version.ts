// Goes up when the same bytes are read otherwise than before: other text, other passages, other words. What an older version
// has read is read again then, as with `--force`; vectors of passages that stayed the same are kept. A test notices changes.
import type { Store } from '../store/port.js'

export const readerVersion = 1

const kind = '~reader'
/** The kind of the records, by the ids of the sources of which all was looked at. */
export const readerKind = kind

/** Whether a source was last read by an older version. */
export async function isReadOtherwise(store: Store, source: string): Promise<boolean> {
  return ((await store.records.get<number>(kind, source)) ?? readerVersion) < readerVersion
}

/** The sources of which all was looked at, at least once. */
export async function readToTheEnd(store: Store): Promise<Set<string>> {
  return new Set((await store.records.all(kind)).map(({ id }) => id))
}

/** A source that left the index has not been looked at when it comes back. */
export async function forgetReader(store: Store, source: string) {
  await store.records.delete(kind, source)
}

/** Once all of a source was looked at. */
export async function noteReader(store: Store, source: string) {
  const before = (await store.records.get<number>(kind, source)) ?? 0
  if (before < readerVersion) await store.records.put(kind, source, readerVersion)
}
