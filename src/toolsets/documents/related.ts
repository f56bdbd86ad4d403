// What else is about the same: near a document's middle, or near one of its passages.

import { documentIdOf } from '../../answer/addresses.js'
import { type FoundDocument, missing, openDocument, short } from '../../answer/collections.js'
import { answerTimeMs, firstSearchShare, isMiss, type Miss } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { sessionsSource } from '../../answer/memory/records.js'
import { refsShown, searchNotes } from '../../answer/notes/answer-notes.js'
import { knownSources, withoutSessions } from '../../answer/notes/index-state.js'
import { answerWithFreshFiles } from '../../answer/refresh.js'
import { chooseEmbedder } from '../../answer/vectors.js'
import { meaningOf } from '../../chunk/context.js'
import type { Embedder } from '../../embed/port.js'
import type { StoredChunk } from '../../model/document.js'
import { type Note, reasonOf } from '../../model/problem.js'
import type { Scope } from '../../model/scope.js'
import { refKey, type Source } from '../../model/source.js'
import { unquoted } from '../../retrieve/query.js'
import { centroid, type Related, related } from '../../retrieve/related.js'
import { search } from '../../retrieve/search.js'
import { withTimeout } from '../../runtime/timeout.js'
import { createYielder } from '../../runtime/yield.js'
import type { DocumentAddress } from './read.js'

export interface RelatedRequest extends DocumentAddress {
  /** A passage's text or its id; without it, the whole document is compared. */
  chunk?: string | undefined
  limit: number
  sameDocument: boolean
  signal?: AbortSignal | undefined
}

export interface RelatedAnswer {
  source: Source
  path: string
  related: (Omit<Related, 'distance'> & { source: Source; distance: number | null })[]
  notes: Note[]
}

export async function findRelated(library: Library, request: RelatedRequest): Promise<RelatedAnswer | Miss> {
  const start = performance.now()
  const due = start + answerTimeMs * firstSearchShare
  const sources = await knownSources(library)
  const { answer, notes } = await answerWithFreshFiles(
    library,
    async (reportShown) => {
      request.signal?.throwIfAborted()
      const around = await round(library, sources, { ...request, due })
      if (!isMiss(around)) reportShown(refsShown(around.rows))
      return around
    },
    { due: start + answerTimeMs },
  )
  if (isMiss(answer)) return answer
  const { source, document, rows, scope } = answer
  const byId = new Map(sources.map((one) => [one.id, one]))
  const isEmpty = rows.length === 0
  return {
    source,
    path: document.ref.path,
    related: rows.flatMap((row) => {
      const of = byId.get(row.ref.source)
      return of ? [{ ...row, source: of }] : []
    }),
    notes: [
      ...answer.notes,
      ...notes,
      ...(await searchNotes(library, { sources, scope, hits: rows, isEmpty })),
    ],
  }
}

/** `due` is the time by which the model must have answered. */
type Timed = RelatedRequest & { due: number }

async function round(
  library: Library,
  sources: readonly Source[],
  request: Timed,
): Promise<(FoundDocument & Rows & { scope: Scope }) | Miss> {
  const found = await openDocument(library, request)
  if (isMiss(found)) return found
  const chunks = await library.store.chunksOf(found.document.ref)
  const compared = await passageIn(found, chunks, request)
  if (isMiss(compared)) return compared
  const scope = found.source.id === sessionsSource ? {} : withoutSessions(sources)
  const { rows, notes } = await nearby(library, found, { chunks, ...compared }, { ...request, scope })
  return { ...found, rows, scope, notes: [...found.notes, ...notes] }
}

type Rows = { rows: Omit<RelatedAnswer['related'][number], 'source'>[]; notes: Note[] }

const perDocument = 2

async function nearby(
  library: Library,
  found: FoundDocument,
  compared: Compared,
  request: Timed & { scope: Scope },
): Promise<Rows> {
  const { limit, sameDocument, scope } = request
  const { embedder, notes: embedderNotes } = await chooseEmbedder(library, { words: false })
  const notes = [...compared.notes, ...embedderNotes]
  const vector = embedder && (await vectorOf(library, embedder, compared, request))
  if (!(vector instanceof Float32Array)) {
    const { rows, note } = await byWords(library, found, compared, request)
    return { rows, notes: [...notes, ...(vector ? [vector] : []), note] }
  }
  const exclude = new Set((sameDocument ? compared.passage : compared.chunks).map(({ id }) => id))
  const query = { model: embedder!.model, vector, scope, limit, perDocument, exclude }
  return { rows: await related(library.store, query), notes }
}

/** What is compared: some chunks of the document, else a text, else the whole document. */
interface Compared {
  chunks: readonly StoredChunk[]
  passage: readonly StoredChunk[]
  written: string | undefined
  notes: Note[]
}

/** The passage to compare with, by its id, its place from 0, or its text. */
async function passageIn(
  { document: { ref } }: FoundDocument,
  chunks: readonly StoredChunk[],
  { chunk = '' }: RelatedRequest,
): Promise<Omit<Compared, 'chunks'> | Miss> {
  const wanted = onOneLine(chunk)
  if (wanted === '') return { passage: [], written: undefined, notes: [] }
  const [isPlace, id, index] = /^(?:(doc_[0-9a-f]{16})?#)?(\d{1,9})$/.exec(wanted) ?? []
  if (isPlace === undefined) {
    const passage = await copiedFrom(chunks, wanted)
    return { passage, written: chunk, notes: passage.length > 0 ? [] : [notThere] }
  }
  const at = chunks.filter((one) => one.index === Number(index))
  if ((id === undefined || id === documentIdOf(ref)) && at.length > 0)
    return { passage: at, written: at[0]!.text, notes: [] }
  const hint = `Its passages are ${documentIdOf(ref)}#0 to #${chunks.length - 1}.`
  return missing(
    `Passage "${wanted}" not found in document "${short(ref.path)}".`,
    chunks.length > 0 ? hint : undefined,
  )
}

const notThere: Note = {
  code: 'passage_unknown',
  message:
    'This document does not contain the passage literally; the passages nearest to its text are shown.',
}

/** The chunks that a text was copied from: one that has it, two neighbours over whose border it goes, or those that make up most of it. */
async function copiedFrom(chunks: readonly StoredChunk[], wanted: string): Promise<StoredChunk[]> {
  const yieldIfDue = createYielder()
  const inside: StoredChunk[] = []
  let around: StoredChunk[] = []
  let before = ''
  for (const [i, chunk] of chunks.entries()) {
    const text = onOneLine(chunk.text)
    if (text === wanted) return [chunk]
    if (around.length !== 1 && text.includes(wanted)) around = [chunk]
    if (around.length === 0 && `${before} ${text}`.includes(wanted)) around = [chunks[i - 1]!, chunk]
    if (text !== '' && wanted.length <= longestPassage && wanted.includes(text)) inside.push(chunk)
    before = text
    await yieldIfDue()
  }
  const length = inside.reduce((sum, { text }) => sum + text.length, 0)
  return around.length > 0 ? around : length * 2 >= wanted.length ? inside : []
}

/** Longer than any passage that is shown. */
const longestPassage = 20_000

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Enough to know what a document without vectors is about, in about a second. */
const mostEmbedded = 16

async function vectorOf(
  { store }: Library,
  embedder: Embedder,
  { chunks, passage, written }: Compared,
  { due, signal }: Pick<Timed, 'due' | 'signal'>,
): Promise<Float32Array | Note | null> {
  const wanted = passage.length > 0 ? passage : written === undefined ? chunks : []
  const known = await store.vectors.of(
    embedder.model,
    wanted.map(({ id }) => id),
  )
  if (known.size > 0) return centroid([...known.values()])
  const few = wanted.slice(0, mostEmbedded).map(({ context, text }) => meaningOf(context, text))
  const texts = few.length > 0 || written === undefined ? few : [written]
  if (texts.length === 0) return null
  try {
    const vectors = await withTimeout(due - performance.now(), tooSlow, (late) =>
      embedder.embed(texts, { kind: 'passage', signal: signal ? AbortSignal.any([signal, late]) : late }),
    )
    return Array.isArray(vectors) ? centroid(vectors) : vectors
  } catch (error) {
    signal?.throwIfAborted()
    return { code: 'words_only', message: `Meanings cannot be compared now: ${reasonOf(error)}` }
  }
}

const tooSlow: Note = { code: 'words_only', message: 'The embedding model took too long.' }

/** Without a vector, searches for the passage's text, or for the document's title and headings. */
async function byWords(
  { store }: Library,
  { document }: FoundDocument,
  { passage, written }: Compared,
  { sameDocument, scope, limit }: RelatedRequest & { scope: Scope },
): Promise<{ rows: Rows['rows']; note: Note }> {
  const text = written ?? [document.title, ...document.sections.map((one) => one.text)].join('\n')
  const { hits } = await search(
    { store, embedder: null },
    {
      text: unquoted(text).slice(0, 1000),
      scope: sameDocument ? scope : { ...scope, except: [document.ref] },
      mode: 'text',
      limit: limit + passage.length,
      asWritten: true,
      perDocument,
    },
  )
  const own = refKey(document.ref)
  const isCompared = ({ ref, index }: (typeof hits)[number]) =>
    refKey(ref) === own && passage.some((chunk) => chunk.index === index)
  const rows = hits.filter((hit) => !isCompared(hit)).slice(0, limit)
  const message =
    rows.length > 0
      ? 'These passages are related by words, not by meaning.'
      : 'Nothing is related by words; there was no meaning to compare.'
  return { rows, note: { code: 'words_only', message } }
}
