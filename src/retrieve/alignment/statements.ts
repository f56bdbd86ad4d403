// What of a record is read together with a proposal: a statement at a time, each under the record's title.
import type { Stand } from '../../embed/entail/port.js'
import type { Adr } from '../../parse/adr/adr.js'
import { letters } from '../../parse/adr/option-names.js'
import { sentences } from '../../text/sentences.js'
import { type Most, type Passage, passagesOf } from './passages.js'

export interface Statement extends Passage {
  /** As it is read: under the title, and an option with what became of it. */
  whole: string
}

/** What came of reading a statement together with a part of the proposal. */
export interface Read {
  statement: Statement
  part: string
  stand: Stand
}

/** Only the few that stand nearest to a proposal are read with it. */
const many: Most = { options: 8, decision: 120, context: 0, outcomes: 8, elsewhere: 120 }

/** Nothing of how things were before, and no option that was only listed. */
export function statementsOf(adr: Adr): Statement[] {
  const title = adr.title.replace(/[\s.]+$/, '')
  const under = (text: string) => `${title}. ${text}`
  const isRejected = adr.status === 'rejected'
  const [titled, ...rest] = passagesOf(adr, many)
  const first: Statement = { ...titled, whole: isRejected ? under('This was rejected.') : title }
  const chosen = rest.filter(({ role }) => role === 'chosen').map(({ text }) => ` ${letters(text)} `)
  // "MIT" was turned down for "MIT and CC0": whoever wants both would seem to go against it.
  const isOfChosen = (text: string) => chosen.some((name) => name.includes(` ${letters(text)} `))
  const others = rest.flatMap((one): Statement[] => {
    switch (one.role) {
      case 'chosen':
        return [{ ...one, whole: under(`Chosen option: ${one.text}.`) }]
      case 'refused':
        if (isOfChosen(one.text)) return []
        return [{ ...one, whole: under(one.isOption ? `${one.text} was rejected.` : one.text) }]
      case 'said':
      case 'outcome':
        return [{ ...one, whole: under(one.text) }]
      default:
        return []
    }
  })
  return [first, ...others]
}

/** A proposal as it is read: whole where it is short, else a few sentences at a time. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  for (const line of text.split(/\n+/))
    for (const { text: sentence } of sentences(line)) {
      const last = parts.at(-1)
      if (last !== undefined && last.length + sentence.length < longestPart)
        parts[parts.length - 1] = `${last} ${sentence}`
      else parts.push(sentence)
    }
  return parts.slice(0, mostParts)
}

const longestPart = 420
const mostParts = 6
