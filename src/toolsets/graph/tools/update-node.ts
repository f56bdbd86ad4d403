import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { updateNode as update } from '../writing.js'
import { fileChanges, type GraphServices, id, singleNode, tags, viewOf } from './shapes.js'

const plan = z.object({
  dry_run: z.boolean(),
  rename: z.object({ from: z.string(), to: z.string() }).nullable(),
  files: fileChanges,
})

const mostRewritten = 100

/** The notes whose links a rename rewrote. */
function rewrittenOf(ids: readonly string[]) {
  return ids.length > 0 && { rewritten: ids.slice(0, mostRewritten), rewrittenCount: ids.length }
}

export const updateNode = defineTool({
  name: 'update_node',
  title: 'Change a note',
  summary:
    'Change a note: at least one of title, content, tags. A new title renames the file and rewrites all links to it. Frontmatter stays unless content brings its own.',
  input: z.object({
    id: id('Note to change'),
    title: z.string().min(1).max(20_000).optional().describe('New title (renames the file)'),
    content: z.string().optional().describe('New content (replaces entirely)'),
    tags: tags.optional().describe('New tags (replace existing)'),
    if_version: z.string().max(200).optional().describe('Only if the note has this version (from get_node)'),
    dry_run: z.boolean().default(false).describe('Only tell what would change'),
  }),
  output: z.union([
    singleNode.extend({ rewritten: z.array(z.string()).optional(), rewrittenCount: z.number().optional() }),
    plan,
  ]),
  effect: 'write',
  destructive: true,
  idempotent: true,
  limits: { timeMs: 30_000 },
  examples: [
    {
      title: 'What a rename would touch',
      args: { id: 'notes/concepts/wick.md', title: 'Carrier', dry_run: true },
    },
    { title: 'New tags', args: { id: 'notes/loose/tea-shelf.md', tags: ['fun', 'kitchen'] } },
  ],
  run: ({ library }: GraphServices, { id: name, title, content, tags: wanted, if_version, dry_run }, call) =>
    update(
      library,
      {
        id: name,
        dryRun: dry_run,
        ...(title !== undefined && { title }),
        ...(content !== undefined && { content }),
        ...(wanted !== undefined && { tags: wanted }),
        ...(if_version !== undefined && { ifVersion: if_version }),
      },
      call,
    ),
  view: (done) =>
    'plan' in done
      ? { dry_run: true, ...done.plan }
      : { ...viewOf(done.node), ...rewrittenOf(done.rewritten) },
})
