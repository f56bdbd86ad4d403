import { z } from 'zod'
import { isMiss } from '../../../answer/collections.js'
import { searchAll, searchDocuments } from '../../../answer/search-documents.js'
import { defineTool } from '../../../server/define.js'
import {
  collections,
  type DocumentsServices,
  hybridSearch,
  maxDistance,
  maxTokens,
  mostTokens,
  narrowing,
  narrowingOf,
  noted,
  section,
} from '../../../server/fields.js'
import { passage, showPassage, wayOn, withinRoom } from './passage.js'

export const searchTool = defineTool({
  name: 'documents_search',
  title: 'Search documents',
  summary: 'Finds the passages that answer a question, best first. "Quotes" ask for an exact phrase.',
  effect: 'read',
  input: z.object({
    query: z.string().describe('What to look for'),
    collections,
    document: z.string().optional().describe('Only this document'),
    section: section.optional().describe('Only below this heading'),
    limit: z.int().min(1).default(10).describe('Most passages to return, up to 100'),
    maxDistance,
    hybridSearch,
    rerank: z.boolean().default(false).describe('Judge the best again'),
    max_tokens: maxTokens,
    ...narrowing,
  }),
  clamp: { limit: 100, max_tokens: mostTokens },
  output: z.union([z.array(passage), z.string()]),
  examples: [
    { title: 'A question', args: { query: 'how are retries limited', limit: 3 } },
    {
      title: 'Inside one section',
      args: { query: 'signature', document: 'guides/api-reference.md', section: 'Errors', limit: 2 },
    },
  ],
  run: async (
    { library }: DocumentsServices,
    { query, collections, document, section, limit, maxDistance, hybridSearch, rerank, max_tokens, ...rest },
    { signal },
  ) => {
    const asked = { query, collections, document, section }
    const answer = await searchDocuments(library, asked, {
      limit,
      maxDistance,
      maxTokens: max_tokens,
      ending: wayOn,
      mode: modeOf(hybridSearch, rerank),
      narrowing: narrowingOf(rest),
      weak: rest.weak,
      signal,
    })
    return max_tokens === undefined ? withinRoom([answer], wayOn)[0]! : answer
  },
  view: (found) => {
    if (isMiss(found)) return found.miss
    // A list has no place for a note of its own: the first row carries it.
    return found.passages.map((one, i) => {
      const row = showPassage(one)
      const own = row.note === undefined ? [] : [{ message: row.note }]
      return i === 0 ? { ...row, ...noted([...found.notes, ...own]) } : row
    })
  },
  note: (found) => (isMiss(found) || found.passages.length > 0 ? null : (noted(found.notes).note ?? null)),
})

function modeOf(hybrid: boolean, rerank: boolean) {
  if (rerank) return 'rerank'
  return hybrid ? 'hybrid' : 'vector'
}

export const searchBatchTool = defineTool({
  name: 'documents_search_batch',
  title: 'Search documents for several questions',
  summary: 'Answers up to 10 searches at once.',
  effect: 'read',
  input: z.object({
    queries: z
      .array(z.strictObject({ query: z.string().describe('What to look for'), collections }))
      .min(1)
      .max(10)
      .describe('The searches'),
    limit: z.int().min(1).default(5).describe('Most passages per query, up to 50'),
    maxDistance,
    hybridSearch,
    path: narrowing.path,
    weak: narrowing.weak,
  }),
  clamp: { limit: 50 },
  output: z.object({
    results: z.array(z.object({ query: z.string(), results: z.array(passage), note: z.string().optional() })),
  }),
  examples: [
    {
      title: 'Two questions',
      args: { queries: [{ query: 'quiet hours' }, { query: 'webhook signatures' }], limit: 2 },
    },
  ],
  run: async (
    { library }: DocumentsServices,
    { queries, limit, maxDistance, hybridSearch, ...rest },
    { signal },
  ) => {
    const mode = hybridSearch ? 'hybrid' : 'vector'
    const how = { limit, maxDistance, mode, narrowing: narrowingOf(rest), weak: rest.weak, signal } as const
    return withinRoom(await searchAll(library, queries, how), wayOn)
  },
  view: (answers, { queries }) => ({
    results: answers.map((answer, i) => {
      const { query } = queries[i]!
      if (isMiss(answer)) return { query, results: [], note: answer.miss }
      return { query, results: answer.passages.map(showPassage), ...noted(answer.notes) }
    }),
  }),
})
