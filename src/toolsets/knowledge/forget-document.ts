import type { Library } from '../../answer/library.js'
import { touchSource } from '../../answer/source-records.js'
import { dropBytes } from './blob-store.js'
import { lockDocument } from './document-lock.js'
import { type DocumentRecord, documentKind } from './document-records.js'

/** Removes a document with its passages, vectors and bytes. False when there is none. */
export async function forgetDocument(library: Library, id: string): Promise<boolean> {
  const gone = await lockDocument(library, id, async () => {
    const record = await library.store.records.get<DocumentRecord>(documentKind, id)
    if (record) await clear(library, record)
    return record
  })
  if (gone) await touchSource(library, gone.source)
  return gone !== null
}

/**
 * Under its lock. The passages go first: where that fails, as on a full disk, the record is still there and says whose
 * document it is. They go once more after the record, since somebody who was reading it may have put them back.
 */
export async function clear(library: Library, record: DocumentRecord): Promise<void> {
  await library.store.forget([record])
  await library.store.records.delete(documentKind, record.id)
  await library.store.forget([record])
  await dropBytes(library, record)
}
