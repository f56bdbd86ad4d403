// The use-cases of the manage_document tool: adds, lists, changes and removes documents.

import { documentIdOf } from '../../answer/addresses.js'
import { checkedMetadata, checkedTitle, checkedUrl } from '../../answer/checked-fields.js'
import type { Library } from '../../answer/library.js'
import { recordId } from '../../answer/memory/memory.js'
import { discoveriesSource, sessionsSource } from '../../answer/memory/records.js'
import { forgetDiscovery, rewordDiscovery } from '../../answer/memory/statements.js'
import {
  defaultSource,
  hasDefaultSource,
  openDefaultSource,
  ownSourceOf,
  sourceOf,
} from '../../answer/source-records.js'
import { embedBatch } from '../../answer/vectors.js'
import { fileNameFor } from '../../graph/names.js'
import { Problem } from '../../model/problem.js'
import type { Scope } from '../../model/scope.js'
import { withTimeout } from '../../runtime/timeout.js'
import { wholeCharacters } from '../../text/truncate.js'
import { deleteSource, forgetDocument } from './delete-source.js'
import { combine, describe, findDocument, type KnownDocument, recordOf } from './describe.js'
import { type DocumentRecord, documentRecords, type NewDocument } from './document-records.js'
import { beginDocument, changeDocument, finishDocument, type Stored } from './documents.js'
import { stageFile } from './upload-file.js'

export interface DocumentFields {
  filePath?: string | undefined
  content?: string | undefined
  title?: string | undefined
  url?: string | undefined
  source?: string | undefined
  metadata?: Record<string, unknown> | undefined
}

export interface Changed {
  document: KnownDocument
  state: Stored['state'] | 'processing'
}

/** Adds a file or a text. If reading it takes too long, the tool answers first and the reading goes on. */
export async function addDocument(
  library: Library,
  fields: DocumentFields,
  signal?: AbortSignal,
): Promise<Changed> {
  requireOne(fields)
  const url = fields.url ? checkedUrl(fields.url) : undefined
  const metadata = fields.metadata && checkedMetadata(fields.metadata)
  const title = fields.title === undefined ? null : checkedTitle(fields.title, longestTitle)
  const source = fields.source === undefined ? null : await ownSourceOf(library, fields.source)
  const given = {
    ...(await givenDocument(library, fields, title)),
    ...{ title: title ?? undefined, url, metadata },
  }
  if (source === null) return addToDefaultSource(library, given, signal)
  const begun = await beginDocument(library, source, given)
  if (begun.state !== 'created') return changed(library, begun)
  return soon(library, begun.record, finishDocument(library, begun.record), signal)
}

/** Makes the default source for its first document. If that document is refused, the source is removed again. */
async function addToDefaultSource(
  library: Library,
  given: NewDocument,
  signal?: AbortSignal,
): Promise<Changed> {
  let isNew = false
  const undo = async (error: unknown): Promise<never> => {
    if (isNew) await lockDefaultSource(library, () => removeEmptySource(library, defaultSource.id))
    throw error
  }
  const begun = await lockDefaultSource(library, async () => {
    isNew = !(await hasDefaultSource(library))
    return beginDocument(library, await openDefaultSource(library), given)
  }).catch(undo)
  if (begun.state !== 'created') return changed(library, begun)
  return soon(library, begun.record, finishDocument(library, begun.record).catch(undo), signal)
}

// Another process may add a document just when an empty source is removed: one of them waits.
function lockDefaultSource<T>(library: Library, work: () => Promise<T>): Promise<T> {
  return library.mutex.withLock('default-source', work)
}

async function removeEmptySource(library: Library, id: string): Promise<void> {
  if ((await documentRecords(library, id)).length === 0) await deleteSource(library, id)
}

export async function getDocument(
  library: Library,
  address: { document: string; source?: string | undefined },
): Promise<KnownDocument> {
  return findDocument(library, address)
}

/** New content replaces the old as a whole; metadata is merged, and null takes a field out. */
export async function updateDocument(
  library: Library,
  address: { document: string; source?: string | undefined },
  fields: Omit<DocumentFields, 'source'>,
  signal?: AbortSignal,
): Promise<Changed> {
  const found = await findDocument(library, address)
  if (found.ref.source === discoveriesSource) return updateDiscovery(library, found, fields)
  const { record } = await ownDocument(library, address)
  if (Object.values(fields).every((value) => value === undefined))
    throw new Problem(
      'nothing_to_do',
      'Nothing to update was given.',
      'Provide title, url, metadata, content or file_path.',
    )
  if (fields.content !== undefined && fields.filePath !== undefined) throw both()
  requireText(fields.content)
  const change = {
    ...(fields.title === undefined ? {} : { title: checkedTitle(fields.title, longestTitle) }),
    ...(fields.url === undefined ? {} : { url: fields.url === '' ? null : checkedUrl(fields.url) }),
    ...(fields.metadata === undefined ? {} : { metadata: checkedMetadata(fields.metadata) }),
  }
  const content = fields.content ?? fields.filePath
  const given = content === undefined ? {} : await givenDocument(library, fields, record.title)
  const done = changeDocument(library, record.id, { ...given, ...change }).then((stored) => {
    if (!stored) throw gone(address.document)
    return stored
  })
  return soon(library, record, done, signal)
}

/** Of a discovery only the text is the caller's to change: its title comes from its type and module. */
async function updateDiscovery(
  library: Library,
  { ref, title }: KnownDocument,
  { content, filePath, url, metadata, title: given }: Omit<DocumentFields, 'source'>,
): Promise<Changed> {
  if (content === undefined || [filePath, url, metadata, given].some((value) => value !== undefined))
    throw new Problem(
      'remembered',
      `"${title}" is a discovery; only its content can be changed.`,
      "Provide content='…' alone, a sentence of 10 to 1,000 characters.",
    )
  await rewordDiscovery(library, recordId(ref.path), content)
  return { document: await getDocument(library, { document: documentIdOf(ref) }), state: 'updated' }
}

export async function removeDocument(
  library: Library,
  address: { document: string; source?: string | undefined },
): Promise<KnownDocument> {
  const remembered = await findDocument(library, address)
  if (remembered.ref.source === discoveriesSource) {
    if (!(await forgetDiscovery(library, recordId(remembered.ref.path)))) throw gone(address.document)
    return remembered
  }
  const found = await ownDocument(library, address)
  if (!(await forgetDocument(library, found.id))) throw gone(address.document)
  return found
}

export interface DocumentList {
  documents: KnownDocument[]
  total: number
}

/** By source and path. Documents that are not indexed yet, or could not be read, come last. */
export async function listDocuments(
  library: Library,
  { source, offset, limit }: { source?: string | undefined; offset: number; limit: number },
): Promise<DocumentList> {
  const scope: Scope = source === undefined ? {} : { sources: [(await sourceOf(library, source)).id] }
  const { documents, total } = await library.store.documents(scope, { offset, limit })
  const rows: KnownDocument[] = []
  for (const stored of documents) rows.push(combine(stored.ref, await recordOf(library, stored.ref), stored))
  const waiting = await unindexed(library, scope)
  const start = Math.max(0, offset - total)
  const late = waiting.slice(start, start + limit - rows.length)
  return {
    documents: [...rows, ...late.map((record) => combine(record, record, null))],
    total: total + waiting.length,
  }
}

async function unindexed(library: Library, { sources }: Scope): Promise<DocumentRecord[]> {
  const unfinished = (await documentRecords(library)).filter(
    ({ status, source }) => status !== 'completed' && (!sources || sources.includes(source)),
  )
  const missing: DocumentRecord[] = []
  for (const record of unfinished) if (!(await library.store.document(record))) missing.push(record)
  return missing
}

/** Clients give up after a minute at most; a scanned book may take one. */
const refreshTimeoutMs = 24_000

async function soon(
  library: Library,
  record: DocumentRecord,
  work: Promise<Stored>,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  // A client that is answered "processing" finds a later failure in the record.
  const stored = await withTimeout(refreshTimeoutMs, null, () => work)
  if (stored === null) {
    const document = (await describe(library, record)) ?? combine(record, record, null)
    return { document, state: 'processing' }
  }
  await embedDocument(library, stored.chunks, signal)
  return changed(library, stored)
}

async function changed(library: Library, { record, state }: Stored): Promise<Changed> {
  return { document: (await describe(library, record)) ?? combine(record, record, null), state }
}

async function ownDocument(
  library: Library,
  address: { document: string; source?: string | undefined },
): Promise<KnownDocument & { record: DocumentRecord }> {
  const found = await findDocument(library, address)
  if (found.record) return { ...found, record: found.record }
  throw await notOwn(library, found)
}

async function notOwn({ store }: Library, { ref, title, format }: KnownDocument): Promise<Problem> {
  if (ref.source === sessionsSource)
    return new Problem(
      'remembered',
      `"${title}" is the record of a session, which cannot be changed or deleted.`,
      'Old sessions are removed automatically.',
    )
  const source = (await store.sources()).find(({ id }) => id === ref.source)
  if (source?.kind === 'package')
    return new Problem(
      'configured_document',
      `"${title}" is a document of the package "${source.name}"; it is changed and deleted where that comes from.`,
      `Change it there and run "carrel sync ${source.name}".`,
    )
  return new Problem(
    'configured_document',
    `"${title}" is a file of a configured source; it is changed and deleted as a file.`,
    format === 'markdown'
      ? `Edit or delete the file ${ref.path}; the index follows. update_node changes a note. delete_node deletes one.`
      : `Edit or delete the file ${ref.path}; the index follows.`,
  )
}

function requireOne({ filePath, content, title }: DocumentFields) {
  if (filePath === undefined && content === undefined)
    throw new Problem(
      'no_content',
      'file_path required for create',
      "Provide file_path='docs/report.pdf', or content='…' with title='…'.",
    )
  if (filePath !== undefined && content !== undefined) throw both()
  if (content !== undefined && title === undefined)
    throw new Problem('no_title', 'title required with content', "Provide title='…' with content.")
  requireText(content)
}

function requireText(content: string | undefined) {
  if (content === undefined || content.trim() !== '') return
  throw new Problem(
    'no_content',
    'The content is empty.',
    "Provide the text to keep as content='…', or a file as file_path='…'.",
  )
}

function both(): Problem {
  return new Problem(
    'two_contents',
    'file_path and content were both given.',
    'Provide one of them: file_path for a file, content for a text.',
  )
}

async function givenDocument(
  library: Library,
  { filePath, content }: DocumentFields,
  title: string | null,
): Promise<Pick<NewDocument, 'name' | 'content'>> {
  if (content !== undefined) return { name: nameOf(title, content), content: Buffer.from(content) }
  const { blob, name } = await stageFile(library, filePath!)
  return { name: plainName(name), content: blob }
}

/** A text is Markdown unless it is a page. */
function nameOf(title: string | null, content: string): string {
  const ending = /^\s*(?:<!doctype html|<html)\b/i.test(content.slice(0, 1_000)) ? 'html' : 'md'
  return `${(title && fileNameFor(title)) || 'document'}.${ending}`
}

const longestName = 150

/** The file's name without characters that do not belong into an address. */
function plainName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\\]+/gu, '-')
  if (plain.length <= longestName) return plain
  const ending = /\.[^.]{1,10}$/.exec(plain)?.[0] ?? ''
  return wholeCharacters(plain, longestName - ending.length) + ending
}

const longestTitle = 1_000

function gone(document: string): Problem {
  return new Problem(
    'not_found',
    `Document not found: ${document} was deleted meanwhile.`,
    "Use manage_document(action='list') to see the documents and their ids.",
  )
}

const budgetMs = 4_000
const atOnce = 16

/**
 * Embeds the newest chunks, as many as the new document has, as long as a caller would wait. A search by meaning then finds
 * the document at once.
 */
async function embedDocument(
  { embedder, store }: Library,
  chunks: number,
  signal?: AbortSignal,
): Promise<void> {
  if (!embedder) return
  const until = performance.now() + budgetMs
  const late = AbortSignal.any([AbortSignal.timeout(budgetMs), ...(signal ? [signal] : [])])
  try {
    for (let left = chunks; left > 0 && performance.now() < until; left -= atOnce) {
      const limit = Math.min(left, atOnce)
      if ((await embedBatch(store, embedder, { limit, signal: late })) === null) return
    }
  } catch {
    // The rest is embedded in the background. Until then, words find it.
  }
}
