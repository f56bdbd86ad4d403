import { z } from 'zod'
import { isMiss } from '../../../answer/collections.js'
import { searchAll } from '../../../answer/search-documents.js'
import { defineTool } from '../../../server/define.js'
import {
  collections,
  type DocumentsServices,
  hybridSearch,
  maxDistance,
  noted,
} from '../../../server/fields.js'
import { withinRoom } from '../room.js'
import { passage, showPassage, wayOn } from './passage.js'

export const searchBatchTool = defineTool({
  name: 'documents_search_batch',
  title: 'Search documents for several questions',
  summary: 'Answers up to 10 searches at once, cheaper than one by one.',
  effect: 'read',
  input: z.object({
    queries: z
      .array(z.strictObject({ query: z.string().describe('What to look for'), collections }))
      .min(1)
      .max(10)
      .describe('The searches'),
    limit: z.int().min(1).max(50).default(5).describe('Most passages per query'),
    maxDistance,
    hybridSearch,
  }),
  output: z.object({
    results: z.array(z.object({ query: z.string(), results: z.array(passage), note: z.string().optional() })),
  }),
  examples: [
    {
      title: 'Two questions',
      args: { queries: [{ query: 'quiet hours' }, { query: 'webhook signatures' }], limit: 2 },
    },
  ],
  run: async ({ library }: DocumentsServices, { queries, limit, maxDistance, hybridSearch }, { signal }) => {
    const mode = hybridSearch ? 'hybrid' : 'vector'
    return withinRoom(await searchAll(library, queries, { limit, maxDistance, mode, signal }), wayOn)
  },
  view: (answers, { queries }) => ({
    results: answers.map((answer, i) => {
      const { query } = queries[i]!
      if (isMiss(answer)) return { query, results: [], note: answer.miss }
      return { query, results: answer.passages.map(showPassage), ...noted(answer.notes) }
    }),
  }),
})
