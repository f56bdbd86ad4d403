import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { deleteNode as remove } from '../writing.js'
import { type GraphServices, id } from './shapes.js'

const mostDangling = 100

export const deleteNode = defineTool({
  name: 'delete_node',
  title: 'Delete a note',
  summary:
    'Delete a note and its file; tells which links are left dangling. deleted is false if there is no such note.',
  input: z.object({
    id: id('Note to delete'),
    if_version: z.string().max(200).optional().describe('Only if the note has this version'),
    dry_run: z.boolean().default(false).describe('Only tell what would dangle'),
  }),
  output: z.object({
    deleted: z.boolean(),
    dry_run: z.boolean().optional(),
    dangling: z.array(z.object({ id: z.string(), line: z.number(), link: z.string() })).optional(),
    danglingCount: z.number().optional(),
  }),
  effect: 'write',
  destructive: true,
  idempotent: true,
  limits: { timeMs: 20_000 },
  examples: [{ title: 'What would be left dangling', args: { id: 'notes/reading-list.md', dry_run: true } }],
  run: ({ library }: GraphServices, { id: name, if_version, dry_run }, call) =>
    remove(
      library,
      { id: name, dryRun: dry_run, ...(if_version !== undefined && { ifVersion: if_version }) },
      call,
    ),
  view: ({ deleted, dangling }, { dry_run }) => ({
    deleted,
    ...(dry_run && { dry_run: true }),
    ...(dangling.length > 0 && { dangling: dangling.slice(0, mostDangling), danglingCount: dangling.length }),
  }),
  beside: ({ note }) => note ?? null,
})
