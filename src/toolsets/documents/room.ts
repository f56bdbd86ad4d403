// How much of its passages an answer shows where nobody set a budget.

import { isMiss, type Miss } from '../../answer/collections.js'
import type { FoundPassage } from '../../answer/find-passages.js'
import type { Passages } from '../../answer/search-documents.js'
import type { Note } from '../../model/problem.js'
import { shortened } from '../../retrieve/assemble.js'
import type { RelatedAnswer } from './related.js'

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

/** Of what is related the start is shown where there was no question. */
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
