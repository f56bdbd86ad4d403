import { z } from 'zod'
import { listDocuments } from '../../answer/browse.js'
import { isMiss } from '../../answer/collections.js'
import { searchAll } from '../../answer/search-documents.js'
import { defineTool, defineToolset } from '../../server/define.js'
import { errorShapes } from '../../server/error-shapes.js'
import {
  collection,
  collectionFields,
  collections,
  type DocumentsServices,
  document,
  hybridSearch,
  maxDistance,
  named,
  noted,
} from '../../server/fields.js'
import { indexNote } from '../../server/note.js'
import { readOutline } from './read.js'
import { withinRoom } from './room.js'
import { findRelatedTool } from './tools/find-related.js'
import { getDocumentTool } from './tools/get-document.js'
import { getSectionTool } from './tools/get-section.js'
import { heading, showHeading } from './tools/heading.js'
import { listCollectionsTool } from './tools/list-collections.js'
import { passage, showPassage, wayOn } from './tools/passage.js'
import { searchTool } from './tools/search.js'

const getOutlineTool = defineTool({
  name: 'documents_get_outline',
  title: "Get a document's outline",
  summary: 'Returns the headings of a document with levels and lines.',
  effect: 'read',
  input: z.object({
    collection,
    document,
    maxDepth: z.int().min(1).default(3).describe('Deepest heading level, 1..6'),
  }),
  clamp: { maxDepth: 6 },
  output: z.union([
    z.object({
      ...collectionFields,
      document: z.string(),
      title: z.string(),
      outline: z.array(heading),
      note: z.string().optional(),
    }),
    z.string(),
  ]),
  examples: [
    {
      title: 'The main parts',
      args: { collection: 'library', document: 'guides/api-reference.md', maxDepth: 2 },
    },
  ],
  run: ({ library }: DocumentsServices, args) => readOutline(library, args),
  view: (outline) =>
    isMiss(outline)
      ? outline.miss
      : {
          ...named(outline.source),
          document: outline.path,
          title: outline.title,
          outline: outline.sections.map(showHeading),
          ...noted(outline.notes),
        },
})

const searchBatchTool = defineTool({
  name: 'documents_search_batch',
  title: 'Search documents for several questions',
  summary: 'Answers up to 10 searches at once, cheaper than one by one.',
  effect: 'read',
  input: z.object({
    queries: z
      .array(z.strictObject({ query: z.string().describe('What to look for'), collections }))
      .min(1)
      .max(10)
      .describe('The searches'),
    limit: z.int().min(1).default(5).describe('Most passages per query, up to 50'),
    maxDistance,
    hybridSearch,
  }),
  clamp: { limit: 50 },
  output: z.object({
    results: z.array(z.object({ query: z.string(), results: z.array(passage), note: z.string().optional() })),
  }),
  examples: [
    {
      title: 'Two questions',
      args: { queries: [{ query: 'quiet hours' }, { query: 'webhook signatures' }], limit: 2 },
    },
  ],
  run: async ({ library }: DocumentsServices, { queries, limit, maxDistance, hybridSearch }, { signal }) => {
    const mode = hybridSearch ? 'hybrid' : 'vector'
    return withinRoom(await searchAll(library, queries, { limit, maxDistance, mode, signal }), wayOn)
  },
  view: (answers, { queries }) => ({
    results: answers.map((answer, i) => {
      const { query } = queries[i]!
      if (isMiss(answer)) return { query, results: [], note: answer.miss }
      return { query, results: answer.passages.map(showPassage), ...noted(answer.notes) }
    }),
  }),
})

const listDocumentsTool = defineTool({
  name: 'documents_list_documents',
  title: 'List documents',
  summary: 'Lists the documents of a collection by id, with titles and sizes in characters.',
  effect: 'read',
  input: z.object({
    collection,
    limit: z.int().min(1).default(100).describe('Most documents to return, up to 1000'),
    offset: z.int().min(0).default(0).describe('Documents to skip'),
  }),
  clamp: { limit: 1_000, offset: 100_000_000 },
  output: z.union([
    z.object({
      ...collectionFields,
      documents: z.array(z.object({ id: z.string(), title: z.string(), size: z.int() })),
      total: z.int(),
      hasMore: z.boolean(),
      note: z.string().optional(),
    }),
    z.string(),
  ]),
  examples: [
    { title: 'The first five', args: { collection: 'library', limit: 5 } },
    { title: 'The next five', args: { collection: 'library', limit: 5, offset: 5 } },
  ],
  run: ({ library }: DocumentsServices, args) => listDocuments(library, args),
  view: (list, { offset }) =>
    isMiss(list)
      ? list.miss
      : {
          ...named(list.source),
          documents: list.documents.map(({ path, title, chars }) => ({ id: path, title, size: chars })),
          total: list.total,
          hasMore: offset + list.documents.length < list.total,
          ...noted(list.notes),
        },
})

export const documentsToolset = defineToolset<DocumentsServices>({
  name: 'documents',
  title: 'Documents',
  purpose: 'Browse, search and read the collections of documentation, whole or by section.',
  errorShape: errorShapes.documents,
  beside: async ({ library }, _args, { isNothing }) => (isNothing ? indexNote(library, true) : null),
  tools: [
    listCollectionsTool,
    searchTool,
    getDocumentTool,
    listDocumentsTool,
    getOutlineTool,
    getSectionTool,
    searchBatchTool,
    findRelatedTool,
  ],
})
