// One search, in the words of the knowledge toolset.

import { documentIdOf } from '../../answer/addresses.js'
import type { FoundPassage } from '../../answer/find-passages.js'
import { isMiss } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import type { Filters } from '../../answer/search-documents.js'
import { searchDocuments } from '../../answer/search-documents.js'
import { sourceOf } from '../../answer/source-records.js'
import type { Hit } from '../../model/hit.js'
import { Problem } from '../../model/problem.js'
import { leastRelevance } from '../../retrieve/relevance.js'
import { isStopWord, terms } from '../../text/terms.js'
import { combine, recordOf } from './describe.js'

export interface KnowledgeQuery {
  query: string
  source?: string | undefined
  limit: number
  mode: 'vector' | 'hybrid' | 'rerank'
  /** The least calibrated relevance of a row. At its default it never empties an answer. */
  threshold: number
  filters: Filters
  /** Show hits even if none is relevant. A lower threshold asks for the same. */
  weak?: boolean | undefined
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

export async function searchKnowledge(library: Library, request: KnowledgeQuery): Promise<KnowledgeAnswer> {
  const { query, source, limit, mode, filters, signal } = request
  const threshold = request.weak ? 0 : request.threshold
  const weak = request.weak ?? (threshold < leastRelevance ? true : undefined)
  if (query.trim() === '')
    throw new Problem(
      'empty_query',
      'The query is empty.',
      "Say in words what to look for: query='retry budget'.",
    )
  const scope = source === undefined ? {} : { collections: [(await sourceOf(library, source)).id] }
  const keep = (hits: readonly Hit[]) => {
    const above = hits.filter(({ score }) => score >= threshold)
    if (above.length > 0 || threshold !== leastRelevance) return above
    // A good answer to a short question, or in other words, may score no higher. If there are vectors, weak hits were removed
    // before.
    return hits.filter(({ distance, relevance }) => distance !== null || relevance >= leastRelevance)
  }
  const how = { limit, mode, threshold, filters, weak, keep, signal }
  const found = await searchDocuments(library, { query, ...scope }, how)
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

// Documents with pages say in their metadata on which line (from 1) each page starts: `pageStarts`.

/** The pages (from 1) that a stretch of lines stands on; null for a document without pages. */
export function pagesOf(
  metadata: Record<string, unknown>,
  lines: { line: number; endLine: number },
): { first: number; last: number } | null {
  const { pageStarts } = metadata
  if (!Array.isArray(pageStarts) || pageStarts.length === 0) return null
  return { first: pageAt(pageStarts, lines.line), last: pageAt(pageStarts, lines.endLine) }
}

/** The page (from 1) of a passage that has most of these words; the first of equals. Null without pages. */
function pageWith(
  metadata: Record<string, unknown>,
  passage: { line: number; text: string },
  words: ReadonlySet<string>,
): number | null {
  const lines = passage.text.split('\n')
  const pages = pagesOf(metadata, { line: passage.line, endLine: passage.line + lines.length - 1 })
  if (!pages || pages.first === pages.last) return pages?.first ?? null
  const starts = metadata.pageStarts as number[]
  const found = new Map<number, Set<string>>()
  for (const [i, text] of lines.entries()) {
    const page = pageAt(starts, passage.line + i)
    const here = found.get(page) ?? new Set()
    for (const { term } of terms(text)) if (words.has(term)) here.add(term)
    found.set(page, here)
  }
  const [best] = [...found].sort((a, b) => b[1].size - a[1].size || a[0] - b[0])
  return best![0]
}

function pageAt(starts: readonly number[], line: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= line) low = middle
    else high = middle - 1
  }
  return low + 1
}
