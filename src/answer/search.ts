import type { Explanation, Stage } from '../model/hit.js'
import { type Note, Problem } from '../model/problem.js'
import type { Source } from '../model/source.js'
import { hasConvertedLines } from '../parse/formats.js'
import { didYouMean } from '../text/nearest.js'
import { unsyncedPackages } from './configured-packages.js'
import { type FoundPassage, findPassages } from './find-passages.js'
import type { Library } from './library.js'
import { emptyIndexSentence, knownSources, withoutSessions } from './notes/index-state.js'
import { lookForNewFiles } from './notes/new-files.js'
import { type Filters, filterScope, filtersIn, showsWeak } from './search-documents.js'
import { collectionNamed } from './source-records.js'

export interface SearchRequest extends Filters {
  query: string
  /** Aliases, ids or titles. */
  collections?: string[]
  /** Show passages even if none is relevant. */
  weak?: boolean
  limit?: number
  maxTokens?: number
  mode?: 'text' | 'vector' | 'hybrid' | 'rerank'
  /** The time for the whole answer: eight seconds unless given. */
  deadlineMs?: number
  explain?: boolean
  /** Looks for files that were written since the last run, for a process that does not watch its folders. */
  lookForNew?: boolean
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
  /** Of a decision or discovery that no longer holds, with the documents that took its place. */
  standing?: { status: string; supersededBy: string[] }
  /** The text was cut to fit the budget. */
  cut?: true
  explain?: Explanation
}

/** The search of the command line and of the public library (`src/index.ts`). */
export async function search(library: Library, request: SearchRequest): Promise<SearchAnswer> {
  const { query, mode = 'hybrid', limit = 10, maxTokens, explain, deadlineMs } = request
  const sources = await knownSources(library)
  const { collections } = request
  const named = collections?.map(async (name) => (await sourceNamed(library, sources, name)).id)
  const namedSources = named && (await Promise.all(named))
  const filters = filtersIn(request)
  const within = namedSources ? { sources: namedSources } : withoutSessions(sources)
  const scope = { ...within, ...(await filterScope(library, filters)) }
  const weak = showsWeak(request.weak, { collections, ...filters })
  const { passages, notes, stages } = await findPassages(
    library,
    { text: query, scope, mode, limit, perDocument: 3, maxTokens, explain, weak, namedSources },
    { deadlineMs, newFiles: request.lookForNew ? lookForNewFiles(library, namedSources) : undefined },
  )
  return { query, hits: passages.map(toHit), notes, stages }
}

function toHit(hit: FoundPassage): SearchHit {
  return {
    collection: hit.source.name,
    document: hit.ref.path,
    title: hit.document.title,
    heading: hit.heading,
    lines: hit.lines,
    ...(hasConvertedLines(hit.document.format) ? { linesOf: 'text' } : {}),
    text: hit.text,
    score: round(hit.score),
    distance: hit.distance === null ? null : round(hit.distance),
    kind: hit.kind,
    language: hit.language,
    symbols: hit.symbols,
    by: hit.by,
    chunk: hit.index + 1,
    chunks: hit.document.chunkCount,
    ...(hit.standing
      ? {
          standing: {
            status: hit.standing.status,
            supersededBy: hit.standing.successors.map(({ path }) => path),
          },
        }
      : {}),
    ...(hit.cut ? { cut: true } : {}),
    ...(hit.explain ? { explain: hit.explain } : {}),
  }
}

/** A source by alias, id or title; a miss names the closest. */
async function sourceNamed(library: Library, sources: readonly Source[], name: string): Promise<Source> {
  const found = await collectionNamed(library, sources, name)
  if (found) return found
  const packages = await unsyncedPackages(library)
  const unsynced = packages.find(({ alias }) => alias === name)
  if (unsynced) throw new Problem('unknown_collection', unsynced.sentence)
  const names = [...sources.map((source) => source.name), ...packages.map(({ alias }) => alias)]
  const hint =
    didYouMean(name, names) ??
    (names.length ? `There are: ${names.join(', ')}.` : await emptyIndexSentence(library))
  throw new Problem('unknown_collection', `There is no collection "${name}".`, hint)
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
