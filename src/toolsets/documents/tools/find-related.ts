import { z } from 'zod'
import { isMiss } from '../../../answer/find-passages.js'
import { defineTool } from '../../../server/define.js'
import {
  collection,
  collectionFields,
  type DocumentsServices,
  document,
  named,
  noted,
  rounded,
} from '../../../server/fields.js'
import { findRelated } from '../related.js'
import { relatedWithinRoom, wayOn } from './search.js'

export const findRelatedTool = defineTool({
  name: 'documents_find_related',
  title: 'Find related passages',
  summary: 'Finds passages of all collections that are about the same as a document or one of its passages.',
  effect: 'read',
  input: z.object({
    collection,
    document,
    chunk: z
      .string()
      .optional()
      .describe('A passage of it, its text or chunk_id; else the whole document is compared'),
    limit: z.int().min(1).default(5).describe('Most passages to return, up to 50'),
    sameDocument: z.boolean().default(false).describe('Also passages of the same document'),
  }),
  clamp: { limit: 50 },
  output: z.union([
    z.object({
      source: z.object({ ...collectionFields, document: z.string() }),
      related: z.array(
        z.object({
          ...collectionFields,
          document: z.string(),
          documentTitle: z.string(),
          sectionHeading: z.string().optional(),
          content: z.string(),
          relevanceScore: z.number(),
        }),
      ),
      note: z.string().optional(),
    }),
    z.string(),
  ]),
  examples: [
    {
      title: 'Beside a note',
      args: { collection: 'library', document: 'notes/concepts/outbox.md', limit: 3 },
    },
  ],
  run: async ({ library }: DocumentsServices, args, { signal }) => {
    const answer = await findRelated(library, { ...args, signal })
    return isMiss(answer) ? answer : relatedWithinRoom(answer, args.chunk ?? '', wayOn)
  },
  view: (answer) =>
    isMiss(answer)
      ? answer.miss
      : {
          source: { ...named(answer.source), document: answer.path },
          related: answer.related.map((one) => ({
            ...named(one.source),
            document: one.ref.path,
            documentTitle: one.document.title,
            ...(one.heading === null ? {} : { sectionHeading: one.heading }),
            content: one.text,
            relevanceScore: rounded(one.score),
          })),
          ...noted(answer.notes),
        },
})
