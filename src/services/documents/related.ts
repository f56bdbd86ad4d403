// What else is about the same: near a document's middle, or near one of its passages.

import { meaningOf } from '../../chunk/context.js'
import type { Embedder } from '../../embed/port.js'
import type { StoredChunk } from '../../model/document.js'
import { type Note, reasonOf } from '../../model/problem.js'
import type { Source } from '../../model/source.js'
import { unquoted } from '../../retrieve/query.js'
import { centroid, type Related, related } from '../../retrieve/related.js'
import { search } from '../../retrieve/search.js'
import { aboutCopies } from '../copies.js'
import type { Library } from '../library.js'
import { servingEmbedder } from '../meaning.js'
import { type FoundDocument, isMiss, type Miss, openDocument } from './names.js'
import type { DocumentAddress } from './read.js'

export interface RelatedRequest extends DocumentAddress {
  /** A passage's text; without it, the whole document is compared. */
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
  const found = await openDocument(library, request)
  if (isMiss(found)) return found
  const chunks = await library.store.chunksOf(found.document.ref)
  const { rows, notes } = await nearby(library, found, chunks, request)
  const all = await library.store.sources()
  const sources = new Map(all.map((source) => [source.id, source]))
  return {
    source: found.source,
    path: found.document.ref.path,
    related: rows.flatMap((row) => {
      const source = sources.get(row.ref.source)
      return source ? [{ ...row, source }] : []
    }),
    notes: [...found.notes, ...notes, ...aboutCopies(rows, all)],
  }
}

type Rows = { rows: Omit<RelatedAnswer['related'][number], 'source'>[]; notes: Note[] }

const perDocument = 2

async function nearby(
  library: Library,
  found: FoundDocument,
  chunks: readonly StoredChunk[],
  { chunk: written, limit, sameDocument, signal }: RelatedRequest,
): Promise<Rows> {
  const passage = written === undefined ? null : stored(chunks, written)
  const words = { passage, sameDocument, limit, written }
  const { embedder, notes } = await servingEmbedder(library, { words: false })
  const vector = embedder && (await vectorOf(library, embedder, { chunks, passage, written, signal }))
  if (!embedder || !vector) return byWords(library, found, { ...words, notes })
  if (!(vector instanceof Float32Array))
    return byWords(library, found, { ...words, notes: [...notes, vector] })
  const leftOut = sameDocument ? (passage ? [passage] : []) : chunks
  const exclude = new Set(leftOut.map(({ id }) => id))
  const query = { model: embedder.model, vector, scope: {}, limit, perDocument, exclude }
  return { rows: await related(library.store, query), notes }
}

/** The chunk that a text was copied from, if it is one of the document's. */
function stored(chunks: readonly StoredChunk[], written: string): StoredChunk | null {
  const wanted = written.trim()
  if (wanted === '') return null
  return (
    chunks.find(({ text }) => text.trim() === wanted) ??
    chunks.find(({ text }) => text.includes(wanted)) ??
    null
  )
}

/** Enough to know what a document without vectors is about, in about a second. */
const mostEmbedded = 16

interface Compared {
  chunks: readonly StoredChunk[]
  passage: StoredChunk | null
  written: string | undefined
  signal: AbortSignal | undefined
}

async function vectorOf(
  { store }: Library,
  embedder: Embedder,
  { chunks, passage, written, signal }: Compared,
): Promise<Float32Array | Note | null> {
  const wanted = passage ? [passage] : written?.trim() ? [] : chunks
  const known = await store.vectors.of(
    embedder.model,
    wanted.map(({ id }) => id),
  )
  if (known.size > 0) return centroid([...known.values()])
  const few = wanted.slice(0, mostEmbedded).map(({ context, text }) => meaningOf(context, text))
  const texts = few.length > 0 ? few : written?.trim() ? [written] : []
  if (texts.length === 0) return null
  try {
    return centroid(await embedder.embed(texts, { kind: 'passage', ...(signal ? { signal } : {}) }))
  } catch (error) {
    signal?.throwIfAborted()
    return { code: 'words_only', message: `Meanings cannot be compared now: ${reasonOf(error)}` }
  }
}

interface ByWords {
  /** The document's own that was asked about: it is not its own relation. */
  passage: StoredChunk | null
  sameDocument: boolean
  limit: number
  written: string | undefined
  notes: Note[]
}

// Without a model the document is asked for by what it calls itself.
async function byWords(
  { store }: Library,
  { document }: FoundDocument,
  { passage, sameDocument, limit, written, notes }: ByWords,
): Promise<Rows> {
  const text = written?.trim() || [document.title, ...document.sections.map((one) => one.text)].join('\n')
  const { hits } = await search(
    { store, embedder: null },
    {
      text: unquoted(text).slice(0, 1000),
      scope: sameDocument ? {} : { except: [document.ref] },
      mode: 'text',
      limit: limit + (passage ? 1 : 0),
      perDocument,
    },
  )
  const isAsked = ({ ref, index }: (typeof hits)[number]) =>
    index === passage?.index && ref.source === document.ref.source && ref.path === document.ref.path
  const rows = hits.filter((hit) => !isAsked(hit)).slice(0, limit)
  const message =
    rows.length > 0
      ? 'These passages are related by words, not by meaning.'
      : 'Nothing is related by words; there was no meaning to compare.'
  return { rows, notes: [...notes, { code: 'words_only', message }] }
}
