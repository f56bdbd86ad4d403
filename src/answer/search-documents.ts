// Passages that answer questions, one question or several at once.

import type { StoredChunk, StoredDocument } from '../model/document.js'
import type { Hit } from '../model/hit.js'
import { type Note, Problem } from '../model/problem.js'
import {
  type DocumentKind,
  type DocumentScope,
  type FilterName,
  filterNames,
  type Scope,
} from '../model/scope.js'
import type { Format, Source } from '../model/source.js'
import { formatNames, languageNamed } from '../parse/formats.js'
import type { Part } from '../retrieve/words.js'
import { cleanPath } from '../text/glob.js'
import { lineStarts, trimmedSpan } from '../text/lines.js'
import { normalForms } from '../text/normal-forms.js'
import { headingPaths } from '../text/outline.js'
import { architectureDocuments } from './architecture/documents.js'
import { findCollections, openInAny } from './collections.js'
import { type FoundPassage, findEach, isMiss, type Miss, type PassageQuery } from './find-passages.js'
import type { Library } from './library.js'
import { discoveriesSource, now, sessionsSource } from './memory/records.js'
import { knownSources, withoutSessions } from './notes/index-state.js'
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
  filters?: Filters | undefined
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
  { signal: _, filters = {}, ...options }: SearchOptions,
): Promise<PassageQuery | Miss> {
  if (query.query.trim() === '') return { miss: 'The query is empty. Say in words what to look for.' }
  const place = await placeOf(library, sources, query)
  if (isMiss(place)) return place
  const scope = { ...place.scope, ...(await filterScope(library, filters)) }
  const isLimited = (query.collections ?? []).length > 0
  const weak = showsWeak(options.weak, filters, isLimited, query.document, options.maxDistance)
  return { ...options, ...place, scope, weak, text: query.query, perDocument }
}

type Place = Pick<PassageQuery, 'scope' | 'part' | 'namedSources' | 'notes'>

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
  const namedSources = sources.map(({ id }) => id)
  if (document === undefined)
    return isLimited ? { scope: { sources: namedSources }, namedSources } : { scope: withoutSessions(all) }
  const found = await openInAny(library, sources, document)
  if (isMiss(found)) return found
  const documents = found.map((one) => one.document)
  const scope = { documents: documents.map(({ ref }) => ref) }
  // Unread folders have no part in a search inside documents that are indexed.
  if (section === undefined) return { scope, namedSources: [] }
  const { part, notes } = await sectionsOf(library, documents, section)
  return part.size > 0
    ? { scope, part, namedSources: [], notes }
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

// --- The filters of every search, as tools, command line and library take them. They become part of the scope, so they
// apply before ranking.

type ListName = Exclude<FilterName, 'since'>

export type Filters = { [name in ListName]?: Scope[name] | undefined } & {
  kinds?: readonly DocumentKind[] | undefined
  /** A date, or an age such as `7d`. */
  since?: string | undefined
}

/**
 * Whether hits are shown even if none is relevant: if the caller wants that, or narrows the search. A filtered search
 * returns all that it finds, up to its limit.
 */
export function showsWeak(weak: boolean | undefined, ...filters: unknown[]): boolean | undefined {
  const isNarrowed = filters.some((given) =>
    given !== null && typeof given === 'object'
      ? Object.values(given).some((value) => value !== undefined)
      : given !== undefined && given !== false,
  )
  return weak ?? (isNarrowed || undefined)
}

/** The filters among the fields of a request. */
export function filtersIn(request: Filters): Filters {
  const names = [...filterNames, 'kinds'] as const
  return Object.fromEntries(
    names.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  )
}

/** Folders in each Unicode form, languages by their one name, a time as a number. */
export async function filterScope(library: Library, filters: Filters): Promise<Scope> {
  const { under, languages, kinds, since, ...rest } = filtersIn(filters)
  return {
    ...(rest as Scope),
    ...(under ? { under: under.map(cleanPath).flatMap(normalForms) } : {}),
    ...(languages ? { languages: languages.map(languageNamed) } : {}),
    ...(since === undefined ? {} : { since: timeOf(since, now(library)) }),
    ...(kinds ? { ofKinds: await ofKinds(library, kinds) } : {}),
  }
}

const codeFormats: readonly Format[] = ['code', 'notebook']
const textFormats = formatNames.filter((format) => !codeFormats.includes(format))
const memory = [discoveriesSource, sessionsSource]

/** Notes are those of the graph toolset and of the project's memory; docs are all other texts except decisions. */
async function ofKinds(library: Library, kinds: readonly DocumentKind[]): Promise<DocumentScope[]> {
  const [all, sources] = [await architectureDocuments(library), await knownSources(library)]
  const decisions = all.flatMap(({ kind, ref }) => (kind === 'adr' ? [ref] : []))
  const read = sources.map(({ id }) => id).filter((id) => !memory.includes(id))
  const scopes: Record<DocumentKind, DocumentScope[]> = {
    code: [{ formats: codeFormats }],
    docs: [{ sources: read, formats: textFormats, except: decisions }],
    notes: [{ sources: memory }, { formats: ['markdown'], except: decisions }],
    decisions: [{ documents: decisions }, { sources: [discoveriesSource], tags: ['discovery/decision'] }],
  }
  return kinds.flatMap((kind) => scopes[kind])
}

const unit = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

function timeOf(since: string, present: number): number {
  const written = since.trim()
  const [, count, letter] = /^(\d{1,5})\s*([hdw])$/i.exec(written) ?? []
  if (count) return present - Number(count) * unit[letter!.toLowerCase() as keyof typeof unit]
  const time = /^\d{4}-\d{2}/.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(time))
    throw new Problem(
      'invalid',
      `"${written.slice(0, 40)}" is no time.`,
      'Write since as a date (2026-11-01) or an age (12h, 7d, 2w).',
    )
  return time
}
