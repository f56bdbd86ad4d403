// One row of a search, as both search tools show it.

import { z } from 'zod'
import { isMiss, type Miss } from '../../../answer/collections.js'
import type { FoundPassage } from '../../../answer/find-passages.js'
import { aboutLines } from '../../../answer/notes/answer-notes.js'
import type { Passages } from '../../../answer/search-documents.js'
import type { Section } from '../../../model/document.js'
import type { Note } from '../../../model/problem.js'
import { shortened } from '../../../retrieve/passages.js'
import {
  collectionFields,
  named,
  noted,
  rounded,
  standingFields,
  standingOf,
} from '../../../server/fields.js'
import type { RelatedAnswer } from '../related.js'

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

// How much of its passages an answer shows without a budget.

/** Several questions share the room: the best passage of each comes first, then the second of each. */
export function withinRoom(
  answers: readonly (Passages | Miss)[],
  ending: (passage: FoundPassage) => string,
): (Passages | Miss)[] {
  const all = answers.flatMap((answer) =>
    isMiss(answer) ? [] : answer.passages.map((passage, rank) => ({ passage, rank, asked: answer.query })),
  )
  const shown = shortened(
    all.toSorted((a, b) => a.rank - b.rank),
    ending,
  )
  return answers.map((answer) => {
    if (isMiss(answer)) return answer
    const passages = answer.passages.map((passage) => shown.get(passage)!)
    return { ...answer, passages, notes: [...answer.notes, ...aboutCuts(passages)] }
  })
}

/** Without a question, related passages are cut at their end. */
export function relatedWithinRoom(
  answer: RelatedAnswer,
  asked: string,
  ending: (passage: RelatedAnswer['related'][number]) => string,
): RelatedAnswer {
  const shown = shortened(
    answer.related.map((passage) => ({ passage, asked })),
    ending,
  )
  const related = [...shown.values()]
  return { ...answer, related, notes: [...answer.notes, ...aboutCuts(related)] }
}

function aboutCuts(shown: readonly { cut: boolean }[]): Note[] {
  const cut = shown.filter((one) => one.cut).length
  if (cut === 0) return []
  const some = cut === 1 ? '1 passage is' : `${cut} passages are`
  return [{ code: 'cut', message: `${some} shown in part, since the answer would be too long otherwise.` }]
}
