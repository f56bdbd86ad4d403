import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { findPath as shortest } from '../reading.js'
import { type GraphServices, id } from './shapes.js'

export const findPath = defineTool({
  name: 'find_path',
  title: 'Shortest way between notes',
  summary: 'Find a shortest chain of links from one note to another; null if there is none.',
  input: z.object({
    source: id('Start note: path or title'),
    target: id('End note: path or title'),
    direction: z.enum(['out', 'any']).default('out').describe('any ignores which way links point'),
  }),
  output: z.union([z.object({ path: z.array(z.string()), length: z.number() }), z.null()]),
  effect: 'read',
  examples: [
    {
      title: 'How one leads to the other',
      args: { source: 'notes/home.md', target: 'notes/concepts/outbox.md' },
    },
  ],
  run: ({ library }: GraphServices, request) => shortest(library, request),
  view: (found) => found,
})
