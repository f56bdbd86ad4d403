// The records of uploaded documents and crawled pages, and how a change alters them.
import { isDeepStrictEqual } from 'node:util'
import { documentIdOf } from '../../answer/addresses.js'
import type { Library } from '../../answer/library.js'
import type { SourceRecord } from '../../answer/source-records.js'
import { Problem } from '../../model/problem.js'
import { thousands } from '../../text/counted.js'
import type { StagedBlob } from './blob-store.js'

export interface DocumentRecord {
  id: string
  source: string
  /** In its source: a file name, or a page's address. */
  path: string
  /** A file name whose ending tells the format. */
  name: string
  /** SHA-256 of the bytes. */
  hash: string
  bytes: number
  /** As it was given; null: the document's own. */
  title: string | null
  url: string | null
  metadata: Record<string, unknown>
  /** The page's own title and metadata when it was crawled. Anything that differs from them is a user's edit. */
  page?: { title: string; metadata: Record<string, unknown> }
  status: 'processing' | 'completed' | 'failed'
  /** Why it could not be read. */
  error: string | null
  createdAt: string
  updatedAt: string
}

export const documentKind = 'knowledge-document'

export async function documentRecords({ store }: Library, source?: string): Promise<DocumentRecord[]> {
  const all = (await store.records.all<DocumentRecord>(documentKind)).map(({ value }) => value)
  return source === undefined ? all : all.filter((record) => record.source === source)
}

export interface NewDocument {
  /** The name of the file; its ending decides the format. */
  name: string
  /** Where it stands in its source; without it, a free path is made from the name. */
  path?: string
  content: Uint8Array | StagedBlob
  /** Undefined: an existing document keeps its own. */
  title?: string | null | undefined
  url?: string | null | undefined
  metadata?: Record<string, unknown> | undefined
  /** When it was first stored, if that was in another data folder. */
  createdAt?: string
}

export function newRecord(
  source: SourceRecord,
  given: NewDocument,
  blob: StagedBlob,
  path: string,
): DocumentRecord {
  const now = new Date().toISOString()
  return {
    id: documentIdOf({ source: source.id, path }),
    source: source.id,
    path,
    name: given.name,
    hash: blob.hash,
    bytes: blob.bytes,
    title: given.title ?? null,
    url: given.url ?? null,
    metadata: given.metadata ?? {},
    status: 'processing',
    error: null,
    createdAt: given.createdAt ?? now,
    updatedAt: now,
  }
}

export interface DocumentChange {
  title?: string | null | undefined
  url?: string | null | undefined
  /** Merged with the present metadata; null removes a field. */
  metadata?: Record<string, unknown> | undefined
  content?: Uint8Array | StagedBlob | undefined
  /** With new content, where the format is another. */
  name?: string | undefined
}

export function changed(
  before: DocumentRecord,
  change: DocumentChange,
  blob: StagedBlob | undefined,
): DocumentRecord {
  const fields = Object.entries({ ...before.metadata, ...change.metadata })
  return {
    ...before,
    ...(change.title === undefined ? {} : { title: change.title }),
    ...(change.url === undefined ? {} : { url: change.url }),
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(blob ? { hash: blob.hash, bytes: blob.bytes } : {}),
    metadata: Object.fromEntries(fields.filter(([, value]) => value !== null)),
    updatedAt: new Date().toISOString(),
  }
}

/** Read, it gives the same document. */
export function sameVersion(a: DocumentRecord, b: DocumentRecord): boolean {
  return a.hash === b.hash && a.title === b.title && a.name === b.name
}

/** Whether the two agree in everything besides the bytes. */
export function sameFacts(a: DocumentRecord, b: DocumentRecord): boolean {
  return a.url === b.url && isDeepStrictEqual(a.metadata, b.metadata)
}

export function sameDocument(before: DocumentRecord, given: NewDocument, blob: StagedBlob): boolean {
  return before.hash === blob.hash && before.title === (given.title ?? null)
}

/**
 * One change of a document's record and bytes at a time, in this process and across processes. Only short work belongs
 * in here: a document is read outside.
 */
export function lockDocument<T>(library: Library, id: string, work: () => Promise<T>): Promise<T> {
  return library.mutex.withLock(`document ${id}`, work)
}

/** No document has more bytes, whatever its format. */
export const mostBytes = 50_000_000

export const readFormats = 'PDF, HTML, DOCX, EPUB, PPTX, XLSX, CSV, Markdown, plain text or a notebook'

export function unreadable(reason: string): Problem {
  return new Problem(
    'unreadable',
    `The document could not be read: ${reason}`,
    `Save it as ${readFormats} and call again, or pass its text as content with a title.`,
  )
}

export function tooLarge(bytes: number): Problem {
  const megabytes = (bytes / 1_000_000).toFixed(1)
  const [has, limit] =
    megabytes === '50.0' ? [`${thousands(bytes)} bytes`, thousands(mostBytes)] : [`${megabytes} MB`, '50 MB']
  return new Problem(
    'too_large',
    `The document has ${has}, and ${limit} is the limit.`,
    'Split it into smaller files and add each of them.',
  )
}

export function goneMeanwhile(): Problem {
  return new Problem(
    'gone',
    'The source or the document was deleted while the document was being added.',
    "Use manage_source(action='list') to see available sources.",
  )
}
