import { z } from 'zod'
import { listDocuments } from '../../../answer/browse.js'
import { isMiss } from '../../../answer/collections.js'
import { defineTool } from '../../../server/define.js'
import { collection, collectionFields, type DocumentsServices, named, noted } from '../../../server/fields.js'

export const listDocumentsTool = defineTool({
  name: 'documents_list_documents',
  title: 'List documents',
  summary: 'Lists the documents of a collection by id, with titles and sizes in characters.',
  effect: 'read',
  input: z.object({
    collection,
    limit: z.int().min(1).max(1_000).default(100).describe('Most documents to return'),
    offset: z.int().min(0).max(100_000_000).default(0).describe('Documents to skip'),
  }),
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
