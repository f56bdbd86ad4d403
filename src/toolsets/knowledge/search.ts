// One search, in the words of the knowledge toolset.

import { isMiss } from '../../answer/collections.js'
import { documentIdOf } from '../../answer/document-ids.js'
import type { FoundPassage } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { searchDocuments } from '../../answer/search-documents.js'
import { sourceOf } from '../../answer/source-records.js'
import type { Hit } from '../../model/hit.js'
import { Problem } from '../../model/problem.js'
import { pageWith } from '../../text/pages.js'
import { isStopWord, terms } from '../../text/terms.js'
import { combine, recordOf } from './describe.js'

export interface KnowledgeQuery {
  query: string
  source?: string | undefined
  limit: number
  mode: 'vector' | 'hybrid' | 'rerank'
  /** The least calibrated relevance of a row. */
  threshold: number
  signal?: AbortSignal | undefined
}

export interface KnowledgeHit extends Hit {
  documentId: string
  chunk: string
  url: string | null
  /** From 1, where the document has pages. */
  page: number | null
}

export interface KnowledgeAnswer {
  hits: KnowledgeHit[]
  notes: string[]
}

export async function searchKnowledge(library: Library, asked: KnowledgeQuery): Promise<KnowledgeAnswer> {
  const { query, source, limit, mode, threshold, signal } = asked
  if (query.trim() === '')
    throw new Problem(
      'empty_query',
      'The query is empty.',
      "Say in words what to look for: query='retry budget'.",
    )
  const scope = source === undefined ? {} : { collections: [(await sourceOf(library, source)).id] }
  const keep = (hits: readonly Hit[]) => hits.filter(({ score }) => score >= threshold)
  const found = await searchDocuments(library, { query, ...scope }, { limit, mode, threshold, keep, signal })
  // A source or an index without documents is no failure of the search.
  if (isMiss(found)) return { hits: [], notes: [found.miss] }
  const { passages, retrieved, notes } = found
  return {
    hits: await Promise.all(passages.map((passage) => toHit(library, passage, query))),
    notes: [
      ...new Set(notes.map(({ message }) => message)),
      ...(passages.length === 0 ? leftOut(retrieved) : []),
    ],
  }
}

async function toHit(
  library: Library,
  { source: _, ...hit }: FoundPassage,
  query: string,
): Promise<KnowledgeHit> {
  const documentId = documentIdOf(hit.ref)
  const { url } = combine(hit.ref, await recordOf(library, hit.ref), null)
  return { ...hit, documentId, chunk: `${documentId}#${hit.index}`, url, page: pageOf(hit, query) }
}

/** The page that answers: a passage may run over several. */
function pageOf({ document, lines, text }: Hit, query: string): number | null {
  if (document.format !== 'pdf') return null
  const words = new Set(terms(query).flatMap(({ term }) => (isStopWord(term) ? [] : [term])))
  return pageWith(document.metadata, { line: lines[0], text }, words)
}

function leftOut(weaker: readonly Hit[]): string[] {
  const [best] = weaker
  if (!best) return []
  // Rounded down, so that the best passage passes this threshold.
  const enough = Math.floor(best.score * 10_000) / 10_000
  const were = weaker.length === 1 ? '1 weaker passage was' : `${weaker.length} weaker passages were`
  return [`${were} left out; a similarity_threshold of ${enough} shows the best.`]
}
