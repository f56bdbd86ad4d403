import { z } from 'zod'
import { isMiss } from '../../../answer/collections.js'
import { firstOf } from '../../../answer/sections.js'
import { defineTool } from '../../../server/define.js'
import {
  collection,
  collectionFields,
  cursor,
  type DocumentsServices,
  document,
  maxTokens,
  mostTokens,
  named,
  noted,
  partFields,
  section,
} from '../../../server/fields.js'
import { type ReadSection, readSection } from '../read.js'

export const getSectionTool = defineTool({
  name: 'documents_get_section',
  title: 'Get a section',
  summary: 'Returns one section of a document by its heading.',
  effect: 'read',
  input: z.object({
    collection,
    document,
    section: section.describe('Heading, or "Parent / Heading"'),
    includeSubsections: z.boolean().default(true).describe('With nested sections'),
    max_tokens: maxTokens,
    cursor,
  }),
  clamp: { max_tokens: mostTokens },
  output: z.union([
    z.object({
      ...collectionFields,
      document: z.string(),
      section: z.string(),
      level: z.int(),
      content: z.string(),
      startLine: z.int(),
      endLine: z.int(),
      ...partFields,
    }),
    z.string(),
  ]),
  examples: [
    {
      title: 'One section',
      args: { collection: 'library', document: 'guides/api-reference.md', section: 'Errors' },
    },
    {
      title: 'A miss',
      args: { collection: 'library', document: 'guides/api-reference.md', section: 'Erors' },
    },
  ],
  run: ({ library }: DocumentsServices, { max_tokens, ...args }, call) =>
    readSection(library, { ...args, maxTokens: max_tokens }, call),
  view: (read) =>
    isMiss(read)
      ? read.miss
      : {
          ...named(read.source),
          document: read.path,
          section: read.section.text,
          level: read.section.level,
          content: read.text,
          startLine: read.startLine,
          endLine: read.endLine,
          ...(read.next === null ? {} : { nextCursor: read.next }),
          ...noted([...read.notes, ...remarks(read)]),
        },
})

function remarks({ next, lastLine, more, others }: ReadSection): { message: string }[] {
  return [
    ...(next === null
      ? []
      : [
          { message: `The section goes on to line ${lastLine}: get the next part with cursor = nextCursor.` },
        ]),
    ...(more === 0 ? [] : [{ message: firstOf({ more, others }) }]),
  ]
}
