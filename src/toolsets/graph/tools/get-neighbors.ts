import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { getNeighbours } from '../reading.js'
import { context, type GraphServices, id, includeContent, neighbour } from './shapes.js'

export const getNeighbors = defineTool({
  name: 'get_neighbors',
  title: 'Notes linked with a note',
  summary: 'List the notes that link to a note, that it links to, or both; outgoing first.',
  input: z.object({
    id: id('Path of the note, or its title'),
    direction: z.enum(['in', 'out', 'both']).default('both').describe('in = linking here, out = linked to'),
    limit: z.int().min(1).max(50).default(20).describe('Maximum neighbors'),
    include_content: includeContent,
    context,
  }),
  output: z.array(neighbour),
  effect: 'read',
  examples: [
    {
      title: 'What links here, and how',
      args: { id: 'notes/concepts/outbox.md', direction: 'in', context: true },
    },
  ],
  run: ({ library }: GraphServices, { include_content, ...rest }, call) =>
    getNeighbours(library, { ...rest, content: include_content, reader: call }),
  view: (found) => found,
})
