// Passages that answer questions, one question or several at once.
import type { Embedder } from '../embed/port.js'
import type { StoredChunk, StoredDocument } from '../model/document.js'
import type { Found, Hit } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import type { Scope } from '../model/scope.js'
import type { Source } from '../model/source.js'
import { fit } from '../retrieve/assemble.js'
import type { Part } from '../retrieve/part.js'
import { search as retrieve, type Search } from '../retrieve/search.js'
import type { Store } from '../store/port.js'
import { lineStarts } from '../text/lines.js'
import { headingPaths } from '../text/outline.js'
import { trimmedSpan } from '../text/spans.js'
import { answerWithFreshFiles } from './answer-with-fresh-files.js'
import { findCollections, isMiss, type Miss, openInAny } from './collections.js'
import type { Library } from './library.js'
import { withoutSessions } from './memory/sources.js'
import { copiesNotes, refsShown } from './notes/copies.js'
import { emptyIndexNotes } from './notes/empty-index.js'
import { partiallyIndexedNotes } from './notes/partially-indexed.js'
import { knownSources } from './notes/unindexed-folders.js'
import { chooseSection, firstOf, type Stretch, sectionMiss, stretchOf } from './sections.js'
import { shareOneCall } from './shared-embedder.js'
import { chooseEmbedder } from './vectors.js'

export interface DocumentQuery {
  query: string
  /** Aliases or ids; none are all. */
  collections?: string[] | undefined
  /** A path inside them, and a heading inside that document. */
  document?: string | undefined
  section?: string | undefined
}

export interface SearchOptions {
  limit: number
  mode: Search['mode']
  maxDistance?: number | undefined
  /** Passages of this relevance come before all that have less. */
  threshold?: number | undefined
  maxTokens?: number | undefined
  /** What closes a text that was cut to the budget, and is counted in it. */
  ending?: ((passage: FoundPassage) => string) | undefined
  signal?: AbortSignal | undefined
}

export interface FoundPassage extends Hit {
  source: Source
}

export interface Passages {
  query: string
  passages: FoundPassage[]
  notes: Note[]
}

export async function searchDocuments(
  library: Library,
  query: DocumentQuery,
  options: SearchOptions,
): Promise<Passages | Miss> {
  const [answer] = await searchAll(library, [query], options)
  return answer!
}

/** Several questions for little more than the price of one: they share one call of the model and one look at the files. */
export async function searchAll(
  library: Library,
  queries: readonly DocumentQuery[],
  options: SearchOptions,
): Promise<(Passages | Miss)[]> {
  const sources = await knownSources(library)
  const { answer: answers, notes } = await answerWithFreshFiles(library, (showing) => {
    options.signal?.throwIfAborted()
    return round(library, sources, queries, options, (answer) => {
      if (!isMiss(answer)) showing(refsShown(answer.passages))
    })
  })
  if (notes.length === 0) return answers
  return answers.map((one) => (isMiss(one) ? one : { ...one, notes: [...one.notes, ...notes] }))
}

/** The answer is by words when the model takes longer than this. */
const deadlineMs = 6_000
const perDocument = 3

async function round(
  library: Library,
  sources: readonly Source[],
  queries: readonly DocumentQuery[],
  options: SearchOptions,
  onAnswer: (answer: Passages | Miss) => void,
): Promise<(Passages | Miss)[]> {
  const { embedder, notes } = await chooseEmbedder(library, { words: wordsSuffice(options) })
  const asked = queries.filter(({ query }) => query.trim() !== '').map(({ query }) => query)
  const shared = embedder && shareOneCall(embedder, asked)
  const store = queries.length > 1 ? library.store.withReadCache() : library.store
  return Promise.all(
    queries.map(async (query) => {
      const answer = await ask(library, { sources, store, embedder: shared, notes }, query, options)
      onAnswer(answer)
      return answer
    }),
  )
}

/** Whether a passage without a vector may be shown. */
function wordsSuffice({ mode, maxDistance }: SearchOptions): boolean {
  return mode !== 'vector' && maxDistance === undefined
}

interface Around {
  sources: readonly Source[]
  store: Store
  embedder: Embedder | null
  notes: Note[]
}

async function ask(
  library: Library,
  around: Around,
  query: DocumentQuery,
  options: SearchOptions,
): Promise<Passages | Miss> {
  const { limit, mode, maxDistance, threshold } = options
  if (query.query.trim() === '') return { miss: 'The query is empty. Say in words what to look for.' }
  const place = await placeOf(library, around.sources, query)
  if (isMiss(place)) return place
  const { notes, asked, ...where } = place
  const found = await retrieve(
    { store: around.store, embedder: around.embedder, reranker: library.reranker },
    { text: query.query, ...where, mode, limit, perDocument, threshold, maxDistance, deadlineMs },
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  const missing = await partiallyIndexedNotes(around.store, where.scope, found.hits)
  const index = await emptyIndexNotes(library, { isEmpty: found.hits.length === 0, asked })
  if (index[0]?.code === 'empty_index') return { miss: index[0].message }
  const told = { ...found, notes: [...found.notes, ...notes, ...index] }
  return toPassages({ ...around, missing }, query, told, options)
}

function toPassages(
  { sources, embedder, notes, missing }: Around & { missing: Note[] },
  { query }: DocumentQuery,
  found: Found,
  options: SearchOptions,
): Passages | Miss {
  const { maxDistance, maxTokens, ending } = options
  const byId = new Map(sources.map((source) => [source.id, source]))
  const passages = found.hits.flatMap((hit) => {
    const source = byId.get(hit.ref.source)
    return source ? [{ ...hit, source }] : []
  })
  if (passages.length === 0 && maxDistance !== undefined && !embedder)
    return { miss: 'No embedding model is set up, so there are no distances: search without maxDistance.' }
  const { fitting, notes: ofCut } = fit(passages, { asked: query, maxTokens, ending })
  const ofCopies = copiesNotes(fitting, sources)
  return { query, passages: fitting, notes: [...found.notes, ...notes, ...ofCut, ...ofCopies, ...missing] }
}

interface Place {
  scope: Scope
  part?: Part
  /** The sources that were named, by their ids; without them it is all. */
  asked?: string[]
  notes: Note[]
}

/** Where to look: before anything is ranked. */
async function placeOf(
  library: Library,
  all: readonly Source[],
  { collections = [], document, section }: DocumentQuery,
): Promise<Place | Miss> {
  const isLimited = collections.length > 0
  const sources = isLimited ? await findCollections(library, collections) : [...all]
  if (isMiss(sources)) return sources
  if (section !== undefined && document === undefined)
    return { miss: 'A section is looked for inside a document: name the document too.' }
  const asked = sources.map(({ id }) => id)
  if (document === undefined)
    return isLimited
      ? { scope: { sources: asked }, asked, notes: [] }
      : { scope: withoutSessions(all), notes: [] }
  const found = await openInAny(library, sources, document)
  if (isMiss(found)) return found
  const documents = found.map((one) => one.document)
  const scope = { documents: documents.map(({ ref }) => ref) }
  // What is found in documents is all that they have.
  if (section === undefined) return { scope, asked: [], notes: [] }
  const { part, notes } = await sectionsOf(library, documents, section)
  return part.size > 0
    ? { scope, part, asked: [], notes }
    : sectionMiss(documents[0]!.sections, section, document)
}

async function sectionsOf(
  { store }: Library,
  documents: readonly StoredDocument[],
  section: string,
): Promise<{ part: Part; notes: Note[] }> {
  const part = new Map<number, { chunk: StoredChunk; isWhole: boolean }>()
  const notes: Note[] = []
  for (const document of documents) {
    const chosen = chooseSection(document.sections, section)
    if (!chosen) continue
    if (chosen.more > 0) notes.push({ code: 'several_sections', message: `Section: ${firstOf(chosen)}` })
    const clip = clipper(document, stretchOf(document, chosen.place, true))
    for (const whole of await store.chunksOf(document.ref)) {
      const chunk = clip(whole)
      if (chunk) part.set(whole.id, { chunk, isWhole: chunk === whole })
    }
  }
  return { part, notes }
}

/** Cuts chunks to a stretch of their document: a chunk may hold small neighbours of a section too. */
function clipper({ text, sections }: StoredDocument, { start, end }: Stretch) {
  const starts = lineStarts(text)
  const paths = headingPaths(sections)
  return (chunk: StoredChunk): StoredChunk | null => {
    if (chunk.start >= start && chunk.end <= end) return chunk
    const [first, last] = [Math.max(chunk.start, start), Math.min(chunk.end, end)]
    const span = first < last ? trimmedSpan(text, starts, first, last) : null
    if (!span) return null
    const above = paths[sections.findLastIndex((section) => section.start <= span.start)] ?? []
    const headings = above.filter((heading) => heading !== '')
    return { ...chunk, ...span, headings, text: text.slice(span.start, span.end) }
  }
}
