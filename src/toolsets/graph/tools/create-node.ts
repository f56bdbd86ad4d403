import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { createNode as create } from '../writing.js'
import { type GraphServices, singleNode, tags, viewOf } from './shapes.js'

export const createNode = defineTool({
  name: 'create_node',
  title: 'Create a note',
  summary: 'Write a new note as a Markdown file named after its title. Fails if there is one already.',
  input: z.object({
    title: z.string().min(1).max(20_000).describe('Title; becomes the file name'),
    content: z.string().describe('Full text (Markdown)'),
    tags: tags.default([]).describe('Classification tags'),
    directory: z.string().max(20_000).optional().describe("Folder, e.g. 'notes/drafts'; made if need be"),
    if_version: z.string().max(200).optional().describe('Rarely useful: a new note has no version'),
  }),
  output: singleNode,
  effect: 'write',
  limits: { timeMs: 20_000 },
  examples: [
    {
      title: 'A note on a meeting',
      args: {
        title: 'Delivery review 2026-09-03',
        content: 'We agreed to halve the [[retry-budget]].\n',
        tags: ['meeting'],
        directory: 'notes/meetings',
      },
    },
  ],
  run: ({ library }: GraphServices, { if_version, directory, ...rest }, call) =>
    create(
      library,
      {
        ...rest,
        ...(directory !== undefined && { directory }),
        ...(if_version !== undefined && { ifVersion: if_version }),
      },
      call,
    ),
  view: viewOf,
})
