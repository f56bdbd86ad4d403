import { z } from 'zod'
import { isMiss } from '../../../answer/find-passages.js'
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
import { thousands } from '../../../text/counted.js'
import { type ReadDocument, type ReadSection, readDocument, readOutline, readSection } from '../read.js'
import { heading, showHeading } from './search.js'

export const getDocumentTool = defineTool({
  name: 'documents_get_document',
  title: 'Get a document',
  summary:
    'Returns the text of a document. A very long one comes as its first part, its outline and a cursor.',
  effect: 'read',
  input: z.object({ collection, document, max_tokens: maxTokens, cursor }),
  clamp: { max_tokens: mostTokens },
  output: z.union([
    z.object({
      ...collectionFields,
      document: z.string(),
      title: z.string(),
      content: z.string(),
      outline: z.array(heading).optional(),
      ...partFields,
    }),
    z.string(),
  ]),
  examples: [
    { title: 'All of it', args: { collection: 'library', document: 'notes/concepts/outbox.md' } },
    {
      title: 'The first part',
      args: { collection: 'library', document: 'guides/configuration.md', max_tokens: 200 },
    },
  ],
  run: ({ library }: DocumentsServices, { max_tokens, ...args }, call) =>
    readDocument(library, { ...args, maxTokens: max_tokens }, call),
  view: (read, { cursor }) =>
    isMiss(read)
      ? read.miss
      : {
          ...named(read.source),
          document: read.path,
          title: read.title,
          content: read.text,
          ...(read.next === null ? noted(read.notes) : inParts(read, cursor === undefined)),
        },
})

function inParts(read: ReadDocument, isFirst: boolean) {
  const outline = isFirst ? shortOutline(read.sections) : []
  return {
    ...(outline.length > 0 ? { outline: outline.map(showHeading) } : {}),
    nextCursor: read.next!,
    ...noted([...read.notes, { message: shown(read, outline.length) }]),
  }
}

function shown({ startLine, endLine, lines, sections }: ReadDocument, listed: number): string {
  const section = sections.length > 0 ? ', or one section with documents_get_section' : ''
  const all = thousands(sections.length)
  const cut =
    listed > 0 && listed < sections.length
      ? ` The outline has ${listed} of ${all} headings; documents_get_outline has all of them.`
      : ''
  return `Lines ${startLine}-${endLine} of ${lines}. Get the next part with cursor = nextCursor${section}.${cut}`
}

const mostHeadings = 150

/** As deep as fits; where only the title would, what comes first below it. */
function shortOutline(sections: ReadDocument['sections']): ReadDocument['sections'] {
  if (sections.length <= mostHeadings) return sections
  const depths = [6, 5, 4, 3, 2, 1].map((depth) => sections.filter(({ level }) => level <= depth))
  const fits = depths.find((some) => some.length > 1 && some.length <= mostHeadings)
  return fits ?? depths.findLast((some) => some.length > 1)!.slice(0, mostHeadings)
}

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

export const getOutlineTool = defineTool({
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
