// What is embedded of a record and of a proposal: a sentence at a time, few enough to be quick the first time.
import type { Adr } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import type { Decided } from './decided.js'
import type { Prepared } from './prepared.js'
import { slots } from './slots.js'
import type { Stance } from './stances.js'

export type Role = 'title' | 'chosen' | 'refused' | 'listed' | 'said' | 'former' | 'context' | 'outcome'

export interface Passage {
  text: string
  line: number
  role: Role
}

/** Of the many sentences of a record those that tell most; measured to lose nothing that thirty of each would win. */
const most = { options: 8, decision: 12, context: 10, outcomes: 4 }

export function passagesOf(adr: Adr): Passage[] {
  const isRejected = adr.status === 'rejected'
  const hasChosen = adr.options.some(({ outcome }) => outcome === 'chosen')
  const title: Passage = { text: adr.title, line: adr.titleLine ?? 1, role: isRejected ? 'refused' : 'title' }
  const options = adr.options.slice(0, most.options).map(({ name, line, outcome }): Passage => {
    const role = outcome === 'chosen' ? 'chosen' : outcome === 'rejected' || hasChosen ? 'refused' : 'listed'
    return { text: name, line, role }
  })
  const said = (adr.decision?.sentences ?? [])
    .slice(0, most.decision)
    .map(({ text, line }): Passage => ({ text, line, role: isRejected ? 'refused' : 'said' }))
  const context = adr.context
    .slice(0, most.context)
    .map(({ text, line }): Passage => ({ text, line, role: former.test(text) ? 'former' : 'context' }))
  const outcomes = adr.consequences
    .slice(0, most.outcomes)
    .map(({ text, line }): Passage => ({ text, line, role: 'outcome' }))
  const rest = [...options, ...said, ...context, ...outcomes]
  return [title, ...rest.filter(({ text }) => text.trim().length > 2)]
}

/** How things were when the decision was taken. */
const former =
  /\b(?:currently|historically|at present|today|so far|until now|at the moment|previously|as of now|up to now|right now|in the past|presently|originally|initially|traditionally|existing|used to|the current)\b/i

/** All of a record that its reading by meaning asks for. */
export function textsOfRecord(record: Prepared): string[] {
  const { chosen, refused } = phrasesOf(record)
  return [...new Set([...passagesOf(record.adr).map(({ text }) => text), ...chosen, ...refused])]
}

/** What was chosen and what was not, as a phrase: the option without what it is for. */
export function phrasesOf({ stances }: Prepared): { chosen: string[]; refused: string[] } {
  const named = stances.filter(({ from }) => from !== 'decision')
  const of = (side: 1 | -1) => named.filter((one) => one.side === side).map(phraseOf)
  return { chosen: of(1), refused: of(-1) }
}

function phraseOf(decided: Decided): string {
  return decided.from === 'title' ? optionOf(decided) : decided.words
}

/** What a clause picks or turns down, where it can be told; else the clause. */
export function optionOf({ words }: Stance): string {
  return slots(words).option.trim() || words
}

/** The whole, its sentences, their clauses and what those pick. */
export function textsOfProposal(text: string, stances: readonly Stance[]): string[] {
  const parts = sentences(text)
    .slice(0, mostClauses)
    .map((sentence) => sentence.text)
  return [...new Set([text, ...parts, ...stances.map(({ words }) => words), ...stances.map(optionOf)])]
}

/** Whoever says more than this says it in the first of them. */
export const mostClauses = 12
