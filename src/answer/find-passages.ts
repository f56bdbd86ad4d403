// The one search behind every tool, the command line, the HTTP API and the page. A caller brings a scope and shows the hits
// in its own words; the choice of the embedder, the refresh of changed files, the deadline and the notes are the same for
// all.

import type { Embedder } from '../embed/port.js'
import type { DocumentSummary } from '../model/document.js'
import type { Found, Hit, Stage } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import { type Ref, refKey, type Source } from '../model/source.js'
import { search as retrieve, type Search } from '../retrieve/search.js'
import type { Store } from '../store/port.js'
import { titleFromPath } from '../text/title.js'
import type { Library } from './library.js'
import { refsShown, searchNotes } from './notes/answer-notes.js'
import { knownSources } from './notes/index-state.js'
import type { NewFiles } from './notes/new-files.js'
import { answerWithFreshFiles } from './refresh.js'
import { belowSuccessors } from './standing.js'
import { chooseEmbedder, shareOneCall } from './vectors.js'

export interface PassageQuery extends Omit<Search, 'deadlineMs'> {
  /** Ids of the sources that the user named. Undefined: all sources. Empty: no note about unread folders applies. */
  namedSources?: readonly string[] | undefined
  /** Chooses among the retrieved hits those that answer the question. Default: all. */
  keep?: ((hits: readonly Hit[]) => readonly Hit[]) | undefined
  /** Show hits even if none is relevant. */
  weak?: boolean | undefined
  /** How many of the kept hits are shown; the others are only counted. Default: all. */
  shown?: number | undefined
  /** Notes that the caller has on this query. */
  notes?: readonly Note[] | undefined
}

export interface FindOptions {
  /** The time for the whole answer. A search by meaning that takes longer gives way to words. */
  deadlineMs?: number | undefined
  signal?: AbortSignal | undefined
  /** A listing that looks for files that are not indexed yet, for a process that does not watch its folders. */
  newFiles?: NewFiles | undefined
}

/** A hit with its whole document (size, dates, tags, metadata) and its source, so that no caller looks them up. */
export interface FoundPassage extends Hit {
  document: DocumentSummary
  source: Source
}

export interface FoundPassages {
  /** The passages to show. */
  passages: FoundPassage[]
  /** How many hits were kept, shown or not. */
  total: number
  /** All hits, before `keep`. */
  retrieved: readonly Hit[]
  notes: Note[]
  stages: Stage[]
}

/** A name in the request is unknown; the sentence says so and names the closest. */
export interface Miss {
  miss: string
}

export function isMiss(value: object): value is Miss {
  return 'miss' in value
}

/** Less than the ten seconds that a tool call may take. */
export const answerTimeMs = 8_000
/** The part of the time for the first search. The rest is for the refresh of changed files and for searching again. */
export const firstSearchShare = 0.75

export async function findPassages(
  library: Library,
  query: PassageQuery,
  options: FindOptions = {},
): Promise<FoundPassages> {
  const [found] = await findEach<never>(library, [query.text], async () => query, options)
  return found!
}

/**
 * Answers several questions. They share one call of the model, one read cache and one refresh of changed files.
 * `queryFor` makes the query of a text, again after each refresh: a section may then have other chunks.
 */
export async function findEach<M extends Miss>(
  library: Library,
  texts: readonly string[],
  queryFor: (place: number) => Promise<PassageQuery | M>,
  { deadlineMs = answerTimeMs, signal, newFiles }: FindOptions = {},
): Promise<(FoundPassages | M)[]> {
  const rounds = roundsWithin(deadlineMs)
  const share = sharedEmbedder(texts)
  const { answer: answers, notes: staleNotes } = await answerWithFreshFiles(
    library,
    (reportShown) => {
      signal?.throwIfAborted()
      const msLeft = rounds.next()
      const store = texts.length > 1 ? library.store.withReadCache() : library.store
      return Promise.all(
        texts.map(async (_, place) => {
          const query = await queryFor(place)
          if (isMiss(query)) return query
          const found = await search(library, query, { store, share, msLeft })
          reportShown(refsShown([...found.retrieved.slice(0, query.shown), ...found.hits]))
          return { ...found, query }
        }),
      )
    },
    { due: rounds.due, newFiles },
  )
  signal?.throwIfAborted()
  const sources = await knownSources(library)
  return Promise.all(
    answers.map(async (answer) => {
      if (isMiss(answer)) return answer
      const { query, hits, total, retrieved, notes, stages } = answer
      const passages = await withDocuments(library, sources, hits)
      const isEmpty = passages.length === 0
      const newFilesNotes = (await newFiles?.notes(isEmpty)) ?? []
      const { scope, namedSources } = query
      const isSilent = notes.some(({ code }) => code === nothingRelevant)
      const more = await searchNotes(library, {
        ...{ sources, scope, namedSources, hits: passages },
        ...{ isEmpty, isSilent },
      })
      return {
        passages,
        total,
        retrieved,
        // An empty index explains an empty answer, so no other note is needed.
        notes: more.some(({ code }) => code === 'empty_index')
          ? more
          : [...notes, ...staleNotes, ...newFilesNotes, ...more],
        stages: [...stages, ...rounds.stages()],
      }
    }),
  )
}

/** The best hit of each document, for searches that look for documents. */
export function bestOfEachDocument(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>()
  return hits.filter(({ ref }) => {
    const key = refKey(ref)
    return !seen.has(key) && seen.add(key)
  })
}

/** A document or source that was deleted in the meantime is left out. */
async function withDocuments(
  { store }: Library,
  sources: readonly Source[],
  hits: readonly Hit[],
): Promise<FoundPassage[]> {
  if (hits.length === 0) return []
  const refs = hits.map(({ ref }) => ref)
  const { documents } = await store.documents({ documents: refs }, { offset: 0, limit: refs.length })
  const byRef = new Map(documents.map((document) => [refKey(document.ref), document]))
  const byId = new Map(sources.map((source) => [source.id, source]))
  return titled(
    hits.flatMap((hit) => {
      const [document, source] = [byRef.get(refKey(hit.ref)), byId.get(hit.ref.source)]
      return document && source ? [{ ...hit, document, source }] : []
    }),
  )
}

interface Round {
  store: Store
  share: (embedder: Embedder) => Embedder
  msLeft: number
}

async function search(
  library: Library,
  query: PassageQuery,
  { store, share, msLeft }: Round,
): Promise<Omit<FoundPassages, 'passages'> & { hits: readonly Hit[] }> {
  const { keep = (hits) => hits, shown, notes = [], namedSources: _, weak, ...rest } = query
  const { embedder, notes: embedderNotes } = await embedderFor(library, query)
  const ports = { store, embedder: embedder && share(embedder), reranker: library.reranker }
  const start = performance.now()
  const first = await retrieve(ports, { ...rest, deadlineMs: msLeft })
  const ask = async (documents: readonly Ref[]) => {
    // Reranking judges a passage by the others in its list, so among these few it would say something else.
    const mode = rest.mode === 'rerank' ? 'hybrid' : rest.mode
    const options = { ...rest, mode, scope: { documents }, limit: documents.length, perDocument: 1 }
    const left = msLeft - (performance.now() - start)
    return (await retrieve(ports, { ...options, maxTokens: undefined, part: undefined, deadlineMs: left }))
      .hits
  }
  const { hits: ranked, notesOn } = await belowSuccessors(library, first.hits, ask, (documents) =>
    addable(store, query, documents),
  )
  const found = relevantOnly({ ...first, hits: ranked }, weak ?? library.settings.showWeak ?? false)
  for (const chunk of found.unembedded.slice(0, shown)) library.wanted.add(chunk)
  const hits = keep(found.hits)
  return {
    hits: hits.slice(0, shown),
    total: hits.length,
    retrieved: found.hits,
    notes: [...found.notes, ...notesOn(hits.slice(0, shown)), ...notes, ...embedderNotes],
    stages: found.stages,
  }
}

/** Which documents a search may show besides its hits: those in its scope, where no chunk is left out and no text cut. */
async function addable(store: Store, { scope, part, maxTokens }: PassageQuery, documents: readonly Ref[]) {
  if (part || maxTokens !== undefined || scope.documents || scope.kinds || scope.languages) return []
  return (await store.documents({ ...scope, documents }, { offset: 0, limit: documents.length })).documents
}

const nothingRelevant = 'nothing_relevant'

/** An answer without anything relevant is empty and says so: reading the nearest passages would be a waste. */
function relevantOnly(found: Found, weak: boolean): Found {
  if (weak || found.hits.length === 0 || !found.isWeak) return found
  const best = found.hits[0]!.score
  const message = `Nothing relevant found: the best of ${found.hits.length} passages has a score of ${best.toFixed(2)}. Ask with weak to see them.`
  return {
    ...found,
    hits: [],
    unembedded: [],
    notes: [...found.notes, { code: nothingRelevant, message }],
  }
}

async function embedderFor(library: Library, { mode, maxDistance }: PassageQuery) {
  if (mode === 'text') return { embedder: null, notes: [] }
  return chooseEmbedder(library, { words: mode !== 'vector' && maxDistance === undefined })
}

/** Wraps an embedder so that the texts are embedded once, in one call, however many rounds there are. */
function sharedEmbedder(texts: readonly string[]): (embedder: Embedder) => Embedder {
  const queries = texts.filter((text) => text.trim() !== '')
  const wrapped = new Map<string, Embedder>()
  return (embedder) => {
    const known = wrapped.get(embedder.model) ?? shareOneCall(embedder, queries)
    wrapped.set(embedder.model, known)
    return known
  }
}

/** One deadline for all rounds. The rounds before the last one are reported as the stage "freshen". */
function roundsWithin(deadlineMs: number) {
  const start = performance.now()
  const due = start + deadlineMs
  let last: number | null = null
  return {
    due,
    /** Begins a round and returns how long it may take. */
    next(): number {
      const isFirst = last === null
      last = isFirst ? start : performance.now()
      return isFirst ? deadlineMs * firstSearchShare : Math.max(0, due - last)
    },
    stages(): Stage[] {
      return last === null || last === start ? [] : [{ name: 'freshen', ms: last - start, state: 'ran' }]
    },
  }
}

// --- Titles in one answer distinguish its documents: two with the same title get their files' names, and a file with a
// generic name gets its folder's, too.

interface Titled {
  document: DocumentSummary
}

export function titled<T extends Titled>(passages: readonly T[]): T[] {
  const documents = new Map(passages.map(({ document }) => [refKey(document.ref), document]))
  const count = new Map<string, number>()
  for (const { title } of documents.values()) count.set(title, (count.get(title) ?? 0) + 1)
  return passages.map((one) => {
    const { document } = one
    const title = titleFor(document, count.get(document.title)! > 1)
    return title === document.title ? one : { ...one, document: { ...document, title } }
  })
}

/** Names that every folder may have: `auth/index.ts`. */
const common =
  /^(?:index|main|mod|lib|init|__init__|__main__|app|types|utils|util|page|route|layout|setup)\.\w+$/i

function titleFor({ ref: { path }, title, format }: DocumentSummary, isShared: boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (title === name) return isShared || common.test(name) ? path.split('/').slice(-2).join('/') : title
  // A page is named by its file, with its written title beside that.
  if (!isShared || format === 'code' || format === 'data') return title
  const called = titleFromPath(path)
  return called.toLowerCase() === title.toLowerCase() ? path : `${called} (${title})`
}
