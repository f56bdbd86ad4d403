import type { Embedder } from '../embed/port.js'
import type { Explanation, Hit, Stage } from '../model/hit.js'
import { type Note, Problem } from '../model/problem.js'
import type { Filters, Scope } from '../model/scope.js'
import type { Source } from '../model/source.js'
import { search as retrieve } from '../retrieve/search.js'
import { didYouMean } from '../text/nearest.js'
import { answerWithFreshFiles } from './answer-with-fresh-files.js'
import type { Library } from './library.js'
import { withoutSessions } from './memory/sources.js'
import { isConverted } from './notes/converted.js'
import { copiesNotes, refsShown } from './notes/copies.js'
import { emptyIndexNotes, emptyIndexSentence } from './notes/empty-index.js'
import { emptyScopeNotes, filtersOf } from './notes/empty-scope.js'
import { lookForNewFiles } from './notes/new-files.js'
import { partiallyIndexedNotes } from './notes/partially-indexed.js'
import { knownSources } from './notes/unindexed-folders.js'
import { unsyncedPackages } from './notes/unsynced-packages.js'
import { collectionNamed } from './source-records.js'
import { chooseEmbedder } from './vectors.js'

export interface SearchRequest extends Filters {
  query: string
  /** Aliases, ids or titles. */
  collections?: string[]
  limit?: number
  maxTokens?: number
  mode?: 'text' | 'vector' | 'hybrid' | 'rerank'
  deadlineMs?: number
  explain?: boolean
  /** Look for files that were written since the last run, and tell of them: for a process that does not watch. */
  tellNew?: boolean
}

export interface SearchAnswer {
  query: string
  hits: SearchHit[]
  notes: Note[]
  stages: Stage[]
}

export interface SearchHit {
  collection: string
  document: string
  title: string
  heading: string | null
  lines: [number, number]
  /** Where the lines are those of the document's text, which was made from its file, and not of the file. */
  linesOf?: 'text'
  text: string
  score: number
  distance: number | null
  kind: string
  language: string | null
  symbols: string[]
  by: string
  /** From 1, of `chunks`. */
  chunk: number
  chunks: number
  /** The text was cut to fit the budget. */
  cut?: true
  explain?: Explanation
}

export async function search(library: Library, request: SearchRequest): Promise<SearchAnswer> {
  const sources = await knownSources(library)
  const { embedder, notes } =
    request.mode === 'text'
      ? { embedder: null, notes: [] }
      : await chooseEmbedder(library, { words: request.mode !== 'vector' })
  const ports = {
    store: library.store,
    embedder: embedder && once(embedder),
    reranker: library.reranker,
  }
  const scope = await scopeOf(library, sources, request)
  const newFiles = request.tellNew ? lookForNewFiles(library, request.collections && scope.sources) : null
  const rounds = roundsWithin(request.deadlineMs)
  const { answer: found, notes: ofFiles } = await answerWithFreshFiles(
    library,
    async (showing) => {
      const result = await retrieve(ports, {
        text: request.query,
        scope,
        mode: request.mode ?? 'hybrid',
        limit: request.limit ?? 10,
        perDocument: 3,
        maxTokens: request.maxTokens,
        deadlineMs: rounds.next(),
        explain: request.explain,
      })
      showing(refsShown(result.hits))
      return result
    },
    rounds.due,
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  const names = new Map(sources.map(({ id, name }) => [id, name]))
  return {
    query: request.query,
    hits: found.hits.map((hit) => toHit(hit, names.get(hit.ref.source) ?? hit.ref.source)),
    notes: [
      ...found.notes,
      ...notes,
      ...ofFiles,
      ...((await newFiles?.notes(found.hits.length === 0)) ?? []),
      ...copiesNotes(found.hits, sources),
      ...(await partiallyIndexedNotes(library.store, scope, found.hits)),
      ...(await aboutTheIndex(library, scope, {
        hits: found.hits.length,
        asked: request.collections && scope.sources,
      })),
    ],
    stages: [...found.stages, ...rounds.stages()],
  }
}

async function scopeOf(library: Library, sources: readonly Source[], request: SearchRequest): Promise<Scope> {
  const named = request.collections?.map(async (name) => (await sourceNamed(library, sources, name)).id)
  return {
    ...(named ? { sources: await Promise.all(named) } : withoutSessions(sources)),
    ...filtersOf(request),
  }
}

/** Every round asks about the same question. */
function once(embedder: Embedder): Embedder {
  let known: Float32Array[] | null = null
  return {
    ...embedder,
    async embed(texts, options) {
      known ??= await embedder.embed(texts, options)
      return known
    },
  }
}

/** A search that meets changed files is done again: all rounds share one deadline, and those before the last are told. */
function roundsWithin(deadlineMs = Number.POSITIVE_INFINITY) {
  const start = performance.now()
  let last: number | null = null
  return {
    due: start + deadlineMs,
    /** How long the round that starts now may take. */
    next(): number {
      last = last === null ? start : performance.now()
      return Math.max(0, start + deadlineMs - performance.now())
    },
    stages(): Stage[] {
      return last === null || last === start ? [] : [{ name: 'freshen', ms: last - start, state: 'ran' }]
    },
  }
}

function toHit(hit: Hit, collection: string): SearchHit {
  return {
    collection,
    document: hit.ref.path,
    title: hit.document.title,
    heading: hit.heading,
    lines: hit.lines,
    ...(isConverted(hit.document.format) ? { linesOf: 'text' } : {}),
    text: hit.text,
    score: round(hit.score),
    distance: hit.distance === null ? null : round(hit.distance),
    kind: hit.kind,
    language: hit.language,
    symbols: hit.symbols,
    by: hit.by,
    chunk: hit.index + 1,
    chunks: hit.document.chunkCount,
    ...(hit.cut ? { cut: true } : {}),
    ...(hit.explain ? { explain: hit.explain } : {}),
  }
}

/** A source by alias, id or title; a miss names the closest. */
async function sourceNamed(library: Library, sources: readonly Source[], name: string): Promise<Source> {
  const found = await collectionNamed(library, sources, name)
  if (found) return found
  const packages = await unsyncedPackages(library)
  const untaken = packages.find(({ alias }) => alias === name)
  if (untaken) throw new Problem('unknown_collection', untaken.sentence)
  const names = [...sources.map((source) => source.name), ...packages.map(({ alias }) => alias)]
  const hint =
    didYouMean(name, names) ??
    (names.length ? `There are: ${names.join(', ')}.` : await emptyIndexSentence(library))
  throw new Problem('unknown_collection', `There is no collection "${name}".`, hint)
}

/** Whether more could have been found: in an index that lacks something, or in a scope that has something in it. */
async function aboutTheIndex(
  library: Library,
  scope: Scope,
  { hits, asked }: { hits: number; asked: readonly string[] | undefined },
): Promise<Note[]> {
  const notes = await emptyIndexNotes(library, { isEmpty: hits === 0, asked })
  const isWhole = notes.every(({ code }) => code === 'skipped_files')
  return isWhole ? [...(await emptyScopeNotes(library.store, scope, hits)), ...notes] : notes
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
