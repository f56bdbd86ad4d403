// Where a record names its options: in a list, in lines that are labelled, in a table, under headings, or after a sentence that
// says that they are options.
import type { AdrOption } from './adr.js'
import { isCalledOption, labelOf, withoutLabel } from './option-names.js'
import { boldLine, cellsOf, type Page, type Part, type Piece, textOf } from './page.js'
import { plain } from './plain.js'
import { sideOf } from './sides.js'

/** Options that stand beside each other. */
export interface List {
  options: AdrOption[]
  /** A heading tells more of an option that a list has, most often. */
  isHeadings: boolean
}

export function optionLists(page: Page): List[] {
  const lists = [...page.parts.filter(({ own }) => own === 'options').map(listIn), ...headed(page)]
  return lists.some(({ options }) => options.length > 0) ? lists : introduced(page)
}

function listIn({ pieces }: Part): List {
  const labelled = labelledLines(pieces)
  if (labelled.length > 1) return { options: labelled, isHeadings: false }
  const items = itemsOf(pieces)
  return { options: items.length > 0 ? items : rowsOf(pieces), isHeadings: false }
}

/** "**Option 1:** One queue", or a line that is bold as a whole. */
function labelledLines(pieces: readonly Piece[]): AdrOption[] {
  const lines = pieces.flatMap((piece) => (piece.kind === 'paragraph' ? piece.lines : []))
  return lines.flatMap(({ text, line }) => {
    const name = boldLine.exec(text.trim())?.[1] ?? (isCalledOption(plain(text)) ? text : '')
    return name === '' || sideOf(plain(name)) ? [] : [optionNamed(plain(name), line)]
  })
}

function itemsOf(pieces: readonly Piece[]): AdrOption[] {
  const items = pieces.filter(({ kind, depth }) => kind === 'item' && depth === 0)
  if (items.length === 1 && isNothing(textOf(items[0]!))) return []
  const options = items.map((item) => optionNamed(textOf(item), item.line))
  return counted(toldApart(options, items), items)
}

/** What begins alike goes by more than its beginning. */
function toldApart(options: readonly AdrOption[], items: readonly Piece[]): AdrOption[] {
  const names = options.map(({ name }) => name.toLowerCase())
  return options.map((option, i) =>
    names.indexOf(names[i]!) === names.lastIndexOf(names[i]!)
      ? option
      : { ...option, name: shortened(withoutLabel(textOf(items[i]!))) },
  )
}

/** "N/A", "None considered". */
function isNothing(text: string): boolean {
  return /^(?:n\/a|none|not applicable|tb[cd]|todo)\b.{0,20}$/i.test(text)
}

/** An item's number is its label, unless one has a label in words or all are written as the same number. */
function counted(options: readonly AdrOption[], items: readonly Piece[]): AdrOption[] {
  const numbers = items.flatMap(({ ordinal }) => ordinal ?? [])
  if (new Set(numbers).size < numbers.length || options.some(({ label }) => label)) return [...options]
  return options.map((option, i) => ({ ...option, label: items[i]!.ordinal?.toString() ?? null }))
}

/** Of a table whose first column is called so. */
function rowsOf(pieces: readonly Piece[]): AdrOption[] {
  return pieces.flatMap(({ kind, lines, line, table }) => {
    const isOption =
      kind === 'row' && table && line !== table.line && optionColumn.test(plain(table.header[0] ?? ''))
    const name = isOption ? plain(cellsOf(lines[0]!.text)[0] ?? '') : ''
    return name === '' ? [] : [optionNamed(name, line)]
  })
}

const optionColumn =
  /^(?:considered )?(?:options?|alternatives?|solutions?|approach(?:es)?|candidates?|choices?)$/i

/** Headings under "Options" and under "Pros and cons" are options, as are those that say so of themselves. */
function headed(page: Page): List[] {
  const under = new Map<Part | null, Part[]>()
  for (const part of page.parts.slice(1)) {
    if (part.own !== null || isAside(part.heading) || !isOption(part)) continue
    const beside = under.get(part.parent) ?? []
    under.set(part.parent, beside)
    beside.push(part)
  }
  return [...under.values()]
    .filter(([first, ...more]) => isTold(first!.parent) || more.length > 0 || isAlternative(first!))
    .map(asList)
}

function asList(parts: readonly Part[]): List {
  const options = parts.map(({ heading, line }) => optionNamed(heading.replace(/^alternative: /i, ''), line))
  return { options, isHeadings: true }
}

function isOption(part: Part): boolean {
  if (isTold(part.parent)) return !isOneAlternative(part.parent!.heading) || labelOf(part.heading) !== null
  const isElsewhere = part.role === null || part.role === 'context' || part.role === 'drivers'
  return isElsewhere && (isAlternative(part) || isCalledOption(part.heading))
}

function isTold(parent: Part | null): boolean {
  return parent?.own === 'options' || parent?.own === 'arguments'
}

/** What stands below "The considered alternative" tells of that one. */
function isOneAlternative(heading: string): boolean {
  return /\b(?:option|alternative)\W*$/i.test(heading)
}

function isAlternative({ heading }: Part): boolean {
  return /^alternative: \S/i.test(heading)
}

function isAside(heading: string): boolean {
  return /^(?:pros?|cons?|advantages|disadvantages|summary|conclusion|notes?)\b/i.test(heading)
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

export function optionNamed(written: string, line: number): AdrOption {
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
