// What of a record is compared with a proposal: its title, its options and its sentences, one statement at a time.
import type { Adr } from '../../parse/adr/adr.js'
import { letters } from '../../parse/adr/option-names.js'
import { sentences } from '../../text/sentences.js'
import type { Quote } from './evidence.js'

export interface Statement {
  /** As the record writes it. */
  text: string
  line: number
  role: 'title' | 'chosen' | 'refused' | 'said'
  /** The name of an option, not a sentence. */
  isOption: boolean
  /** As the model reads it below the title: an option with its outcome; empty for the title itself. */
  body: string
  /** The same with the title in front. */
  whole: string
}

const most = { options: 8, decision: 120, elsewhere: 120, consequences: 8 }

/** The title first. Context is left out (it tells how things were), and so are options that were only listed. */
export function statementsOf(adr: Adr): Statement[] {
  const isRejected = adr.status === 'rejected'
  const title = adr.title.replace(/[\s.]+$/, '')
  const statement = (
    { text, line }: { text: string; line: number },
    role: Statement['role'],
    body = text,
    isOption = false,
  ): Statement => ({ text, line, role, isOption, body, whole: body ? `${title}. ${body}` : title })
  const said = [
    ...(adr.decision?.sentences ?? []).slice(0, most.decision),
    ...adr.elsewhere.slice(0, most.elsewhere),
  ]
  const titled = { text: adr.title, line: adr.titleLine ?? 1 }
  const all = [
    ...optionsOf(adr).map(({ name, line, role }) =>
      statement(
        { text: name, line },
        role,
        role === 'chosen' ? `Chosen option: ${name}.` : `${name} was rejected.`,
        true,
      ),
    ),
    ...said.map((one) => statement(one, isRejected ? 'refused' : 'said')),
    ...adr.consequences.slice(0, most.consequences).map((one) => statement(one, 'said')),
  ]
  return [
    isRejected ? statement(titled, 'refused', 'This was rejected.') : statement(titled, 'title', ''),
    ...all.filter(({ text }) => text.trim().length > 2),
  ]
}

export interface DecidedOption {
  name: string
  line: number
  role: 'chosen' | 'refused'
}

/** Options that were chosen or turned down. "MIT" is not turned down where "MIT and CC0" was chosen. */
export function optionsOf({ options }: Adr): DecidedOption[] {
  const chosen = options.filter(({ outcome }) => outcome === 'chosen')
  const isPartOfChosen = (name: string) =>
    chosen.some((one) => ` ${letters(one.name)} `.includes(` ${letters(name)} `))
  return options.slice(0, most.options).flatMap(({ name, line, outcome }): DecidedOption[] => {
    if (outcome === 'chosen') return [{ name, line, role: 'chosen' }]
    const isRefused = outcome === 'rejected' || chosen.length > 0
    return isRefused && !isPartOfChosen(name) ? [{ name, line, role: 'refused' }] : []
  })
}

export function quoteOf({ text, line, role, isOption }: Statement): Quote {
  const as = role === 'chosen' ? 'chosen' : role === 'refused' && isOption ? 'not chosen' : 'said'
  return { decision: text, as, line }
}

/** In characters; the model reads 224 tokens of both texts together. */
const longestAtOnce = 760

/** Several statements of a record as one text, in the record's order: a rule and its exception may stand apart. */
export function readAtOnce(title: Statement, nearest: readonly Statement[]): string {
  const taken: Statement[] = []
  let length = 0
  for (const one of nearest) {
    length += one.body.length
    if (one !== title && (taken.length === 0 || length <= longestAtOnce)) taken.push(one)
  }
  const bodies = taken.sort((a, b) => a.line - b.line).map(({ body }) => body)
  return [title.whole.replace(/\.?$/, bodies.length > 0 ? '.' : ''), ...bodies].join(' ')
}

const longestPart = 420
/** A proposal of 5,000 characters has about so many. */
const mostParts = 14

/** A proposal as the model reads it: whole where it is short, else a few sentences at a time. */
export function partsOf(text: string): string[] {
  const parts: string[] = []
  for (const line of text.split(/\n+/))
    for (const { text: sentence } of sentences(line)) {
      const last = parts.at(-1)
      if (last !== undefined && last.length + sentence.length < longestPart)
        parts[parts.length - 1] = `${last} ${sentence}`
      else parts.push(sentence.slice(0, longestPart))
    }
  return parts.slice(0, mostParts)
}
