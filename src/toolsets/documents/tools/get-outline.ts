import { z } from 'zod'
import { isMiss } from '../../../answer/collections.js'
import { defineTool } from '../../../server/define.js'
import {
  collection,
  collectionFields,
  type DocumentsServices,
  document,
  named,
  noted,
} from '../../../server/fields.js'
import { readOutline } from '../read.js'
import { heading, showHeading } from './heading.js'

export const getOutlineTool = defineTool({
  name: 'documents_get_outline',
  title: "Get a document's outline",
  summary: 'Returns the headings of a document with levels and lines.',
  effect: 'read',
  input: z.object({
    collection,
    document,
    maxDepth: z.int().min(1).max(6).default(3).describe('Deepest heading level'),
  }),
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
