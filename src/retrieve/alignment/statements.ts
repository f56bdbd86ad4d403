// What of a record is read together with a proposal: a statement at a time, each under the record's title.
import type { Stand } from '../../embed/entail/port.js'
import type { Adr } from '../../parse/adr/adr.js'
import { letters } from '../../parse/adr/option-names.js'
import { sentences } from '../../text/sentences.js'
import { type Most, type Passage, passagesOf } from './passages.js'

export interface Statement extends Passage {
  /** As it is read: an option with what became of it; of a title nothing. */
  body: string
  /** The same under the title. */
  whole: string
}

/** What came of reading a statement together with a part of the proposal. */
export interface Read {
  statement: Statement
  part: string
  stand: Stand
}

/** What came of reading a record: its nearest statements one by one, and all of them at once. */
export interface ReadRecord {
  statements: Read[]
  /** One for each part of the proposal. */
  atOnce: Stand[]
}

/** Only the few that stand nearest to a proposal are read with it. */
const many: Most = { options: 8, decision: 120, context: 0, outcomes: 8, elsewhere: 120 }

/** Nothing of how things were before, and no option that was only listed. */
export function statementsOf(adr: Adr): Statement[] {
  const title = adr.title.replace(/[\s.]+$/, '')
  const under = (body: string) => ({ body, whole: `${title}. ${body}` })
  const isRejected = adr.status === 'rejected'
  const [titled, ...rest] = passagesOf(adr, many)
  const first: Statement = { ...titled, ...(isRejected ? under(rejected) : { body: '', whole: title }) }
  const chosen = rest.filter(({ role }) => role === 'chosen').map(({ text }) => ` ${letters(text)} `)
  // "MIT" was turned down for "MIT and CC0": whoever wants both would seem to go against it.
  const isOfChosen = (text: string) => chosen.some((name) => name.includes(` ${letters(text)} `))
  const others = rest.flatMap((one): Statement[] => {
    switch (one.role) {
      case 'chosen':
        return [{ ...one, ...under(`Chosen option: ${one.text}.`) }]
      case 'refused':
        if (isOfChosen(one.text)) return []
        return [{ ...one, ...under(one.isOption ? `${one.text} was rejected.` : one.text) }]
      case 'said':
      case 'outcome':
        return [{ ...one, ...under(one.text) }]
      default:
        return []
    }
  })
  return [first, ...others]
}

const rejected = 'This was rejected.'

/**
 * Some statements of a record, the nearest first, as they are read at once: under its title, in its own order. A rule may stand
 * in one of them and its exception in another.
 */
export function atOnce(title: Statement, nearest: readonly Statement[]): string {
  const taken: Statement[] = []
  let length = 0
  for (const one of nearest) {
    length += one.body.length
    if (one !== title && (taken.length === 0 || length <= longestAtOnce)) taken.push(one)
  }
  const bodies = taken.sort((a, b) => a.line - b.line).map(({ body }) => body)
  return [title.whole.replace(/\.?$/, bodies.length > 0 ? '.' : ''), ...bodies].join(' ')
}

/** In characters; the model reads 224 pieces of both texts. */
const longestAtOnce = 760

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
