import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { filterFields, filtersOf, standingFields, standingOf } from '../../../server/fields.js'
import { truncate } from '../../../text/truncate.js'
import type { KnowledgeHit } from '../search.js'
import { searchKnowledge } from '../search.js'
import { failed, type KnowledgeServices, shortTitle, sourceId, unknownChoice, unlessBlank } from './fields.js'

export const searchKnowledgeBase = defineTool({
  name: 'search_knowledge_base',
  title: 'Search the knowledge base',
  summary:
    'Finds the passages that answer a question in all sources: files, uploads and crawled sites. Best first.',
  effect: 'read',
  input: z.object({
    query: z.string().describe('What to look for'),
    source_id: sourceId.describe('Only this source (id or name)'),
    match_count: z.int().min(1).default(10).describe('Most results, up to 50'),
    search_type: z
      .enum(['vector', 'hybrid', 'rerank'])
      .default('hybrid')
      .describe('By meaning; by words too; or judged again'),
    similarity_threshold: z.number().min(0).max(1).default(0.05).describe('Least score, 0..1'),
    ...filterFields,
  }),
  clamp: { match_count: 50 },
  wrong: unknownChoice('search_type', ['vector', 'hybrid', 'rerank'], 'Invalid search_type'),
  output: z.union([
    z.object({
      success: z.boolean(),
      results: z.array(
        z.object({
          chunk_id: z.string(),
          document_id: z.string(),
          document_title: z.string(),
          text: z.string(),
          score: z.number(),
          match_type: z.enum(['vector', 'text', 'hybrid', 'rerank']),
          metadata: z.object({
            source_id: z.string(),
            chunk_index: z.int().describe('Position in the document, from 0'),
            url: z.string().nullable(),
            path: z.string(),
            section: z.string().optional(),
            page: z.int().optional(),
            ...standingFields,
          }),
        }),
      ),
      count: z.int(),
      search_type: z.string(),
      query: z.string(),
      note: z.string().optional(),
    }),
    failed,
  ]),
  examples: [
    { title: 'A question', args: { query: 'how are retries limited', match_count: 2 } },
    {
      title: 'By meaning alone, in one source',
      args: {
        query: 'what happens to a message twice',
        source_id: 'library',
        search_type: 'vector',
        match_count: 1,
      },
    },
  ],
  run: (
    { library }: KnowledgeServices,
    { query, source_id, match_count, search_type, similarity_threshold, ...rest },
    { signal },
  ) =>
    searchKnowledge(library, {
      query,
      source: unlessBlank(source_id),
      limit: match_count,
      mode: search_type,
      threshold: similarity_threshold,
      filters: filtersOf(rest),
      weak: rest.weak,
      signal,
    }),
  view: ({ hits, notes }, { query, search_type }) => {
    const note = notes.join(' ')
    return {
      success: true,
      results: hits.map(showHit),
      count: hits.length,
      search_type,
      query: truncate(query, 1_000, '...'),
      ...(note ? { note } : {}),
    }
  },
})

const matchTypes = { meaning: 'vector', words: 'text', both: 'hybrid', rerank: 'rerank' } as const

function showHit(hit: KnowledgeHit) {
  return {
    chunk_id: hit.chunk,
    document_id: hit.documentId,
    document_title: shortTitle(hit.document.title),
    text: truncate(hit.text, 1_000, '...'),
    score: Math.round(hit.score * 10_000) / 10_000,
    match_type: matchTypes[hit.by],
    metadata: {
      source_id: hit.ref.source,
      chunk_index: hit.index,
      url: hit.url,
      path: hit.ref.path,
      ...(hit.heading === null ? {} : { section: truncate(hit.heading, 200, '...') }),
      ...(hit.page === null ? {} : { page: hit.page }),
      ...standingOf(hit),
    },
  }
}
