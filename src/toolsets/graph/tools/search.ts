import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { searchNodes } from '../reading.js'
import { type GraphServices, includeContent, node } from './shapes.js'

export const search = defineTool({
  name: 'search',
  title: 'Search notes',
  summary:
    'Find notes by meaning and words. Scores are relevance in 0..1, best first. passage is what matched, with its lines.',
  input: z.object({
    query: z.string().min(1).max(10_000).describe('Natural language search query'),
    limit: z.int().min(1).max(50).default(10).describe('Maximum results'),
    threshold: z.number().min(0).max(1).optional().describe('Least score'),
    include_content: includeContent,
  }),
  output: z.array(
    node.extend({
      score: z.number(),
      passage: z
        .object({ lines: z.array(z.number()), headings: z.array(z.string()), text: z.string().optional() })
        .optional(),
    }),
  ),
  effect: 'read',
  needs: ['embedder'],
  examples: [{ title: 'Notes on a subject', args: { query: 'how often do we retry a delivery', limit: 3 } }],
  run: ({ library }: GraphServices, { query, limit, threshold, include_content }, call) =>
    searchNodes(library, {
      query,
      limit,
      content: include_content,
      reader: call,
      ...(threshold !== undefined && { threshold }),
    }),
  view: (found) => found,
})
