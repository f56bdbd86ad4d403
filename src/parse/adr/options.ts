// The options a record weighed, which one it took, and why.
import type { Adr, AdrOption } from './adr.js'
import { type Choice, choiceIn } from './choice.js'
import { kindOfText } from './content.js'
import { type List, optionLists, optionNamed } from './option-lists.js'
import { isHeadBeforeMark, isHeadOfWords, sameWords } from './option-names.js'
import { cellsOf, type Page, type Part, type Piece, textOf } from './page.js'
import { plain } from './plain.js'
import { type Side, sideOf, sideOfLabel } from './sides.js'

export function optionsOf(page: Page, decision: Adr['decision']): AdrOption[] {
  const options = firstOf(optionLists(page)).reduce<AdrOption[]>(joined, [])
  if (options.length > 0) for (const part of page.parts) argue(options, part)
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

const likenesses = [sameWords, isHeadBeforeMark, isHeadOfWords]

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

// --- Pros and cons.

/** What stands below an option's heading, line or item is about it. */
function argue(options: readonly AdrOption[], part: Part) {
  let option = ownerOf(options, part)
  // An option may be called "Good, because".
  let side = option && isCalled(option, part) ? null : sideOf(part.heading)
  for (const piece of part.pieces) {
    const named = options.filter(({ line }) => piece.lines.some((one) => one.line === line)).at(-1)
    if (named) [option, side] = [named, null]
    if (!option) continue
    if (piece.kind === 'row') argueRow(option, piece)
    else if (!named) side = argued(option, piece, side)
  }
}

function isCalled(option: AdrOption, { heading, line }: Part): boolean {
  return option.line === line || sameWords(option.name, optionNamed(heading, line).name)
}

/** A label gives what follows its side. */
function argued(option: AdrOption, piece: Piece, side: Side | null): Side | null {
  const text = textOf(piece)
  const isLead = (piece.kind === 'paragraph' || /:\s*$/.test(text)) && text.length < 40
  const label = isLead ? sideOf(text) : sideOfLabel(text)
  if (!label && piece.kind === 'item') place(option, text, side)
  return label ?? side
}

function argueRow(option: AdrOption, { lines, line, table }: Piece) {
  if (!table || table.line === line) return
  const cells = cellsOf(lines[0]!.text)
  for (const [i, header] of table.header.entries()) {
    const side = sideOf(plain(header))
    const said = (cells[i] ?? '').split(/<br\s*\/?>/i).map((one) => plain(one).replace(/^[-+*•]\s+/, ''))
    if (side) for (const text of said.filter(Boolean)) place(option, text, side)
  }
}

/** By its heading's place; among the arguments, by its name as well. */
function ownerOf(options: readonly AdrOption[], part: Part): AdrOption | null {
  const isArgued = part.role === 'arguments' || part.role === 'options'
  for (let at: Part | null = part; at; at = at.parent) {
    const { heading, line } = at
    const own = options.find((option) => option.line === line)
    if (own) return own
    const { name } = isArgued ? optionNamed(heading, line) : { name: '' }
    for (const isSame of isArgued ? likenesses : []) {
      const found = options.filter((option) => isSame(option.name, name))
      if (found.length > 0) return found[0]!
    }
  }
  return null
}

function place(option: AdrOption, text: string, side: Side | null) {
  const kind = kindOfText(text) ?? side
  if (!kind) return
  const said = text
    .replace(
      /^(?:good|bad|neutral|pros?|cons?|(?:dis)?advantages?|benefits?|drawbacks?|ok|interesting)\b[\s,:;.–—-]*(?:because\s+)?/i,
      '',
    )
    .slice(0, 500)
  const into = kind === 'good' ? option.pros : kind === 'bad' ? option.cons : option.neutral
  if (into.length < 40) into.push(said || text.slice(0, 500))
}
