// Pages of a crawl, kept as every document of the knowledge base is: a record and its bytes, then the index.
import type { KeptPage, RecordToPut } from '../../ingest/crawl/shelf.js'
import { Problem } from '../../model/problem.js'
import { documentIdOf } from '../document-ids.js'
import type { Library } from '../library.js'
import { type DocumentRecord, documentKind, forgetDocument } from './documents.js'
import { claim, drop, dropBytes, inPieces, keepBytes } from './kept-bytes.js'
import { keepRow, type SourceRecord, sourceKind } from './sources.js'

/**
 * Takes pages in, some at a time. A page is a record before it is in the index, so that nobody takes it for one that was
 * deleted. Returns the records as they are once all is done.
 */
export async function keepPages(
  library: Library,
  source: string,
  pages: readonly KeptPage[],
): Promise<RecordToPut[]> {
  const { store } = library
  const owner = await store.records.get<SourceRecord>(sourceKind, source)
  if (!owner) throw new Problem('gone', 'The source was deleted while its site was being crawled.')
  await keepRow(library, owner)
  const made = await Promise.all(pages.map((page) => recordOf(library, source, page)))
  await store.records.putAll(made.map(({ record }) => toPut({ ...record, status: 'processing' })))
  await store.replace(pages.map(({ document }) => document))
  for (const { record, before } of made)
    if (before !== null && before.hash !== record.hash) await dropBytes(library, record, record.hash)
  return made.map(({ record }) => toPut(record))
}

function toPut(record: DocumentRecord): RecordToPut {
  return { kind: documentKind, id: record.id, value: record }
}

async function recordOf(library: Library, source: string, { document, name, bytes }: KeptPage) {
  const { path } = document.ref
  const id = documentIdOf({ source, path })
  const before = await library.store.records.get<DocumentRecord>(documentKind, id)
  const kept = await keepBytes(library, inPieces(bytes))
  await claim(library, kept, { source, id }).finally(() => drop(kept.file))
  const now = new Date().toISOString()
  const record: DocumentRecord = {
    ...{ id, source, path, name, hash: kept.hash, bytes: kept.bytes },
    ...{ title: document.title, url: path, metadata: document.metadata },
    ...{ status: 'completed', error: null, createdAt: before?.createdAt ?? now, updatedAt: now },
  }
  return { record, before }
}

export function forgetPage(library: Library, source: string, url: string): Promise<boolean> {
  return forgetDocument(library, documentIdOf({ source, path: url }))
}
