// A document as the knowledge toolset shows it, whatever source it comes from.

import { documentIdOf, isDocumentId, refOfId } from '../../answer/addresses.js'
import { openDocument, openInAny } from '../../answer/collections.js'
import { isMiss } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { unindexedFoldersNotes } from '../../answer/notes/index-state.js'
import { refresh } from '../../answer/refresh.js'
import { namesOf, sourceOf } from '../../answer/source-records.js'
import type { DocumentSummary } from '../../model/document.js'
import { Problem } from '../../model/problem.js'
import type { Ref, Source } from '../../model/source.js'
import { didYouMean } from '../../text/nearest.js'
import { longestTitle, oneLine } from '../../text/one-line.js'
import { truncate } from '../../text/truncate.js'
import { type DocumentRecord, documentKind } from './document-records.js'

export interface KnownDocument {
  id: string
  ref: Ref
  title: string
  format: string
  url: string | null
  chunks: number
  status: DocumentRecord['status']
  error: string | null
  createdAt: string
  updatedAt: string
  /** Facts from the file itself, and those that were given with it. */
  metadata: Record<string, unknown>
  /** Notes on reading it, for example on parts that could not be read. */
  notes: string[]
  /** Null: the document is a file of a configured source, or something remembered. */
  record: DocumentRecord | null
}

/** A document by its id, its path in a source, or `collection:path`. */
export async function findDocument(
  library: Library,
  { document, source }: { document: string; source?: string | undefined },
): Promise<KnownDocument> {
  const ref = await refOf(library, document, source)
  const found = ref && (await describe(library, ref))
  if (found) return found
  const [unread] = await unindexedFoldersNotes(library)
  throw notFound(document, unread?.message ?? (await closestId(library, document)))
}

/** A document by its address; null if there is none. */
export async function describe(library: Library, ref: Ref): Promise<KnownDocument | null> {
  await refresh(library, [ref])
  const { documents } = await library.store.documents({ documents: [ref] }, { offset: 0, limit: 1 })
  const record = await recordOf(library, ref)
  return record || documents[0] ? combine(ref, record, documents[0] ?? null) : null
}

export async function recordOf({ store }: Library, ref: Ref): Promise<DocumentRecord | null> {
  return store.records.get<DocumentRecord>(documentKind, documentIdOf(ref))
}

/** Combines the record with the facts from the index. */
export function combine(
  ref: Ref,
  record: DocumentRecord | null,
  stored: Pick<DocumentSummary, 'title' | 'format' | 'chunkCount' | 'readAt' | 'metadata' | 'notes'> | null,
): KnownDocument {
  const readAt = new Date(stored?.readAt ?? 0).toISOString()
  return {
    id: documentIdOf(ref),
    ref,
    title: oneLine(stored?.title ?? record?.title ?? ref.path, longestTitle),
    format: stored?.format ?? endingOf(record?.name ?? ref.path),
    url: record?.url ?? urlIn(ref.path),
    chunks: stored?.chunkCount ?? 0,
    status: record?.status ?? 'completed',
    error: record?.error ?? null,
    createdAt: record?.createdAt ?? readAt,
    updatedAt: record?.updatedAt ?? readAt,
    metadata: shown({ ...stored?.metadata, ...record?.metadata }),
    notes: [...new Set((stored?.notes ?? []).map(({ message }) => message))].slice(0, mostNotes),
    record,
  }
}

const mostNotes = 5

async function refOf(library: Library, document: string, named: string | undefined): Promise<Ref | null> {
  const source = named === undefined ? null : (await sourceOf(library, named)).id
  const record = await library.store.records.get<DocumentRecord>(documentKind, document)
  const known = record ?? (await refOfId(library, document))
  if (known) {
    if (source !== null && source !== known.source) throw elsewhere(document, known.source, source)
    return { source: known.source, path: known.path }
  }
  if (isDocumentId(document)) return null
  if (source !== null) {
    const found = await openDocument(library, { collection: source, document })
    return isMiss(found) ? null : found.document.ref
  }
  const sources = await library.store.sources()
  const found = await openInAny(library, await addressed(library, sources, document), document)
  if (isMiss(found)) return null
  if (found.length === 1) return found[0]!.document.ref
  const choices = found.map((one) => `'${one.source.id}'`).join(', ')
  throw new Problem(
    'ambiguous',
    `There are ${found.length} documents "${truncate(document, 200, '…')}".`,
    `Say which with source_id: ${choices}.`,
  )
}

// Another source may be meant as the place to move it to; an answer of success would then be no true one.
function elsewhere(document: string, is: string, requested: string): Problem {
  return new Problem(
    'elsewhere',
    `${document} belongs to the source ${is}, not to ${requested}.`,
    `Leave source_id out. A document is not moved between sources: create it in the other one and delete it here.`,
  )
}

/** The sources an address may mean: the one before its colon, else all. */
async function addressed(library: Library, sources: readonly Source[], document: string) {
  const named: Source[] = []
  for (const source of document.includes(':') ? sources : [])
    if ((await namesOf(library, source)).some((name) => document.startsWith(`${name}:`))) named.push(source)
  return named.length > 0 ? named : sources
}

async function closestId({ store }: Library, written: string): Promise<string | undefined> {
  const records = await store.records.all<DocumentRecord>(documentKind)
  return didYouMean(
    written,
    records.slice(0, mostCompared).flatMap(({ id, value }) => [id, value.path]),
  )
}

const mostCompared = 500

function notFound(written: string, close: string | undefined): Problem {
  return new Problem(
    'not_found',
    `Document not found: ${truncate(written, 200, '…')}`,
    `${close ? `${close} ` : ''}Use manage_document(action='list') to see the documents and their ids.`,
  )
}

const longestValue = 1_000
const mostMetadata = 8_000

/** Short enough for an answer; where pages start is for us alone. */
function shown(metadata: Record<string, unknown>): Record<string, unknown> {
  const rows: [string, unknown][] = []
  let size = 0
  for (const [key, value] of Object.entries(metadata)) {
    if (key === 'pageStarts' || value === undefined) continue
    const short = typeof value === 'string' ? truncate(value, longestValue, '...') : value
    size += key.length + (JSON.stringify(short)?.length ?? 0)
    if (size <= mostMetadata) rows.push([key, short])
  }
  return Object.fromEntries(rows)
}

function urlIn(path: string): string | null {
  return /^https?:\/\//i.test(path) ? path : null
}

function endingOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? 'text'
}
