import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { createNode as create, deleteNode as remove, updateNode as update } from '../writing.js'
import { type GraphServices, id, singleNode, tags, viewOf } from './shapes.js'

export const createNode = defineTool({
  name: 'create_node',
  title: 'Create a note',
  summary: 'Write a new note as a Markdown file named after its title. Fails if there is one already.',
  input: z.object({
    title: z.string().min(1).max(20_000).describe('Title; becomes the file name'),
    content: z.string().describe('Full text (Markdown)'),
    tags: tags.default([]).describe('Classification tags'),
    directory: z.string().max(20_000).optional().describe("Folder, e.g. 'notes/drafts'; made if need be"),
    if_version: z.string().max(200).optional().describe('Not needed'),
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

const plan = z.object({
  dry_run: z.boolean(),
  rename: z.object({ from: z.string(), to: z.string() }).nullable(),
  files: z.array(
    z.object({
      id: z.string(),
      changes: z.array(z.object({ line: z.number(), before: z.string(), after: z.string() })),
    }),
  ),
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
  note: ({ note }) => note ?? null,
})
