// A source and everything that hangs on it.
import type { Library } from '../../answer/library.js'
import { sourceKind } from '../../answer/source-records.js'
import { documentRecords } from './document-records.js'
import { forgetDocument } from './forget-document.js'
import { forgetCrawls } from './jobs.js'

/** What goes with a source besides its documents: each kind of record that belongs to one takes its own away. */
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
