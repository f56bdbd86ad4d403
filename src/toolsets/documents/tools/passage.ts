// One row of a search, as both search tools show it.
import { z } from 'zod'
import type { FoundPassage } from '../../../answer/find-passages.js'
import { aboutLines } from '../../../answer/notes/converted.js'
import type { Section } from '../../../model/document.js'
import {
  collectionFields,
  named,
  noted,
  rounded,
  standingFields,
  standingOf,
} from '../../../server/fields.js'

export const passage = z.object({
  ...collectionFields,
  documentId: z.string(),
  documentTitle: z.string(),
  sectionHeading: z.string().optional(),
  content: z.string(),
  relevanceScore: z.number(),
  /** Left out where there is no vector to measure. */
  distance: z.number().optional(),
  chunkIndex: z.int().describe('Position in the document, from 1'),
  totalChunks: z.int(),
  lines: z.array(z.int()),
  ...standingFields,
  note: z.string().optional(),
})

export function showPassage(found: FoundPassage): z.input<typeof passage> {
  return {
    ...named(found.source),
    documentId: found.ref.path,
    documentTitle: found.document.title,
    ...(found.heading === null ? {} : { sectionHeading: found.heading }),
    content: found.text,
    relevanceScore: rounded(found.score),
    ...(found.distance === null ? {} : { distance: rounded(found.distance) }),
    chunkIndex: found.index + 1,
    totalChunks: found.document.chunkCount,
    lines: found.lines,
    ...standingOf(found),
    ...noted(aboutLines({ ...found.document, source: found.source })),
  }
}

/** A cut ends with the call that has the rest. */
export function wayOn({ heading, lines, ref }: Pick<FoundPassage, 'heading' | 'lines' | 'ref'>): string {
  const rest =
    heading === null ? `documents_get_document has ${ref.path}` : `documents_get_section has "${heading}"`
  return `\n[cut from lines ${lines[0]}-${lines[1]}: ${rest}]`
}

export const heading = z.object({ level: z.int(), text: z.string(), line: z.int() })

export function showHeading({ level, text, line }: Section): z.input<typeof heading> {
  return { level, text, line }
}
