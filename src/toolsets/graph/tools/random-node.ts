import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { randomNode as anyNode } from '../reading.js'
import { type GraphServices, singleNode, tags, viewOf } from './shapes.js'

export const randomNode = defineTool({
  name: 'random_node',
  title: 'A note at random',
  summary: 'Read a note picked at random, to discover something. null if there is none.',
  input: z.object({ tags: tags.optional().describe('Only notes with any of these tags') }),
  output: z.union([singleNode, z.null()]),
  effect: 'read',
  examples: [{ title: 'The only note with a tag', args: { tags: ['onboarding'] } }],
  run: ({ library }: GraphServices, args, call) => anyNode(library, args.tags, { reader: call }),
  view: (found) => found && viewOf(found),
})
