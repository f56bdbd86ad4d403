// Passages that answer questions, one question or several at once.
import type { StoredChunk, StoredDocument } from '../model/document.js'
import type { Hit } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import type { Source } from '../model/source.js'
import type { Part } from '../retrieve/words.js'
import { lineStarts, trimmedSpan } from '../text/lines.js'
import { headingPaths } from '../text/outline.js'
import { findCollections, isMiss, type Miss, openInAny } from './collections.js'
import { type FoundPassage, findEach, type PassageQuery } from './find-passages.js'
import type { Library } from './library.js'
import { withoutSessions } from './memory/records.js'
import { type Narrowing, narrowedTo, showsWeak } from './narrowing.js'
import { knownSources } from './notes/index-state.js'
import { chooseSection, firstOf, type Stretch, sectionMiss, stretchOf } from './sections.js'

export interface DocumentQuery {
  query: string
  /** Aliases or ids; none are all. */
  collections?: string[] | undefined
  /** A path inside them, and a heading inside that document. */
  document?: string | undefined
  section?: string | undefined
}

export interface SearchOptions
  extends Pick<
    PassageQuery,
    'limit' | 'mode' | 'maxDistance' | 'threshold' | 'maxTokens' | 'ending' | 'keep' | 'weak'
  > {
  /** What narrows the search, besides collections and document. */
  narrowing?: Narrowing | undefined
  signal?: AbortSignal | undefined
}

export interface Passages {
  query: string
  passages: FoundPassage[]
  /** All hits, before `keep`. */
  retrieved: readonly Hit[]
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

/** Several questions for little more than the price of one. */
export async function searchAll(
  library: Library,
  queries: readonly DocumentQuery[],
  options: SearchOptions,
): Promise<(Passages | Miss)[]> {
  const sources = await knownSources(library)
  const answers = await findEach<Miss>(
    library,
    queries.map(({ query }) => query),
    (place) => passageQuery(library, sources, queries[place]!, options),
    { signal: options.signal },
  )
  return answers.map((answer, i) => {
    if (isMiss(answer)) return answer
    const { passages, retrieved, notes } = answer
    const empty = notes.find(({ code }) => code === 'empty_index')
    if (empty) return { miss: empty.message }
    if (retrieved.length === 0 && options.maxDistance !== undefined && !library.embedder)
      return { miss: 'No embedding model is set up, so there are no distances: search without maxDistance.' }
    return { query: queries[i]!.query, passages, retrieved, notes }
  })
}

const perDocument = 3

async function passageQuery(
  library: Library,
  sources: readonly Source[],
  query: DocumentQuery,
  { signal: _, narrowing = {}, ...options }: SearchOptions,
): Promise<PassageQuery | Miss> {
  if (query.query.trim() === '') return { miss: 'The query is empty. Say in words what to look for.' }
  const place = await placeOf(library, sources, query)
  if (isMiss(place)) return place
  const scope = { ...place.scope, ...(await narrowedTo(library, narrowing)) }
  const isLimited = (query.collections ?? []).length > 0
  const weak = showsWeak(options.weak, narrowing, isLimited, query.document, options.maxDistance)
  return { ...options, ...place, scope, weak, text: query.query, perDocument }
}

type Place = Pick<PassageQuery, 'scope' | 'part' | 'askedSources' | 'notes'>

/** The scope of a question: collections, documents, or a section. */
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
  const askedSources = sources.map(({ id }) => id)
  if (document === undefined)
    return isLimited ? { scope: { sources: askedSources }, askedSources } : { scope: withoutSessions(all) }
  const found = await openInAny(library, sources, document)
  if (isMiss(found)) return found
  const documents = found.map((one) => one.document)
  const scope = { documents: documents.map(({ ref }) => ref) }
  // Unread folders have no part in a search inside documents that are indexed.
  if (section === undefined) return { scope, askedSources: [] }
  const { part, notes } = await sectionsOf(library, documents, section)
  return part.size > 0
    ? { scope, part, askedSources: [], notes }
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
