// Goes up when the same bytes are read otherwise than before: other text, other passages, other words. What an older version
// has read is read again then, as with `--force`; vectors of passages that stayed the same are kept. A test notices changes.
import type { Store } from '../store/port.js'

export const readerVersion = 1

const kind = '~reader'
/** Which version began with an empty source: where it was interrupted, the next run goes on instead of starting anew. */
const begun = '~reader-begun'

/** Whether a source was last read by an older version, some of which kept no note of it. */
export async function isReadOtherwise(store: Store, source: string): Promise<boolean> {
  const before = await store.records.get<number>(kind, source)
  if (before !== null) return before < readerVersion
  if (await holdsAny(store, source))
    return ((await store.records.get<number>(begun, source)) ?? 0) < readerVersion
  await store.records.put(begun, source, readerVersion)
  return false
}

// Uploads and crawled pages go by one name that is no source of its own: theirs may be any.
async function holdsAny(store: Store, source: string): Promise<boolean> {
  const { documents, bySource } = await store.counts()
  return (bySource[source]?.documents ?? documents) > 0
}

/** Once all of a source was looked at. */
export async function noteReader(store: Store, source: string) {
  const before = (await store.records.get<number>(kind, source)) ?? 0
  if (before < readerVersion) await store.records.put(kind, source, readerVersion)
}
