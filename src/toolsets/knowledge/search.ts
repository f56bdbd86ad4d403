// One search, in the words of the knowledge toolset.

import { isMiss } from '../../answer/collections.js'
import { documentIdOf } from '../../answer/document-ids.js'
import type { Library } from '../../answer/library.js'
import { copiesNotes } from '../../answer/notes/copies.js'
import { type FoundPassage, searchDocuments } from '../../answer/search-documents.js'
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
  const found = await searchDocuments(library, { query, ...scope }, { limit, mode, threshold, signal })
  // What is not there is no failure of the search.
  if (isMiss(found)) return { hits: [], notes: [found.miss] }
  const relevant = found.passages.filter(({ score }) => score >= threshold)
  // Copies are told of what is shown.
  const notes = [
    ...found.notes.filter(({ code }) => code !== 'copies'),
    ...copiesNotes(relevant, await library.store.sources()),
  ]
  return {
    hits: await Promise.all(relevant.map((passage) => toHit(library, passage, query))),
    notes: [...new Set(notes.map(({ message }) => message)), ...left(found.passages, relevant)],
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

function left(all: FoundPassage[], relevant: FoundPassage[]): string[] {
  const [best] = all
  if (relevant.length > 0 || !best) return []
  // Rounded down: it is to let the best one in.
  const enough = Math.floor(best.score * 10_000) / 10_000
  const were = all.length === 1 ? '1 weaker passage was' : `${all.length} weaker passages were`
  return [`${were} left out; a similarity_threshold of ${enough} shows the best.`]
}
