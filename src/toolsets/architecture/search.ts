// Search in guidelines, patterns and decisions: the one search, with its scope narrowed before anything is ranked.

import { answerWithFreshFiles } from '../../answer/answer-with-fresh-files.js'
import {
  type ArchitectureDocument,
  architectureDocuments,
  namedAmong,
} from '../../answer/architecture/documents.js'
import { noneIndexed } from '../../answer/architecture/none-indexed.js'
import type { Kind } from '../../answer/architecture/places.js'
import type { Library } from '../../answer/library.js'
import { unindexedFoldersNotes } from '../../answer/notes/unindexed-folders.js'
import { chooseEmbedder } from '../../answer/vectors.js'
import type { Hit } from '../../model/hit.js'
import { type Note, Problem } from '../../model/problem.js'
import { refKey } from '../../model/source.js'
import { search as retrieve } from '../../retrieve/search.js'

export interface ArchitectureSearch {
  query: string
  /** Null: all kinds. */
  kind: Kind | null
  limit: number
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
  const { answer, notes } = await answerWithFreshFiles(library, async (showing) => {
    request.signal?.throwIfAborted()
    const found = await round(library, request)
    showing(found.results.map(({ document }) => document.ref))
    return found
  })
  return { ...answer, notes: [...answer.notes, ...notes] }
}

const deadlineMs = 6_000
const mostPassages = 1_000
// Every passage is near every question to some degree. Below this, what shares no word with it is no match.
const leastRelevance = 0.05

async function round(
  library: Library,
  { query, kind, limit }: ArchitectureSearch,
): Promise<ArchitectureFindings> {
  const documents = (await architectureDocuments(library)).filter((one) => kind === null || one.kind === kind)
  if (documents.length === 0) return { results: [], total: 0, notes: [await noneIndexed(library, kind)] }
  const { embedder, notes } = await chooseEmbedder(library)
  const look = async (text: string, among: readonly ArchitectureDocument[]) => {
    const found = await retrieve(
      { store: library.store, embedder },
      {
        text,
        scope: { documents: among.map(({ ref }) => ref) },
        mode: 'hybrid',
        // All that match are counted, so all are asked for, whatever is shown.
        limit: Math.min(mostPassages, among.length),
        perDocument: 1,
        copies: true,
        deadlineMs,
      },
    )
    for (const chunk of found.unembedded) library.wanted.add(chunk)
    return { matches: byDocument(among, found.hits), notes: found.notes }
  }
  const found = await look(query, documents)
  const named = namedAmong(documents, query)
  const isFirst = named === null || found.matches[0]?.document === named
  // A number tells nothing of what a record is about. Its title does, and by that it is looked for.
  const [meant] = isFirst ? [] : (await look(named.title, [named])).matches
  const matches = meant ? inFront(meant, found.matches) : found.matches
  return {
    results: matches.slice(0, limit),
    total: matches.length,
    notes: [
      ...found.notes,
      ...notes,
      ...(named === null && kind !== 'patterns' && kind !== 'guidelines' ? noSuchDecision(query) : []),
      ...(await unindexedFoldersNotes(library)),
    ],
  }
}

/** Other records mention numbers, and would pass for what was asked for. */
function noSuchDecision(query: string): Note[] {
  const [, number] =
    /^(?:architecture:\/\/)?(?:adr|decision)s?[\s#/_-]*0*(\d{1,8})$/i.exec(query.trim()) ?? []
  return number ? [{ code: 'no_such_decision', message: `There is no decision ${number} here.` }] : []
}

/** The others are no more relevant than what was asked for by its name. */
function inFront(meant: FoundArchitecture, all: readonly FoundArchitecture[]): FoundArchitecture[] {
  const others = all.filter(({ document }) => document !== meant.document)
  return [meant, ...others.map((one) => ({ ...one, score: Math.min(one.score, meant.score) }))]
}

function byDocument(documents: readonly ArchitectureDocument[], hits: readonly Hit[]): FoundArchitecture[] {
  const known = new Map(documents.map((one) => [refKey(one.ref), one]))
  const results: FoundArchitecture[] = []
  for (const { ref, score, by, heading, lines, text } of hits) {
    const key = refKey(ref)
    const document = known.get(key)
    if (!document || (by === 'meaning' && score < leastRelevance)) continue
    known.delete(key)
    results.push({ document, score, heading, lines, excerpt: text })
  }
  return results
}
