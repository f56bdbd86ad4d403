// The options that a record compares, and which one it chose.
import type { Adr, AdrOption } from './adr.js'
import { choiceIn } from './choice.js'
import { sideLabelled, sideNamed } from './content.js'
import {
  isCalledOption,
  labelOf,
  likenesses,
  optionNamed,
  optionNoun,
  sameWords,
  shortened,
  verdictOf,
  withoutLabel,
} from './option-names.js'
import { boldLine, cellsOf, type Page, type Part, type Piece, type Table, textOf } from './page.js'
import { plain } from './plain.js'
import { isNothing } from './references.js'

export function optionsOf(page: Page, decision: Adr['decision']): AdrOption[] {
  const options = firstOf(optionLists(page)).reduce<AdrOption[]>(joined, [])
  const choice = choiceIn(options, decision)
  if (choice) take(options, choice)
  return options
}

/** The decision's choice counts; an option that a list only recommends is then listed. */
function take(options: readonly AdrOption[], choice: AdrOption) {
  for (const one of options) if (one.outcome === 'chosen') one.outcome = 'listed'
  choice.outcome = 'chosen'
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

/** Similar names within one list are different options: only another list can repeat an option. */
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

/** Pairs of options of two lists that match each other and no other. */
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
  if (option.outcome === 'listed') option.outcome = again.outcome
}

// Places where a record names its options: a list, labelled lines, a table, headings, or after a sentence that
// introduces them.

/** The options of one list. */
interface List {
  options: AdrOption[]
  /** Headings usually give the fuller name of an option in a list. */
  isHeadings: boolean
}

function optionLists(page: Page): List[] {
  const parents = new Set(page.parts.map(({ parent }) => parent))
  const fromSections = page.parts.filter(isOfOptions).flatMap((part) => listsIn(part, parents.has(part)))
  const lists = [...fromSections, ...headed(page)]
  return lists.some(({ options }) => options.length > 0) ? lists : introduced(page)
}

function isOfOptions({ own }: Part): boolean {
  return own === 'options' || own === 'arguments'
}

function listsIn(part: Part, hasHeadings: boolean): List[] {
  const names = part.own === 'options' ? namesIn(part, hasHeadings) : []
  return [names, rowsIn(part)].map((options) => ({ options, isHeadings: false }))
}

/** Lines with a label, the items of a list; failing those and headings, paragraphs that open with a name in bold. */
function namesIn({ pieces }: Part, hasHeadings: boolean): AdrOption[] {
  const labelled = labelledLines(pieces)
  if (labelled.length > 1) return labelled
  const items = itemsOf(pieces)
  if (items.length > 0 || hasHeadings) return items
  const bold = pieces.filter((piece) => piece.kind === 'paragraph' && boldIn(piece))
  return bold.length > 1 ? bold.map(optionIn) : []
}

/** "**Option 1:** One queue", or a line that is bold as a whole. */
function labelledLines(pieces: readonly Piece[]): AdrOption[] {
  const lines = pieces.flatMap((piece) => (piece.kind === 'paragraph' ? piece.lines : []))
  return lines.flatMap(({ text, line }) => {
    const name = boldLine.exec(text.trim())?.[1] ?? (isCalledOption(plain(text)) ? text : '')
    return name === '' || isAside(plain(name)) ? [] : [optionNamed(plain(name), line)]
  })
}

function optionIn(piece: Piece): AdrOption {
  return optionNamed(textOf(piece), piece.line, boldIn(piece))
}

/** Bold text at the start of an item is its name, unless the sentence goes on: "**Redis** – fast", not "**Only** Redis". */
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

/** If the first item has a label, items without one are no options; nor is a list of notes. */
function itemsOf(pieces: readonly Piece[]): AdrOption[] {
  let isNote = false
  const all = pieces.filter((piece) => {
    if (piece.kind === 'paragraph') isNote = notes.test(textOf(piece))
    return piece.kind === 'item' && piece.depth === 0 && !isNote
  })
  const isLabelled = all[0] && labelOf(textOf(all[0])) !== null
  const items = isLabelled ? all.filter((item) => labelOf(textOf(item)) !== null) : all
  if (items.length === 1 && isNone(textOf(items[0]!))) return []
  return counted(distinguished(items.map(optionIn), items), items)
}

const notes =
  /^(?:some |other |additional |our )?(?:observations?|notes?|remarks?|comments?|questions?|criteria|in (?:all|both|any) (?:cases?|options?))\b.{0,80}:$/i

/** "N/A", "None considered". */
function isNone(text: string): boolean {
  return text.length < 40 && isNothing(text)
}

/** Options with the same beginning get longer names. */
function distinguished(options: readonly AdrOption[], items: readonly Piece[]): AdrOption[] {
  const names = options.map(({ name }) => name.toLowerCase())
  return options.map((option, i) =>
    names.indexOf(names[i]!) === names.lastIndexOf(names[i]!)
      ? option
      : { ...option, name: shortened(withoutLabel(textOf(items[i]!))) },
  )
}

/** An item's number is its label, unless one has a label in words or all are written as the same number. */
function counted(options: readonly AdrOption[], items: readonly Piece[]): AdrOption[] {
  const numbers = items.flatMap(({ ordinal }) => ordinal ?? [])
  if (new Set(numbers).size < numbers.length || options.some(({ label }) => label)) return [...options]
  return options.map((option, i) => ({ ...option, label: items[i]!.ordinal?.toString() ?? null }))
}

/** A table with an option in every row. */
function rowsIn({ own, pieces }: Part): AdrOption[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'row' || !piece.table || piece.line === piece.table.line) return []
    const header = piece.table.header.map(plain)
    const cells = cellsOf(piece.lines[0]!.text).map(plain)
    const at = nameColumn(piece.table)
    const isOfSides = own === 'options' && header.some((head, i) => i > at && sideNamed(head) !== null)
    if (!cells[at] || sideNamed(header[at] ?? '') || !(isOfSides || optionHead.test(header[at] ?? '')))
      return []
    const option = optionNamed(cells[at], piece.line)
    const verdictColumn = header.findIndex((head) =>
      /^(?:verdict|decision|outcome|status|result)$/i.test(head),
    )
    const outcome = verdictColumn < 0 ? null : verdictOf(cells[verdictColumn] ?? '')
    return [outcome ? { ...option, outcome } : option]
  })
}

/** The first column, unless that only counts. */
function nameColumn({ header }: Table): number {
  return /^(?:#|no\.?|nr\.?|id|№)$/i.test(plain(header[0] ?? '')) ? 1 : 0
}

const optionHead =
  /^(?:(?:considered )?(?:(?:option|alternative|solution|candidate|choice|variant|proposal)s?|approach(?:es)?)|alternativen?|optionen|varianten?|opci(?:ón|ones)|op(?:ção|ções)|alternativas?|opzion[ei]|opcj[ae]|вариант[ы]?|选项|方案|選択肢|代替案|옵션|대안)$/iu

/** Headings under "Options" and "Pros and cons" are options, as are those that name themselves options. */
function headed(page: Page): List[] {
  const under = new Map<Part | null, Part[]>()
  for (const part of page.parts.slice(1)) {
    if (part.own !== null || isAside(part.heading) || !isOption(part)) continue
    const siblings = under.get(part.parent) ?? []
    under.set(part.parent, siblings)
    siblings.push(part)
  }
  return [...under.values()]
    .filter(([first, ...more]) => isOptionList(first!.parent) || more.length > 0 || isAlternative(first!))
    .map(asList)
}

function asList(parts: readonly Part[]): List {
  const options = parts.map(({ heading, line }) => optionNamed(heading.replace(/^alternative: /i, ''), line))
  return { options, isHeadings: true }
}

function isOption(part: Part): boolean {
  if (isOptionList(part.parent))
    return !isOneAlternative(part.parent!.heading) || labelOf(part.heading) !== null
  const isElsewhere = part.role === null || part.role === 'context' || part.role === 'drivers'
  return isElsewhere && (isAlternative(part) || isCalledOption(part.heading))
}

function isOptionList(parent: Part | null): boolean {
  return parent !== null && isOfOptions(parent)
}

/** Headings below "The considered alternative" describe that one alternative. */
function isOneAlternative(heading: string): boolean {
  return /\b(?:option|alternative)\W*$/i.test(heading)
}

function isAlternative({ heading }: Part): boolean {
  return /^alternative: \S/i.test(heading)
}

function isAside(heading: string): boolean {
  return (
    sideLabelled(heading) !== null ||
    /^(?:pros?|cons?|advantages|disadvantages|summary|conclusion|notes?)\b/i.test(heading)
  )
}

/** "We considered these options:" and then a list, or headings. */
function introduced(page: Page): List[] {
  for (const part of page.parts) {
    if (part.role !== 'context' && part.own !== 'decision') continue
    const at = part.pieces.findIndex((piece) => piece.kind === 'paragraph' && introduces(textOf(piece)))
    if (at < 0) continue
    const after = part.pieces.slice(at + 1)
    const end = after.findIndex(({ kind }) => kind !== 'item')
    const items = itemsOf(end < 0 ? after : after.slice(0, end))
    const below =
      after.length > 0 ? [] : page.parts.filter(({ parent, own }) => parent === part && own === null)
    if (items.length > 1) return [{ options: items, isHeadings: false }]
    if (below.length > 1) return [asList(below)]
  }
  return []
}

function introduces(text: string): boolean {
  const sentence = /[^.?!]{1,200}:$/.exec(text.slice(-250))?.[0] ?? ''
  return weighed.some((pattern) => pattern.test(sentence))
}

const nouns = '(?:options|alternatives|approaches|solutions|candidates|possibilities)'
const weighs =
  '(?:consider(?:ed|ing)?|evaluated|explored|discussed|investigated|weighed|compared|looked at|identified)'
const weighed = [
  new RegExp(`\\b${weighs}\\b.{0,60}\\b${nouns}\\b.{0,30}:$`, 'i'),
  new RegExp(`\\b${nouns}\\b.{0,60}\\b${weighs}\\b.{0,30}:$`, 'i'),
  new RegExp(`\\b(?:there (?:are|were)|we (?:have|had|see|saw)) (?:[\\w-]+ ){0,3}${nouns}\\b.{0,80}:$`, 'i'),
]
