// A source and everything that hangs on it.
import type { Library } from '../../answer/library.js'
import { sourceKind, touchSource } from '../../answer/source-records.js'
import { dropBytes } from './blob-store.js'
import { type DocumentRecord, documentKind, documentRecords, lockDocument } from './document-records.js'
import { forgetCrawls } from './jobs.js'

/** Removes other records of a source when the source is deleted. Each kind of record registers one. */
type Cascade = (library: Library, source: string) => Promise<void>

const cascades: readonly Cascade[] = [forgetCrawls]

/**
 * Removes one of our own sources: its record first, so that a process killed on the way leaves something that the next
 * run of indexing recognises as deleted. Returns how many documents went.
 */
export async function deleteSource(library: Library, id: string): Promise<number> {
  const { records } = library.store
  await records.delete(sourceKind, id)
  const documents = await documentRecords(library, id)
  for (const document of documents) await forgetDocument(library, document.id)
  for (const cascade of cascades) await cascade(library, id)
  await library.store.forgetSource(id)
  return documents.length
}

/** Removes a document with its chunks, vectors and bytes. Returns false if there is none. */
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
 * Call it under the document's lock. The chunks are removed first: if that fails, for example on a full disk, the record
 * still names their document. They are removed again after the record, because a process that was reading it may have
 * stored them.
 */
export async function clear(library: Library, record: DocumentRecord): Promise<void> {
  await library.store.forget([record])
  await library.store.records.delete(documentKind, record.id)
  await library.store.forget([record])
  await dropBytes(library, record)
}
