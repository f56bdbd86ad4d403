import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { getNodeWithNeighbours, getNode as readNode } from '../reading.js'
import { context, type GraphServices, id, includeContent, neighbour, singleNode, viewOf } from './shapes.js'

export const getNode = defineTool({
  name: 'get_node',
  title: 'Read a note',
  summary:
    'Read one note with its tags and links, and optionally its neighbours (up to 20, with direction) and true link counts. null if there is none.',
  input: z.object({
    id: id('Path of the note in its vault, or its title'),
    depth: z.int().min(0).max(1).default(0).describe('1 adds neighbours'),
    include_content: includeContent,
    context,
  }),
  output: z.union([
    singleNode.extend({
      neighbors: z.array(neighbour).optional(),
      incomingCount: z.number().optional(),
      outgoingCount: z.number().optional(),
    }),
    z.null(),
  ]),
  effect: 'read',
  examples: [
    { title: 'A note', args: { id: 'notes/glossary.md' } },
    { title: 'A note and what is around it', args: { id: 'notes/concepts/outbox.md', depth: 1 } },
  ],
  run: ({ library }: GraphServices, { id: name, depth, include_content, context: sentence }, call) => {
    const shown = { content: include_content, context: sentence, reader: call }
    return depth === 0 ? readNode(library, name, shown) : getNodeWithNeighbours(library, name, shown)
  },
  view: (found) => found && viewOf(found),
})
