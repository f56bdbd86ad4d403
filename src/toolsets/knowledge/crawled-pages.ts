// Stores the pages of a crawl like every document of the knowledge base: a record and its bytes, then the index.
import { isDeepStrictEqual } from 'node:util'
import { documentIdOf } from '../../answer/addresses.js'
import type { Library } from '../../answer/library.js'
import { keepRow, type SourceRecord, sourceKind } from '../../answer/source-records.js'
import type { PageToStore } from '../../ingest/crawl/page-buffer.js'
import { Problem } from '../../model/problem.js'
import {
  claim,
  confirmClaim,
  drop,
  dropBytes,
  inPieces,
  lockNewBytes,
  type StagedBlob,
  stageBlob,
} from './blob-store.js'
import { forgetDocument } from './delete-source.js'
import { type DocumentRecord, documentKind, lockDocument } from './document-records.js'
import { indexDocument } from './index-document.js'

/**
 * Stores a batch of pages. The record is written before the index, so that no process takes the page for a deleted one; one
 * that finds the record without its page reads the page from its bytes.
 */
export async function storePages(
  library: Library,
  source: string,
  pages: readonly PageToStore[],
): Promise<void> {
  const { records } = library.store
  const owner = await records.get<SourceRecord>(sourceKind, source)
  if (!owner) throw new Problem('gone', 'The source was deleted while its site was being crawled.')
  await keepRow(library, owner)
  const blobs = await Promise.all(pages.map(({ bytes }) => stageBlob(library, inPieces(bytes))))
  try {
    const ids = pages.map(({ document }) => documentIdOf(document.ref))
    const there = await Promise.all(ids.map((id) => records.get<DocumentRecord>(documentKind, id)))
    // A known page may be changed or deleted by a user at this moment. New ones only need to be safe from the sweeper, for
    // which one lock serves all.
    const known = ids.filter((_, i) => there[i] !== null).sort()
    const work = () => locked(library, known, () => switchPages(library, ids, pages, blobs))
    const renamed = await (known.length < ids.length ? lockNewBytes(library, work) : work())
    for (const id of renamed) await indexDocument(library, id)
  } finally {
    await Promise.all(blobs.map(({ file }) => drop(file)))
  }
}

function locked<T>(library: Library, ids: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = ids
  return first === undefined ? work() : lockDocument(library, first, () => locked(library, rest, work))
}

/** Returns the pages that a user has renamed. They must be read again with that title, since titles are searched. */
async function switchPages(
  library: Library,
  ids: readonly string[],
  pages: readonly PageToStore[],
  blobs: readonly StagedBlob[],
): Promise<string[]> {
  const { store } = library
  const before = await Promise.all(ids.map((id) => store.records.get<DocumentRecord>(documentKind, id)))
  await Promise.all(ids.map((id, i) => claim(library, blobs[i]!, { id })))
  const made = pages.map((page, i) => recordOf(ids[i]!, page, blobs[i]!, before[i]!))
  await store.records.putAll(made.map((record) => ({ kind: documentKind, id: record.id, value: record })))
  await Promise.all(ids.map((id, i) => confirmClaim(library, blobs[i]!, { id })))
  const readAt = Date.now()
  await store.replace(pages.map(({ document }) => ({ ...document, readAt })))
  for (const [i, { id, hash }] of made.entries())
    if (before[i] && before[i].hash !== hash) await dropBytes(library, { id }, hash)
  return made.filter(({ title, page }) => title !== page!.title).map(({ id }) => id)
}

function recordOf(
  id: string,
  { document, name }: PageToStore,
  { hash, bytes }: StagedBlob,
  before: DocumentRecord | null,
): DocumentRecord {
  const { source, path } = document.ref
  const now = new Date().toISOString()
  const { title, metadata } = document
  return {
    ...{ id, source, path, name, hash, bytes, page: { title, metadata } },
    ...{ title, url: path, metadata, ...byHand(before, metadata) },
    ...{ status: 'completed', error: null, createdAt: before?.createdAt ?? now, updatedAt: now },
  }
}

/** Edits of a user stay: a title, an address, fields of the metadata, and the removal of fields. */
function byHand(
  before: DocumentRecord | null,
  now: Record<string, unknown>,
): Partial<Pick<DocumentRecord, 'title' | 'url' | 'metadata'>> {
  if (!before?.page) return {}
  const { page, title, url, path, metadata } = before
  const given = Object.entries(metadata).filter(
    ([key, value]) => !isDeepStrictEqual(value, page.metadata[key]),
  )
  const left = Object.entries(now).filter(([key]) => key in metadata || !(key in page.metadata))
  return {
    ...(title === page.title ? {} : { title }),
    ...(url === path ? {} : { url }),
    metadata: Object.fromEntries([...left, ...given]),
  }
}

export function forgetPage(library: Library, source: string, url: string): Promise<boolean> {
  return forgetDocument(library, documentIdOf({ source, path: url }))
}
