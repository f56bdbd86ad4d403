import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { filterFields, filtersOf, noted, standingFields } from '../../../server/fields.js'
import {
  getHubs as centralNodes,
  getNeighbours,
  getNodeWithNeighbours,
  listTags,
  searchByTags as nodesWithTags,
  randomNode as pickNode,
  getNode as readNode,
  searchNodes,
  findPath as shortestPath,
} from '../reading.js'
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
} from './shapes.js'

export const search = defineTool({
  name: 'search',
  title: 'Search notes',
  summary: 'Find notes by meaning and words, best first. passage is what matched.',
  input: z.object({
    query: z.string().min(1).max(10_000).describe('What to find'),
    limit: z.int().min(1).max(50).default(10).describe('Maximum results'),
    threshold: z.number().min(0).max(1).optional().describe('Least score'),
    include_content: includeContent,
    path: filterFields.path,
    since: filterFields.since,
    weak: filterFields.weak,
  }),
  output: z.array(
    node.extend({
      score: z.number(),
      ...standingFields,
      passage: z
        .object({ lines: z.array(z.number()), headings: z.array(z.string()), text: z.string().optional() })
        .optional(),
    }),
  ),
  effect: 'read',
  needs: ['embedder'],
  examples: [{ title: 'Notes on a subject', args: { query: 'how often do we retry a delivery', limit: 3 } }],
  run: ({ library }: GraphServices, { query, limit, threshold, include_content, ...rest }, call) =>
    searchNodes(library, {
      query,
      filters: filtersOf(rest),
      weak: rest.weak,
      limit,
      content: include_content,
      reader: call,
      signal: call.signal,
      ...(threshold !== undefined && { threshold }),
    }),
  view: ({ nodes }) => nodes,
  note: ({ notes }) => noted(notes).note ?? null,
})

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
  run: ({ library }: GraphServices, request) => shortestPath(library, request),
  view: (found) => found,
})

export const getHubs = defineTool({
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
  run: ({ library }: GraphServices, { metric, limit }) => centralNodes(library, metric, limit),
  view: (found) => found,
})

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
    list
      ? listTags(library, rest)
      : nodesWithTags(library, { ...rest, content: include_content, reader: call }),
  view: (found) => found,
})

export const randomNode = defineTool({
  name: 'random_node',
  title: 'A note at random',
  summary: 'Read a note picked at random, to discover something. null if there is none.',
  input: z.object({ tags: tags.optional().describe('Only notes with any of these tags') }),
  output: z.union([singleNode, z.null()]),
  effect: 'read',
  examples: [{ title: 'The only note with a tag', args: { tags: ['onboarding'] } }],
  run: ({ library }: GraphServices, args, call) => pickNode(library, args.tags, { reader: call }),
  view: (found) => found && viewOf(found),
})
