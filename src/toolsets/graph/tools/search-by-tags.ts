import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { listTags, searchByTags as tagged } from '../reading.js'
import { type GraphServices, includeContent, node, tags } from './shapes.js'

export const searchByTags = defineTool({
  name: 'search_by_tags',
  title: 'Notes with tags',
  summary:
    'List notes by tag, in the order of their ids. A tag covers the tags nested below it; case is ignored. list: true lists tags with their counts instead.',
  input: z.object({
    tags: tags.min(1).describe('Tags to match'),
    mode: z.enum(['any', 'all']).default('any').describe('any = OR, all = AND'),
    limit: z.int().min(1).max(100).default(20).describe('Maximum results'),
    include_content: includeContent,
    list: z
      .boolean()
      .default(false)
      .describe('List the tags that contain one of the given texts ("*": all), most used first'),
  }),
  output: z.array(z.union([node, z.object({ tag: z.string(), count: z.number() })])),
  effect: 'read',
  examples: [
    { title: 'Notes with both tags', args: { tags: ['concept', 'api'], mode: 'all' } },
    { title: 'All tags', args: { tags: ['*'], list: true } },
  ],
  run: async ({ library }: GraphServices, { include_content, list, ...rest }, call) =>
    list ? listTags(library, rest) : tagged(library, { ...rest, content: include_content, reader: call }),
  view: (found) => found,
})
