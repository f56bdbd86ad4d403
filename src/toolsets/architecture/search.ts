// search-architecture: guidelines, patterns and decisions.

import {
  type ArchitectureDocument,
  architectureDocuments,
  namedAmong,
} from '../../answer/architecture/documents.js'
import { type Kind, noneIndexed } from '../../answer/architecture/places.js'
import { answerTimeMs, bestOfEachDocument, findPassages } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { type Filters, filterScope, showsWeak } from '../../answer/search-documents.js'
import type { Hit } from '../../model/hit.js'
import { type Note, Problem } from '../../model/problem.js'
import { refKey } from '../../model/source.js'
import { leastRelevance } from '../../retrieve/relevance.js'

export interface ArchitectureSearch {
  query: string
  /** Null: all kinds. */
  kind: Kind | null
  limit: number
  filters?: Filters
  /** Show documents even if none is relevant. */
  weak?: boolean | undefined
  signal?: AbortSignal
}

export interface FoundArchitecture {
  document: ArchitectureDocument
  score: number
  heading: string | null
  lines: [number, number]
  excerpt: string
}

export interface ArchitectureFindings {
  results: FoundArchitecture[]
  /** How many documents match, shown or not. */
  total: number
  notes: Note[]
}

export async function searchArchitecture(
  library: Library,
  request: ArchitectureSearch,
): Promise<ArchitectureFindings> {
  if (request.query.trim() === '')
    throw new Problem('invalid', 'The query is empty.', 'Say in words what to look for.')
  const { query, kind, limit, signal } = request
  const weak = showsWeak(request.weak, request.filters, kind ?? undefined)
  const start = performance.now()
  const documents = await documentsOf(library, kind)
  if (documents.length === 0) return { results: [], total: 0, notes: [await noneIndexed(library, kind)] }
  const filtered = await filterScope(library, request.filters ?? {})
  const look = (text: string, among: readonly ArchitectureDocument[]) =>
    findPassages(
      library,
      {
        text,
        scope: { documents: among.map(({ ref }) => ref), ...filtered },
        weak,
        mode: 'hybrid',
        // The answer counts all documents that match, so all are retrieved.
        limit: Math.min(mostPassages, among.length),
        perDocument: 1,
        copies: true,
        keep: matching,
        shown: limit,
      },
      { signal, deadlineMs: start + answerTimeMs - performance.now() },
    )
  const found = await look(query, documents)
  // The refresh may have changed titles and statuses, or removed a document.
  const current = await documentsOf(library, kind)
  const matches = resultsOf(current, matching(found.retrieved))
  const named = namedAmong(current, query)
  const isFirst = named === null || matches[0]?.document === named
  // A number says nothing about a record's subject. Its title does, so the title is searched for.
  const second = isFirst ? null : await look(named.title, [named])
  const [meant] = resultsOf(current, second?.passages ?? [])
  const all = meant ? inFront(meant, matches) : matches
  return {
    results: all.slice(0, limit),
    total: all.length,
    notes: [
      ...found.notes,
      ...(second?.notes ?? []),
      ...(named === null && kind !== 'patterns' && kind !== 'guidelines' ? noSuchDecision(query) : []),
    ],
  }
}

const mostPassages = 1_000

/** Every passage is near every question to some degree: one without a word of it must be more than that. */
function matching(hits: readonly Hit[]): Hit[] {
  return bestOfEachDocument(hits).filter(
    ({ by, relevance }) => by !== 'meaning' || relevance >= leastRelevance,
  )
}

async function documentsOf(library: Library, kind: Kind | null): Promise<ArchitectureDocument[]> {
  return (await architectureDocuments(library)).filter((one) => kind === null || one.kind === kind)
}

/** Says that no decision has the number: a reader might mistake a record that mentions it for the decision. */
function noSuchDecision(query: string): Note[] {
  const [, number] =
    /^(?:architecture:\/\/)?(?:adr|decision)s?[\s#/_-]*0*(\d{1,8})$/i.exec(query.trim()) ?? []
  return number ? [{ code: 'no_such_decision', message: `There is no decision ${number} here.` }] : []
}

/** Puts the record that the query names first; the others score no higher. */
function inFront(meant: FoundArchitecture, all: readonly FoundArchitecture[]): FoundArchitecture[] {
  const others = all.filter(({ document }) => document !== meant.document)
  return [meant, ...others.map((one) => ({ ...one, score: Math.min(one.score, meant.score) }))]
}

function resultsOf(documents: readonly ArchitectureDocument[], hits: readonly Hit[]): FoundArchitecture[] {
  const known = new Map(documents.map((one) => [refKey(one.ref), one]))
  return hits.flatMap(({ ref, score, heading, lines, text }) => {
    const document = known.get(refKey(ref))
    return document ? [{ document, score, heading, lines, excerpt: text }] : []
  })
}
