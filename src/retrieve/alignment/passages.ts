// What a record consists of, a sentence at a time.
import type { Adr } from '../../parse/adr/adr.js'

export type Role = 'title' | 'chosen' | 'refused' | 'listed' | 'said' | 'former' | 'context' | 'outcome'

export interface Passage {
  text: string
  line: number
  role: Role
  /** The name of an option, not a sentence. */
  isOption?: true
}

export interface Most {
  options: number
  decision: number
  context: number
  outcomes: number
  elsewhere: number
}

/** Few enough for all of them to be weighed by their words. */
const few: Most = { options: 8, decision: 24, context: 10, outcomes: 8, elsewhere: 0 }

/** The title first. */
export function passagesOf(adr: Adr, most: Most = few): [title: Passage, ...rest: Passage[]] {
  const isRejected = adr.status === 'rejected'
  const hasChosen = adr.options.some(({ outcome }) => outcome === 'chosen')
  const title: Passage = { text: adr.title, line: adr.titleLine ?? 1, role: isRejected ? 'refused' : 'title' }
  const options = adr.options.slice(0, most.options).map(({ name, line, outcome }): Passage => {
    const role = outcome === 'chosen' ? 'chosen' : outcome === 'rejected' || hasChosen ? 'refused' : 'listed'
    return { text: name, line, role, isOption: true }
  })
  const decided = (adr.decision?.sentences ?? []).slice(0, most.decision)
  const said = [...decided, ...adr.elsewhere.slice(0, most.elsewhere)].map(
    ({ text, line }): Passage => ({ text, line, role: isRejected ? 'refused' : 'said' }),
  )
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
