// The options a record weighed, which one it took, and why.
import type { Adr, AdrOption } from './adr.js'
import { type Choice, choiceIn } from './choice.js'
import { argue, likenesses } from './option-arguments.js'
import { labelOf, optionNoun, sameWords, withoutLabel } from './option-names.js'
import { cellsOf, type Page, type Part, type Piece, textOf } from './page.js'
import { plain } from './plain.js'
import { sideLabelled, sideNamed } from './sides.js'
import { verdictIn, verdictOf } from './verdicts.js'

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
    .filter(({ own }) => own === 'options' || own === 'arguments')
    .map((part) => {
      const pieces = part.own === 'options' ? namesIn(page, part) : []
      const options = pieces.map((piece) => optionIn(piece))
      return { options: [...counted(options, pieces), ...rowsIn(part)], isHeadings: false }
    })
}

/** The items of a list; failing those and headings, paragraphs that open with a name in bold. */
function namesIn({ parts }: Page, part: Part): Piece[] {
  const items = itemsIn(part)
  if (items.length > 0 || parts.some(({ parent }) => parent === part)) return items
  const bold = part.pieces.filter((piece) => piece.kind === 'paragraph' && boldIn(piece))
  return bold.length > 1 ? bold : []
}

/** Where the first has a label in words, what has none is something else, as is a list of notes. */
function itemsIn({ pieces }: Part): Piece[] {
  let isAside = false
  const items = pieces.filter((piece) => {
    if (piece.kind === 'paragraph') isAside = notes.test(textOf(piece))
    return piece.kind === 'item' && piece.depth === 0 && !isAside
  })
  const isLabelled = items[0] && labelOf(textOf(items[0])) !== null
  return isLabelled ? items.filter((item) => labelOf(textOf(item)) !== null) : items
}

const notes =
  /^(?:some |other |additional |our )?(?:observations?|notes?|remarks?|comments?|questions?|criteria|in (?:all|both|any) (?:cases?|options?))\b.{0,80}:$/i

/** A table with an option in every row. */
function rowsIn({ own, pieces }: Part): AdrOption[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'row' || !piece.table || piece.line === piece.table.line) return []
    const header = piece.table.header.map(plain)
    const cells = cellsOf(piece.lines[0]!.text).map(plain)
    const at = /^(?:#|no\.?|nr\.?|id|№)$/i.test(header[0] ?? '') ? 1 : 0
    const isOfSides = own === 'options' && header.some((head, i) => i > at && sideNamed(head) !== null)
    if (!cells[at] || sideNamed(header[at] ?? '') || !(isOfSides || optionHead.test(header[at] ?? '')))
      return []
    const option = optionNamed(cells[at], piece.line)
    const said = header.findIndex((head) => /^(?:verdict|decision|outcome|status|result)$/i.test(head))
    const outcome = said < 0 ? null : verdictOf(cells[said] ?? '')
    return [outcome ? { ...option, outcome } : option]
  })
}

const optionHead =
  /^(?:(?:option|alternative|solution|approach|candidate|choice|variant|proposal)s?|alternativen?|optionen|varianten?|opci(?:ón|ones)|op(?:ção|ções)|alternativas?|opzion[ei]|opcj[ae]|вариант[ы]?|选项|方案|選択肢|代替案|옵션|대안)$/iu

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
  return (
    sideLabelled(heading) !== null ||
    /^(?:pros?|cons?|advantages|disadvantages|summary|conclusion|notes?)\b/i.test(heading)
  )
}

function optionIn(piece: Piece): AdrOption {
  return optionNamed(textOf(piece), piece.line, boldIn(piece))
}

/** What an item opens with in bold is its name, unless the sentence goes on: "**Redis** – fast", not "**Only** Redis". */
function boldIn({ kind, lines }: Piece): string | null {
  const [first, ...more] = lines.map(({ text }) => text)
  const text = [first!.trimEnd(), ...more].join(' ')
  const [, bold = '', rest = ''] = boldLead.exec(text) ?? []
  const isWhole = rest === '' || /[.:：]$/.test(bold) || /^\s*[.,:：;(（–—-]/.test(rest)
  const isOwnLine = kind === 'paragraph'
  const name = withoutLabel(plain(bold)).replace(/[\s.:：,;–—-]+$/, '')
  return (isWhole || isOwnLine) && name !== '' && !isLabel.test(name) ? name : null
}

const boldLead = /^(?:\[[ xX]\]\s*)?(?:\*\*|__)(?=\S)(.{1,200}?)(?:\*\*|__)(.*)$/
const isLabel = new RegExp(`^(?:${optionNoun}#?)?(?:\\d{1,2}|[a-z])$`, 'iu')

function optionNamed(written: string, line: number, bold: string | null = null): AdrOption {
  const text = written.replace(/^\[[ xX]\]\s*/, '')
  const said = withoutLabel(text)
  const verdict = verdictIn(said)
  return {
    name: bold ?? (verdict && verdict.at > 0 ? shortened(said.slice(0, verdict.at)) : nameIn(said)),
    label: labelOf(text),
    line,
    pros: [],
    cons: [],
    neutral: [],
    outcome: verdict && verdict.at > 0 ? verdict.outcome : 'listed',
    because: verdict && verdict.at > 0 ? verdict.because : null,
  }
}

/** "A base class with hooks. They …": what is long is told of after its name. */
function nameIn(text: string): string {
  const sentence = /^(.{3,160}?)(?:\.\s|\s[–—-]\s|:\s)/.exec(text)
  return text.length > 160 && sentence ? sentence[1]! : shortened(text)
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
