import { z } from 'zod'
import { indexNote } from '../../../answer/notes/answer-notes.js'
import { defineTool } from '../../../server/define.js'
import { counted } from '../../../text/counted.js'
import {
  addSource,
  type CountedSource,
  changeSource,
  getSource,
  listSources,
  removeSource,
  type SourceList,
} from '../manage-sources.js'
import {
  failed,
  type KnowledgeServices,
  page,
  paged,
  pageFields,
  pageMaxima,
  pageOf,
  perPage,
  required,
  shortTitle,
  sourceId,
  unknownChoice,
} from './fields.js'

const source = z.object({
  id: z.string(),
  title: z.string(),
  collection: z.string().optional(),
  url: z.string().nullable(),
  source_type: z.string(),
  status: z.string(),
  documents_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})

const input = z.object({
  action: z.enum(['create', 'update', 'delete', 'list', 'get']).describe('What to do'),
  source_id: sourceId.describe('For get, update, delete: id or name'),
  title: z.string().optional().describe('Name for people'),
  url: z.string().max(4_500).optional().describe('Base address of a crawl or api source'),
  source_type: z
    .enum(['upload', 'crawl', 'api'])
    .default('upload')
    .describe('Files and texts, a web site, or documents a program pushes'),
  page,
  per_page: perPage,
})

type Result =
  | { action: 'create' | 'update'; source: CountedSource }
  | { action: 'get'; source: CountedSource; lacks: string | null }
  | { action: 'delete'; title: string; documents: number }
  | { action: 'list'; list: SourceList }

export const manageSource = defineTool({
  name: 'manage_source',
  title: 'Manage sources',
  summary:
    'Creates, lists, shows, changes or deletes sources of the knowledge base. Deleting one deletes its documents too. Configured folders and packages are listed as well.',
  effect: 'write',
  destructive: true,
  limits: { timeMs: 30_000 },
  input,
  clamp: pageMaxima,
  wrong: unknownChoice('action', ['create', 'get', 'list', 'update', 'delete'], 'Unknown action'),
  output: z.union([
    z.object({ success: z.boolean(), source, message: z.string().optional() }),
    z.object({
      success: z.boolean(),
      sources: z.array(source.omit({ updated_at: true })),
      ...pageFields,
    }),
    z.object({ success: z.boolean(), message: z.string() }),
    failed,
  ]),
  examples: [
    { title: 'A place for papers', args: { action: 'create', title: 'Research papers' } },
    { title: 'All sources', args: { action: 'list' } },
    { title: 'A configured folder', args: { action: 'get', source_id: 'library' } },
    { title: 'Gone again', args: { action: 'delete', source_id: 'Research papers' } },
  ],
  run: ({ library }: KnowledgeServices, args): Promise<Result> => actions[args.action](library, args),
  view: (result, args) => show(result, args),
  note: (result) => (result.action === 'get' ? result.lacks : null),
})

type Args = z.output<typeof input>
type Action = (library: KnowledgeServices['library'], args: Args) => Promise<Result>

const actions: Record<Args['action'], Action> = {
  async create(library, { title, url, source_type }) {
    const hint = "Provide title for the source, such as title='Research papers'."
    const named = required(title, 'title', 'create', hint)
    return {
      action: 'create',
      source: await addSource(library, { title: named, url: url ?? null, type: source_type }),
    }
  },
  async get(library, args) {
    const source = await getSource(library, idOf(args))
    return { action: 'get', source, lacks: await indexNote(library, false, [source.id]) }
  },
  async list(library, args) {
    return { action: 'list', list: await listSources(library, pageOf(args)) }
  },
  async update(library, args) {
    const { title, url } = args
    return { action: 'update', source: await changeSource(library, idOf(args), { title, url }) }
  },
  async delete(library, args) {
    const { source, documents } = await removeSource(library, idOf(args))
    return { action: 'delete', title: source.title, documents }
  },
}

function idOf({ action, source_id }: Args): string {
  const hint = "Provide source_id; manage_source(action='list') shows the ids."
  return required(source_id, 'source_id', action, hint)
}

function show(result: Result, args: Args) {
  switch (result.action) {
    case 'get':
      return { success: true, source: full(result.source) }
    case 'create':
    case 'update':
      return {
        success: true,
        source: full(result.source),
        message: `Source ${result.action}d successfully`,
      }
    case 'delete':
      return {
        success: true,
        message: `Source "${shortTitle(result.title)}" and ${counted(result.documents, 'associated document')} deleted successfully`,
      }
    case 'list': {
      const { sources, total } = result.list
      return {
        success: true,
        sources: sources.map(brief),
        ...paged(args, sources, total),
      }
    }
  }
}

function brief({ id, title, name = title, url, type, status, documents, createdAt }: CountedSource) {
  return {
    id,
    title: shortTitle(title),
    // The name of the collection in other tools, if it is not the title.
    ...(name !== title && { collection: name }),
    url,
    source_type: type,
    status,
    documents_count: documents,
    created_at: createdAt,
  }
}

function full(source: CountedSource) {
  return { ...brief(source), updated_at: source.updatedAt }
}
