// context_search: discoveries, sessions and code, ranked together.

import { bestOfEachDocument, type FoundPassage, findPassages } from '../../answer/find-passages.js'
import { fileOf, type Library, libraryState, moduleIn, placeOf, placesWithin } from '../../answer/library.js'
import { recordId, restoreMemory } from '../../answer/memory/memory.js'
import {
  allDiscoveries,
  type Discovery,
  discoveriesSource,
  discoveryKind,
  isoTime,
  type Session,
  sessionKind,
  sessionsSource,
} from '../../answer/memory/records.js'
import { convertedNotes } from '../../answer/notes/answer-notes.js'
import { knownFile, rootOf, symbolsOf } from '../../answer/project-texts.js'
import { type Filters, filterScope, showsWeak } from '../../answer/search-documents.js'
import type { DiscoveryType } from '../../model/discovery.js'
import type { Hit } from '../../model/hit.js'
import { type Note, Problem } from '../../model/problem.js'
import type { Scope } from '../../model/scope.js'
import type { Ref, Source } from '../../model/source.js'
import { enclosing } from '../../parse/file-symbols.js'
import { hasConvertedLines } from '../../parse/formats.js'
import { characters, excerpt } from '../../text/excerpt.js'
import { linesOf } from '../../text/lines.js'
import { moduleName } from '../../text/module.js'
import { didYouMean } from '../../text/nearest.js'
import { normalForms } from '../../text/normal-forms.js'
import { truncationMark } from '../../text/truncate.js'
import { moduleNames } from './overview.js'
import { type Sitting, touch } from './sessions.js'

export interface ContextQuery {
  query: string
  type: DiscoveryType | 'all'
  module?: string | undefined
  limit: number
  filters?: Filters
  /** Show hits even if none is relevant. */
  weak?: boolean | undefined
}

export interface ContextHit {
  id: string
  type: DiscoveryType | 'session' | 'code'
  content: string
  module: string | null
  session: string | null
  date: string | null
  score: number
  source: 'discovery' | 'session' | 'code'
  /** For discoveries and sessions: the collection in which the id names a document. */
  collection?: string
  /**
   * For code: the file, and in `lines` the lines shown. A notebook has none, since its text has other lines than its file.
   */
  file?: string
  lines?: [number, number]
  /** The id of the newer discovery that replaced it. */
  supersededBy?: string
}

export interface ContextAnswer {
  results: ContextHit[]
  query: string
  /** Passages that a larger limit would show, up to a hundred. */
  totalFound: number
  /** Milliseconds. */
  searchTime: number
  notes: Note[]
}

/** So many passages are counted, and few of them shown. */
const counted = 100
const perDocument = 2
const mostContent = 600

export async function searchContext(
  library: Library,
  query: ContextQuery,
  sitting: Sitting = {},
  signal?: AbortSignal,
): Promise<ContextAnswer> {
  const start = performance.now()
  touch(library, sitting)
  await restoreOnce(library)
  const sources = await library.store.sources()
  const { type, limit } = query
  const { passages, total, notes } = await findPassages(
    library,
    {
      text: query.query,
      scope: {
        ...scopeOf(library, sources, type, query.module),
        ...(await filterScope(library, query.filters ?? {})),
      },
      weak: showsWeak(query.weak, query.filters, query.module, type !== 'all'),
      mode: 'hybrid',
      limit: counted,
      perDocument,
      keep: statedOnce,
      shown: limit,
      // Discoveries are recorded, not read from folders: an unread folder lacks none of them.
      namedSources: type === 'all' ? undefined : [],
    },
    { signal },
  )
  refuseEmptyIndex(notes)
  const shown = await Promise.all(passages.map((passage) => shownHit(library, query, passage)))
  const results = shown.filter((one) => one !== null)
  return {
    results,
    query: query.query,
    totalFound: total,
    searchTime: Math.round(performance.now() - start),
    notes: [
      ...notes,
      ...convertedNotes(results.flatMap(({ file, lines }) => (file !== undefined && !lines ? [file] : []))),
      ...(total === 0 ? await aboutModule(library, query.module) : []),
    ],
  }
}

/** A discovery is shown whole, so one passage of it is enough. */
function statedOnce(hits: readonly Hit[]): Hit[] {
  const isDiscovery = ({ ref }: Hit) => ref.source === discoveriesSource
  const best = new Set(bestOfEachDocument(hits.filter(isDiscovery)))
  return hits.filter((hit) => !isDiscovery(hit) || best.has(hit))
}

function scopeOf(
  library: Library,
  sources: readonly Source[],
  type: ContextQuery['type'],
  module: string | undefined,
): Scope {
  const name = moduleName(module)
  const narrowed = name === null ? {} : { modules: normalForms(name), within: placesWithin(library, sources) }
  // Inside `any`, so that no note speaks of a tag that the user did not name.
  if (type !== 'all')
    return { ...narrowed, any: [{ sources: [discoveriesSource], tags: [`discovery/${type}`] }] }
  const others = sources.filter(({ kind }) => kind !== 'memory').map(({ id }) => id)
  return {
    ...narrowed,
    any: [
      { sources: [discoveriesSource, sessionsSource] },
      { sources: others, formats: ['code', 'notebook'] },
    ],
  }
}

/** Says that no module has the given name. An empty answer alone would mean that nothing is known about the module. */
async function aboutModule(library: Library, given: string | undefined): Promise<Note[]> {
  const name = moduleName(given)
  if (name === null) return []
  const sources = await library.store.sources()
  const scope = { modules: normalForms(name), within: placesWithin(library, sources) }
  const { total } = await library.store.documents(scope, { offset: 0, limit: 1 })
  if (total > 0) return []
  const names = await moduleNames(library)
  const known = names.length > 0 ? `There are: ${names.slice(0, mostModules).join(', ')}.` : ''
  const message = `There is no module "${name}". ${didYouMean(name, names) ?? known}`.trim()
  return [{ code: 'no_module', message }]
}

const mostModules = 20

function refuseEmptyIndex(notes: readonly Note[]) {
  const empty = notes.find(({ code }) => code === 'empty_index')
  if (!empty) return
  const problem = new Problem(
    'no_embeddings',
    'No embeddings found. Run initial session to generate context.',
    empty.message,
  )
  throw Object.assign(problem, { details: { fallback: 'Use grep_codebase for text search' } })
}

async function shownHit(
  library: Library,
  { query }: ContextQuery,
  hit: FoundPassage,
): Promise<ContextHit | null> {
  const score = Math.round(hit.score * 10_000) / 10_000
  if (hit.ref.source === discoveriesSource) return shownDiscovery(library, hit, score)
  const whole = await wholeFunction(library, hit)
  const { text, lines } = whole ?? excerpt(hit, query, characters(mostContent), truncationMark)
  const content = text.trim()
  if (hit.ref.source === sessionsSource) return shownSession(library, hit.ref, { content, score })
  const { source } = hit
  const file = fileOf(library, source, hit.ref.path)
  return {
    id: file,
    type: 'code',
    content,
    module: moduleIn(library, source, hit.ref.path),
    session: null,
    date: dateOf(hit),
    score,
    source: 'code',
    file,
    ...(hasConvertedLines(hit.document.format) ? {} : { lines }),
  }
}

/** The function around a hit in code, if it has at most 60 lines: a snippet often ends one line before the answer. */
async function wholeFunction(
  library: Library,
  { source, ref, lines, document }: FoundPassage,
): Promise<{ text: string; lines: [number, number] } | null> {
  if (document.format !== 'code' || placeOf(library, source) === null) return null
  const file = knownFile(rootOf(library), fileOf(library, source, ref.path))
  const symbols = file ? (await symbolsOf(library, file)).symbols : []
  const around = enclosing(symbols, lines[0])
  if (!file || !around || around.endLine < lines[1] || around.endLine - around.line >= wholeLines) return null
  const text = linesOf(file.text)
    .slice(around.line - 1, around.endLine)
    .join('\n')
  return { text, lines: [around.line, around.endLine] }
}

const wholeLines = 60

type Shown = Pick<ContextHit, 'content' | 'score'>

async function shownDiscovery({ store }: Library, hit: Hit, score: number): Promise<ContextHit | null> {
  const found = await store.records.get<Discovery>(discoveryKind, recordId(hit.ref.path))
  if (!found) return null
  const { id, type, content, module, session, updatedAt, supersededBy } = found
  return {
    ...{ id, type, content, module, session, date: updatedAt, score },
    source: 'discovery',
    collection: discoveriesSource,
    ...(supersededBy && { supersededBy }),
  }
}

async function shownSession({ store }: Library, { path }: Ref, shown: Shown): Promise<ContextHit | null> {
  const found = await store.records.get<Session>(sessionKind, recordId(path))
  if (!found) return null
  const { id, startedAt } = found
  return {
    ...{ id, type: 'session', content: shown.content, module: null, session: id },
    date: isoTime(startedAt),
    score: shown.score,
    source: 'session',
    collection: sessionsSource,
  }
}

function dateOf({ document }: Hit): string | null {
  const changed = document.stamp?.mtimeMs
  return changed === undefined ? null : isoTime(changed)
}

const restoration = libraryState('memory restored', () => ({ isDone: false }))

/** Restores the documents of discoveries before the first search, in case the index was rebuilt. */
async function restoreOnce(library: Library) {
  const once = restoration(library)
  if (once.isDone) return
  once.isDone = true
  const [{ bySource }, discoveries] = [await library.store.counts(), await allDiscoveries(library)]
  const documents = bySource[discoveriesSource]?.documents ?? 0
  if (documents < discoveries.length) await restoreMemory(library)
}
