import type { DocumentSummary } from '../model/document.js'
import { refKey } from '../model/source.js'
import type { Store } from '../store/port.js'
import type { Passage } from './assemble.js'

/** The passages with their documents. A passage whose document was removed meanwhile is left out. */
export async function withDocuments(
  store: Store,
  passages: readonly Passage[],
): Promise<{ passage: Passage; document: DocumentSummary }[]> {
  const refs = [...new Map(passages.map(({ chunks: [first] }) => [refKey(first!.ref), first!.ref])).values()]
  if (refs.length === 0) return []
  const { documents } = await store.documents({ documents: refs }, { offset: 0, limit: refs.length })
  const byRef = new Map(documents.map((document) => [refKey(document.ref), document]))
  return passages.flatMap((passage) => {
    const document = byRef.get(refKey(passage.chunks[0]!.ref))
    return document ? [{ passage, document }] : []
  })
}
