import { z } from 'zod'
import { listCollections, listDocuments } from '../../../answer/collections.js'
import { unsyncedPackages } from '../../../answer/configured-packages.js'
import { isMiss } from '../../../answer/find-passages.js'
import { defineTool } from '../../../server/define.js'
import { collection, collectionFields, type DocumentsServices, named, noted } from '../../../server/fields.js'
import { oneLine } from '../../../text/one-line.js'

export const listCollectionsTool = defineTool({
  name: 'documents_list_collections',
  title: 'List collections',
  summary: 'Lists the collections with their document counts, descriptions and versions.',
  effect: 'read',
  input: z.object({}),
  output: z.array(
    z.object({
      ...collectionFields,
      documentCount: z.int(),
      description: z.string().optional(),
      version: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
  examples: [{ title: 'What there is', args: {} }],
  run: async ({ library }: DocumentsServices) => ({
    collections: await listCollections(library),
    unsynced: await unsyncedPackages(library),
  }),
  view: ({ collections, unsynced }) => [
    ...collections.map(({ source, documents, notes }) => ({
      ...named(source),
      documentCount: documents,
      ...(source.description === undefined ? {} : { description: oneLine(source.description) }),
      ...(source.version === undefined ? {} : { version: oneLine(source.version) }),
      ...noted(notes),
    })),
    ...unsynced.map(({ alias, sentence }) => ({ collection: alias, documentCount: 0, note: sentence })),
  ],
})

export const listDocumentsTool = defineTool({
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
