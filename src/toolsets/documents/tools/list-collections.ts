import { z } from 'zod'
import { listCollections } from '../../../answer/browse.js'
import { unsyncedPackages } from '../../../answer/notes/unsynced-packages.js'
import { defineTool } from '../../../server/define.js'
import { collectionFields, type DocumentsServices, named, noted } from '../../../server/fields.js'
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
    untaken: await unsyncedPackages(library),
  }),
  view: ({ collections, untaken }) => [
    ...collections.map(({ source, documents, notes }) => ({
      ...named(source),
      documentCount: documents,
      ...(source.description === undefined ? {} : { description: oneLine(source.description) }),
      ...(source.version === undefined ? {} : { version: oneLine(source.version) }),
      ...noted(notes),
    })),
    ...untaken.map(({ alias, sentence }) => ({ collection: alias, documentCount: 0, note: sentence })),
  ],
})
