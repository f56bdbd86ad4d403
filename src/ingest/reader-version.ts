// Goes up when the same bytes are read otherwise than before: other text, other passages, other words. What an older version
// has read is read again then, as with `--force`; vectors of passages that stayed the same are kept. A test notices changes.
import type { Store } from '../store/port.js'

export const readerVersion = 1

const kind = '~reader'

/** Whether a source was last read by an older version. */
export async function isReadOtherwise(store: Store, source: string): Promise<boolean> {
  return ((await store.records.get<number>(kind, source)) ?? readerVersion) < readerVersion
}

/** Once all of a source was looked at. */
export async function noteReader(store: Store, source: string) {
  const before = (await store.records.get<number>(kind, source)) ?? 0
  if (before < readerVersion) await store.records.put(kind, source, readerVersion)
}
