import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { getHubs as central } from '../reading.js'
import type { GraphServices } from './shapes.js'

export const getHubs = defineTool({
  name: 'get_hubs',
  title: 'Central notes',
  summary: 'List the most linked (in_degree), most linking (out_degree) or most central (pagerank) notes.',
  input: z.object({
    metric: z
      .enum(['in_degree', 'out_degree', 'pagerank'])
      .default('in_degree')
      .describe('Centrality metric'),
    limit: z.int().min(1).max(50).default(10).describe('Maximum results'),
  }),
  output: z.array(z.object({ id: z.string(), title: z.string(), score: z.number() })),
  effect: 'read',
  examples: [{ title: 'Where to begin', args: { metric: 'pagerank', limit: 3 } }],
  run: ({ library }: GraphServices, { metric, limit }) => central(library, metric, limit),
  view: (found) => found,
})
