// Search in guidelines, patterns and decisions: the one search, with its scope narrowed before anything is ranked.

import type { Hit } from '../../model/hit.js'
import { type Note, Problem } from '../../model/problem.js'
import { refKey } from '../../model/source.js'
import { search as retrieve } from '../../retrieve/search.js'
import { freshly } from '../freshly.js'
import type { Library } from '../library.js'
import { servingEmbedder } from '../meaning.js'
import { aboutUnread } from '../unread.js'
import { type ArchitectureDocument, architectureDocuments } from './documents.js'
import { noneIndexed } from './none-indexed.js'
import type { Kind } from './places.js'

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
  const { answer, notes } = await freshly(library, async (showing) => {
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
  const { embedder, notes } = await servingEmbedder(library)
  const found = await retrieve(
    { store: library.store, embedder },
    {
      text: query,
      scope: { documents: documents.map(({ ref }) => ref) },
      mode: 'hybrid',
      // All that match are counted, so all are asked for, whatever is shown.
      limit: Math.min(mostPassages, documents.length),
      perDocument: 1,
      copies: true,
      deadlineMs,
    },
  )
  for (const chunk of found.unembedded) library.wanted.add(chunk)
  const matches = byDocument(documents, found.hits)
  return {
    results: matches.slice(0, limit),
    total: matches.length,
    notes: [...found.notes, ...notes, ...(await aboutUnread(library))],
  }
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
