// What a project remembers, found by the one search: discoveries, sessions and code, scoped before ranking.

import { answerWithFreshFiles } from '../../answer/answer-with-fresh-files.js'
import type { Library } from '../../answer/library.js'
import { isoTime } from '../../answer/memory/clock.js'
import { allDiscoveries, type Discovery, discoveryKind } from '../../answer/memory/discoveries.js'
import { recordId, restoreMemory } from '../../answer/memory/memory.js'
import { type Session, sessionKind } from '../../answer/memory/session-record.js'
import { discoveriesSource, sessionsSource } from '../../answer/memory/sources.js'
import { convertedNotes, isConverted } from '../../answer/notes/converted.js'
import { copiesNotes, refsShown } from '../../answer/notes/copies.js'
import { emptyIndexSentence } from '../../answer/notes/empty-index.js'
import { unindexedFoldersNotes } from '../../answer/notes/unindexed-folders.js'
import { fileOf, moduleIn, placesWithin } from '../../answer/project-places.js'
import { chooseEmbedder } from '../../answer/vectors.js'
import type { DiscoveryType } from '../../model/discovery.js'
import type { Hit } from '../../model/hit.js'
import { type Note, Problem } from '../../model/problem.js'
import type { Ref, Scope, Source } from '../../model/source.js'
import { search as retrieve } from '../../retrieve/search.js'
import { characters, excerpt } from '../../text/excerpt.js'
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
  /** Of what is remembered: the collection in which the id names its document. */
  collection?: string
  /** Of code: where what is shown of it stands. A notebook's text has other lines than its file: none are given. */
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

/** The answer is by words when the model takes longer than this. */
const deadlineMs = 6_000
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
  await restoredOnce(library)
  const sources = await library.store.sources()
  const { answer, notes } = await answerWithFreshFiles(library, async (showing) => {
    signal?.throwIfAborted()
    const found = await round(library, sources, query)
    showing(refsShown(found.hits.slice(0, query.limit)))
    return found
  })
  signal?.throwIfAborted()
  const { hits, notes: said } = answer
  if (hits.length === 0) await refuseEmpty(library)
  const shown = await Promise.all(
    hits.slice(0, query.limit).map((hit) => shownHit(library, sources, query, hit)),
  )
  const results = shown.filter((one) => one !== null)
  return {
    results,
    query: query.query,
    totalFound: hits.length,
    searchTime: Math.round(performance.now() - start),
    notes: [
      ...said,
      ...notes,
      ...copiesNotes(hits.slice(0, query.limit), sources),
      ...convertedNotes(results.flatMap(({ file, lines }) => (file !== undefined && !lines ? [file] : []))),
      // Discoveries of one type are kept, not read from folders.
      ...(query.type === 'all' ? await unindexedFoldersNotes(library) : []),
      ...(hits.length === 0 ? await aboutModule(library, query.module) : []),
    ],
  }
}

async function round(library: Library, sources: readonly Source[], { query, type, module }: ContextQuery) {
  const { embedder, notes } = await chooseEmbedder(library)
  const found = await retrieve(
    { store: library.store, embedder },
    {
      text: query,
      scope: scopeOf(library, sources, type, module),
      mode: 'hybrid',
      limit: counted,
      perDocument,
      deadlineMs,
    },
  )
  for (const chunk of found.unembedded.slice(0, 20)) library.wanted.add(chunk)
  return { hits: statedOnce(found.hits), notes: [...found.notes, ...notes] }
}

// A discovery is shown whole, whichever part of it was found.
function statedOnce(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>()
  return hits.filter(({ ref: { source, path } }) => {
    if (source !== discoveriesSource) return true
    const first = !seen.has(path)
    seen.add(path)
    return first
  })
}

function scopeOf(
  library: Library,
  sources: readonly Source[],
  type: ContextQuery['type'],
  module: string | undefined,
): Scope {
  const name = moduleName(module)
  const narrowed = name === null ? {} : { modules: normalForms(name), within: placesWithin(library, sources) }
  if (type !== 'all') return { ...narrowed, sources: [discoveriesSource], tags: [`discovery/${type}`] }
  const others = sources.filter(({ kind }) => kind !== 'memory').map(({ id }) => id)
  return {
    ...narrowed,
    any: [
      { sources: [discoveriesSource, sessionsSource] },
      { sources: others, formats: ['code', 'notebook'] },
    ],
  }
}

/** Nothing is found where there is no such module; that would read as if nothing were known of it. */
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

async function refuseEmpty(library: Library) {
  const { documents } = await library.store.counts()
  if (documents > 0) return
  const problem = new Problem(
    'no_embeddings',
    'No embeddings found. Run initial session to generate context.',
    await emptyIndexSentence(library),
  )
  throw Object.assign(problem, { details: { fallback: 'Use grep_codebase for text search' } })
}

async function shownHit(
  library: Library,
  sources: readonly Source[],
  { query }: ContextQuery,
  hit: Hit,
): Promise<ContextHit | null> {
  const score = Math.round(hit.score * 10_000) / 10_000
  if (hit.ref.source === discoveriesSource) return shownDiscovery(library, hit, score)
  const { text, lines } = excerpt(hit, query, characters(mostContent), truncationMark)
  const content = text.trim()
  if (hit.ref.source === sessionsSource) return shownSession(library, hit.ref, { content, score })
  const source = sources.find(({ id }) => id === hit.ref.source)
  if (!source) return null
  const file = fileOf(library, source, hit.ref.path)
  return {
    id: file,
    type: 'code',
    content,
    module: moduleIn(library, source, hit.ref.path),
    session: null,
    date: await dateOf(library, hit.ref),
    score,
    source: 'code',
    file,
    ...(isConverted(hit.format) ? {} : { lines }),
  }
}

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

async function dateOf({ store }: Library, ref: Ref): Promise<string | null> {
  const { documents } = await store.documents({ documents: [ref] }, { offset: 0, limit: 1 })
  const changed = documents[0]?.stamp?.mtimeMs
  return changed === undefined ? null : isoTime(changed)
}

const restored = new WeakSet<object>()

/** After a rebuild the first search finds what is remembered, too. */
async function restoredOnce(library: Library) {
  if (restored.has(library)) return
  restored.add(library)
  const [{ bySource }, discoveries] = [await library.store.counts(), await allDiscoveries(library)]
  const documents = bySource[discoveriesSource]?.documents ?? 0
  if (documents < discoveries.length) await restoreMemory(library)
}
