import { z } from 'zod'
import { isMiss } from '../../services/documents/names.js'
import { type ReadDocument, readDocument } from '../../services/documents/read.js'
import { defineTool } from '../define.js'
import {
  collection,
  collectionFields,
  cursor,
  type DocumentsServices,
  document,
  maxTokens,
  named,
  noted,
  partFields,
} from './fields.js'
import { heading, showHeading } from './heading.js'

export const getDocumentTool = defineTool({
  name: 'documents_get_document',
  title: 'Get a document',
  summary:
    'Returns the text of a document. A very long one comes as its first part, its outline and a cursor.',
  effect: 'read',
  input: z.object({ collection, document, max_tokens: maxTokens, cursor }),
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
          ...(read.next === null ? {} : wayOn(read, cursor === undefined)),
          ...noted([...read.notes, ...(read.next === null ? [] : [{ message: shown(read) }])]),
        },
})

function wayOn({ next, sections }: ReadDocument, first: boolean) {
  const outline = first && sections.length > 0 ? { outline: shortOutline(sections).map(showHeading) } : {}
  return { ...outline, nextCursor: next! }
}

function shown({ startLine, endLine, lines, sections }: ReadDocument): string {
  const section = sections.length > 0 ? ', or one section with documents_get_section' : ''
  return `Lines ${startLine}-${endLine} of ${lines}. Get the next part with cursor = nextCursor${section}.`
}

const mostHeadings = 150

/** As deep as fits. */
function shortOutline(sections: ReadDocument['sections']): ReadDocument['sections'] {
  for (let depth = 6; depth > 1; depth--) {
    const some = sections.filter(({ level }) => level <= depth)
    if (some.length <= mostHeadings) return some
  }
  return sections.filter(({ level }) => level === 1).slice(0, mostHeadings)
}
