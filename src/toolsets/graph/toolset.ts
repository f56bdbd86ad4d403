import { z } from 'zod'
import { defineTool, defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import { noted } from '../../server/fields.js'
import { indexNote } from '../../server/note.js'
import {
  aboutMissing,
  aboutMissingTags,
  randomNode as anyNode,
  getHubs as central,
  getNeighbours,
  getNodeWithNeighbours,
  listTags,
  getNode as readNode,
  searchNodes,
  findPath as shortest,
  searchByTags as tagged,
} from './reading.js'
import {
  context,
  type GraphServices,
  id,
  includeContent,
  neighbour,
  node,
  singleNode,
  tags,
  viewOf,
} from './tools/shapes.js'
import { updateNode } from './tools/update-node.js'
import { createNode as create, deleteNode as remove } from './writing.js'

const createNode = defineTool({
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

const mostDangling = 100

const deleteNode = defineTool({
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

const search = defineTool({
  name: 'search',
  title: 'Search notes',
  summary:
    'Find notes by meaning and words. Scores are relevance in 0..1, best first. passage is what matched, with its lines.',
  input: z.object({
    query: z.string().min(1).max(10_000).describe('Natural language search query'),
    limit: z.int().min(1).max(50).default(10).describe('Maximum results'),
    threshold: z.number().min(0).max(1).optional().describe('Least score'),
    include_content: includeContent,
  }),
  output: z.array(
    node.extend({
      score: z.number(),
      passage: z
        .object({ lines: z.array(z.number()), headings: z.array(z.string()), text: z.string().optional() })
        .optional(),
    }),
  ),
  effect: 'read',
  needs: ['embedder'],
  examples: [{ title: 'Notes on a subject', args: { query: 'how often do we retry a delivery', limit: 3 } }],
  run: ({ library }: GraphServices, { query, limit, threshold, include_content }, call) =>
    searchNodes(library, {
      query,
      limit,
      content: include_content,
      reader: call,
      signal: call.signal,
      ...(threshold !== undefined && { threshold }),
    }),
  view: ({ nodes }) => nodes,
  beside: ({ notes }) => noted(notes).note ?? null,
})

const getNode = defineTool({
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

const searchByTags = defineTool({
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

const getNeighbors = defineTool({
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

const findPath = defineTool({
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

const getHubs = defineTool({
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

const randomNode = defineTool({
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

export const graph = defineToolset<GraphServices>({
  name: 'graph',
  title: 'Notes and their links',
  purpose: 'Walk a vault of linked Markdown notes, and write in it without breaking a link.',
  errorShape: errorShapes.graph,
  beside: async ({ library }, { id, source, target, tags }, { isNothing }) => {
    const lacks = await indexNote(library, isNothing)
    if (lacks !== null || !isNothing) return lacks
    const names = [id, source, target].filter((name) => typeof name === 'string')
    if (Array.isArray(tags)) return aboutMissingTags(library, tags)
    return aboutMissing(library, names)
  },
  tools: [
    search,
    getNode,
    getNeighbors,
    findPath,
    getHubs,
    searchByTags,
    randomNode,
    createNode,
    updateNode,
    deleteNode,
  ],
})
