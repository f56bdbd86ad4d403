// The options a record weighed, which one it took, and why.
import type { Adr, AdrOption } from './adr.js'
import { type Choice, choiceIn } from './choice.js'
import { argue, likenesses } from './option-arguments.js'
import { labelOf, sameWords, withoutLabel } from './option-names.js'
import { type Page, type Part, type Piece, textOf } from './page.js'

export function optionsOf(page: Page, decision: Adr['decision']): AdrOption[] {
  const options = firstOf([...listed(page), ...headed(page)]).reduce<AdrOption[]>(joined, [])
  for (const part of page.parts)
    if (part.role === 'arguments' || part.role === 'options')
      argue(options, part, (heading) => optionNamed(heading, part.line).name)
  const choice = choiceIn(options, decision)
  if (choice) take(options, choice)
  return options
}

/** What the decision takes counts; one that a list only prefers or recommends stays listed then. */
function take(options: readonly AdrOption[], { option, because }: Choice) {
  for (const one of options) if (one.outcome === 'chosen') one.outcome = 'listed'
  option.outcome = 'chosen'
  option.because ??= because
}

// Names are compared with each other: a record with more options than this has something else in mind.
const most = 80

function firstOf(lists: readonly List[]): List[] {
  let left = most
  return lists.flatMap((list) => {
    const options = list.options.slice(0, left)
    left -= options.length
    return options.length > 0 ? { ...list, options } : []
  })
}

/** Options that stand beside each other. */
interface List {
  options: AdrOption[]
  /** A heading tells more of an option that a list has, most often. */
  isHeadings: boolean
}

// --- Names.

function listed(page: Page): List[] {
  return page.parts
    .filter((part) => part.own === 'options')
    .map(({ pieces }) => {
      const items = pieces.filter(({ kind, depth }) => kind === 'item' && depth === 0)
      const options = items.map((item) => optionNamed(textOf(item), item.line))
      return { options: counted(options, items), isHeadings: false }
    })
}

/** An item's number is its label, unless one has a label in words or all are written as the same number. */
function counted(options: readonly AdrOption[], items: readonly Piece[]): AdrOption[] {
  const numbers = items.flatMap(({ ordinal }) => ordinal ?? [])
  if (new Set(numbers).size < numbers.length || options.some(({ label }) => label)) return [...options]
  return options.map((option, i) => ({ ...option, label: items[i]!.ordinal?.toString() ?? null }))
}

/** Headings under "Options" and under "Pros and cons" are options, unless they are one of their own parts. */
function headed(page: Page): List[] {
  const under = new Map<Part, AdrOption[]>()
  for (const { own, parent, heading, line } of page.parts) {
    if (own !== null || (parent?.own !== 'options' && parent?.own !== 'arguments')) continue
    if (isAside(heading)) continue
    const beside = under.get(parent) ?? []
    under.set(parent, beside)
    beside.push(optionNamed(heading, line))
  }
  return [...under.values()].map((options) => ({ options, isHeadings: true }))
}

function isAside(heading: string): boolean {
  return /^(?:pros?|cons?|advantages|disadvantages|summary|conclusion|notes?)\b/i.test(heading)
}

function optionNamed(written: string, line: number): AdrOption {
  const text = written.replace(/^\[[ xX]\]\s*/, '')
  const { name, tail } = nameAndTail(withoutLabel(text))
  const refused =
    /^[^\p{L}\p{N}]*(?:rejected|refused|declined|discarded|dismissed|not chosen|ruled out)\b/iu.test(tail)
  const taken = /^[^\p{L}\p{N}]*(?:chosen|selected|accepted|preferred|picked|recommended)\b/iu.test(tail)
  return {
    name,
    label: labelOf(text),
    line,
    pros: [],
    cons: [],
    neutral: [],
    outcome: refused ? 'rejected' : taken ? 'chosen' : 'listed',
    because:
      refused || taken
        ? tail.replace(/^[^\p{L}\p{N}]*\w+(?: for now)?[^\p{L}\p{N}]*/u, '').trim() || null
        : null,
  }
}

/** "A base class with hooks. Rejected: hooks grow" and "Types (preferred)": a name, and what is said of it. */
function nameAndTail(text: string): { name: string; tail: string } {
  const verdict =
    /(?<![\s.(:;,–—-])[\s.(:;,–—-]+(?:\(|\b)(?=(?:rejected|refused|declined|discarded|dismissed|not chosen|ruled out|chosen|selected|preferred|picked|recommended)\b)/i.exec(
      text,
    )
  if (verdict && verdict.index > 0)
    return { name: shortened(text.slice(0, verdict.index)), tail: text.slice(verdict.index) }
  const sentence = /^(.{3,160}?)(?:\.\s|\s[–—-]\s|:\s)/.exec(text)
  return text.length > 160 && sentence
    ? { name: sentence[1]!, tail: text.slice(sentence[0].length) }
    : { name: shortened(text), tail: '' }
}

/** What is longer is no name, and a row of thousands of marks would be compared at each of them. */
function shortened(name: string): string {
  return name.slice(0, 300).trim()
}

/** What stands in one list is told apart there, however alike: only another list can name it once more. */
function joined(options: AdrOption[], list: List): AdrOption[] {
  let known = options
  let left = list.options.filter(
    ({ name }, i) => name && list.options.findIndex((one) => sameWords(one.name, name)) === i,
  )
  for (const isSame of list.isHeadings ? likenesses : likenesses.slice(0, 2)) {
    const pairs = pairsOf(known, left, isSame)
    for (const [option, again] of pairs) absorb(option, again, list)
    known = known.filter((option) => !pairs.some(([one]) => one === option))
    left = left.filter((option) => !pairs.some(([, one]) => one === option))
  }
  return [...options, ...left]
}

/** Those of two lists that are like each other, and like no other there. */
function pairsOf(
  options: readonly AdrOption[],
  others: readonly AdrOption[],
  isSame: (a: string, b: string) => boolean,
): [AdrOption, AdrOption][] {
  const all = options.flatMap((one) =>
    others.filter(({ name }) => isSame(one.name, name)).map((other): [AdrOption, AdrOption] => [one, other]),
  )
  return all.filter(([one, other]) => all.filter((pair) => pair[0] === one || pair[1] === other).length === 1)
}

function absorb(option: AdrOption, again: AdrOption, { isHeadings }: List) {
  const [first, second] = isHeadings ? [again, option] : [option, again]
  option.label = first.label ?? second.label
  if (option.outcome === 'listed')
    Object.assign(option, { outcome: again.outcome, because: option.because ?? again.because })
}
