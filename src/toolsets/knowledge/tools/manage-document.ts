import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { counted } from '../../../text/counted.js'
import { truncate } from '../../../text/truncate.js'
import type { KnownDocument } from '../describe.js'
import {
  addDocument,
  type Changed,
  type DocumentList,
  getDocument,
  listDocuments,
  removeDocument,
  updateDocument,
} from '../manage-documents.js'
import {
  documentFields,
  failed,
  type KnowledgeServices,
  page,
  paged,
  pageFields,
  pageMaxima,
  pageOf,
  perPage,
  required,
  sourceId,
  unknownChoice,
  unlessBlank,
} from './fields.js'

const row = z.object({
  id: z.string(),
  title: z.string(),
  source_id: z.string(),
  path: z.string(),
  document_type: z.string(),
  url: z.string().nullable(),
  created_at: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  error: z.string().optional(),
})

const one = row.extend({
  /** Of create and update; a list and get say `chunks_count`. */
  chunks_created: z.int().optional(),
  chunks_count: z.int().optional(),
  updated_at: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  note: z.string().optional(),
})

const input = z.object({
  action: z.enum(['create', 'update', 'delete', 'get', 'list']).describe('What to do'),
  document_id: z.string().max(4_500).optional().describe('For get, update, delete: id, or collection:path'),
  file_path: z.string().max(4_500).optional().describe('File to add: absolute or below the project'),
  content: z.string().optional().describe('Text to add in place of a file, with title'),
  source_id: sourceId.describe('Source it belongs to (id or name)'),
  title: z.string().optional().describe("In place of the document's own"),
  url: z.string().max(4_500).optional().describe('Where it came from'),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Facts to keep with it; update merges them'),
  page,
  per_page: perPage,
})

type Result =
  | { action: 'create' | 'update'; changed: Changed }
  | { action: 'get' | 'delete'; document: KnownDocument }
  | { action: 'list'; list: DocumentList }

export const manageDocument = defineTool({
  name: 'manage_document',
  title: 'Manage documents',
  summary:
    'Adds, lists, shows, changes or deletes documents of the knowledge base. create reads a PDF, HTML, DOCX, EPUB, PPTX, XLSX, CSV, Markdown, text or notebook file of up to 50 MB.',
  effect: 'write',
  destructive: true,
  limits: { timeMs: 30_000 },
  input,
  clamp: pageMaxima,
  wrong: unknownChoice('action', ['create', 'get', 'list', 'update', 'delete'], 'Unknown action'),
  output: z.union([
    z.object({ success: z.boolean(), document: one, message: z.string().optional() }),
    z.object({
      success: z.boolean(),
      documents: z.array(row.extend({ chunks_count: z.int() })),
      ...pageFields,
    }),
    z.object({ success: z.boolean(), message: z.string() }),
    failed,
  ]),
  examples: [
    {
      title: 'A text',
      args: {
        action: 'create',
        title: 'Release checklist',
        content: '# Release checklist\n\nDrain the outbox before the schema changes.\n',
        metadata: { author: 'Ada' },
      },
    },
    { title: 'A file', args: { action: 'create', file_path: 'guides/configuration.md' } },
    { title: 'The documents of a source', args: { action: 'list', source_id: 'Uploads' } },
    { title: 'One document', args: { action: 'get', document_id: 'Uploads:release-checklist.md' } },
    { title: 'Gone again', args: { action: 'delete', document_id: 'Uploads:release-checklist.md' } },
  ],
  run: ({ library }: KnowledgeServices, args, { signal }): Promise<Result> =>
    actions[args.action](library, args, signal),
  view: (result, args) => show(result, args),
})

type Args = z.output<typeof input>
type Action = (library: KnowledgeServices['library'], args: Args, signal: AbortSignal) => Promise<Result>

const actions: Record<Args['action'], Action> = {
  async create(library, args, signal) {
    return {
      action: 'create',
      changed: await addDocument(library, newFieldsOf(args), signal),
    }
  },
  async get(library, args) {
    return { action: 'get', document: await getDocument(library, addressOf(args)) }
  },
  async list(library, { source_id, ...args }) {
    return {
      action: 'list',
      list: await listDocuments(library, { source: unlessBlank(source_id), ...pageOf(args) }),
    }
  },
  async update(library, args, signal) {
    const changed = await updateDocument(library, addressOf(args), fieldsOf(args), signal)
    return { action: 'update', changed }
  },
  async delete(library, args) {
    return { action: 'delete', document: await removeDocument(library, addressOf(args)) }
  },
}

function newFieldsOf({ file_path, content, title, url, metadata, source_id }: Args) {
  const filePath = unlessBlank(file_path)
  return {
    filePath,
    content: filePath === undefined ? content : unlessBlank(content),
    title: unlessBlank(title),
    url: unlessBlank(url),
    metadata,
    source: unlessBlank(source_id),
  }
}

function fieldsOf({ file_path, content, title, url, metadata }: Args) {
  return { filePath: file_path, content, title, url, metadata }
}

function addressOf({ action, document_id, source_id }: Args) {
  const hint = "Provide document_id; manage_document(action='list') shows the ids."
  return { document: required(document_id, 'document_id', action, hint), source: unlessBlank(source_id) }
}

function show(result: Result, args: Args) {
  switch (result.action) {
    case 'create':
    case 'update':
      return {
        success: true,
        document: { ...full(result.changed.document), chunks_created: result.changed.document.chunks },
        message: messageOf(result.action, result.changed),
      }
    case 'get':
      return {
        success: true,
        document: { ...full(result.document), chunks_count: result.document.chunks },
      }
    case 'delete':
      return {
        success: true,
        message: `Document and its ${counted(result.document.chunks, 'chunk')} deleted successfully`,
      }
    case 'list': {
      const { documents, total } = result.list
      return {
        success: true,
        documents: documents.map((one) => ({ ...documentFields(one), chunks_count: one.chunks })),
        ...paged(args, documents, total),
      }
    }
  }
}

function full(document: KnownDocument) {
  return {
    ...documentFields(document),
    updated_at: document.updatedAt,
    metadata: document.metadata,
    ...(document.notes.length > 0 ? { note: truncate(document.notes.join(' '), 1_000, '...') } : {}),
  }
}

function messageOf(action: 'create' | 'update', { document, state }: Changed): string {
  if (state === 'processing')
    return `The document is still being read; manage_document(action='get', document_id='${document.id}') shows when it is done`
  const nothing = document.chunks === 0 ? '; it holds no text, so nothing in it can be found' : ''
  if (action === 'update') return `Document updated successfully${nothing}`
  if (state === 'created')
    return `Document ingested successfully with ${counted(document.chunks, 'chunk')}${nothing}`
  return state === 'unchanged'
    ? 'The same document was there already; nothing changed'
    : 'The same document was there already; its facts were updated'
}
