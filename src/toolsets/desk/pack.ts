// How `find` uses its characters: which of the units it shows in full, in part or as pointers.
import type { Library } from '../../answer/library.js'
import type { ProjectListing } from '../../answer/project-texts.js'
import { olderThan } from './document-age.js'
import { type ExactPlace, exactLines } from './exact-places.js'
import { range, shortScore } from './lines.js'
import { restsOn } from './rests-on.js'
import { type Unit, unitLines, type Wanted } from './units.js'

/** A unit that the search found less surely is a pointer, never shown in full. */
const weak = 0.06
/** So is one with less than this share of the best relevance. */
const worthShowing = 0.4
/** So many are shown at most. Each after the first two is shown whole if it is not long, else a short part of it. */
const mostShown = 8
const shownFirst = 2
const wholeBlock = 900
const shortBlock = 600
/** Less than this of a function or section says nothing. */
const leastBlock = 250
/** What the best have of the room. Where none is sure, they are shorter and others are shown as well. */
const sure = { from: 0.4, first: 0.6, second: 0.6 }
const unsure = { first: 0.55, second: 0.5 }
/** A block with less than this share of the best relevance gets nothing of the room that is left over. */
const sharesRest = 0.4
/** Where the search found nothing more surely, nothing is strong: only a glimpse of the nearest units is shown. */
const nothingStrong = 0.12
const nearest = { certainty: 0.03, share: 0.5, most: 5 }
/** Beside what is strong, the next best units have a glimpse each. */
const nextBest = { share: 0.2, most: 6 }
/** Characters for the lines around the question's words. */
const glimpseLength = 300
const mostPointers = 8
/** So many where nothing is strong, or the uses of a name are shown. */
const fewPointers = 3
/** A unit with less than this share of the best relevance is not even a pointer. */
const pointed = 0.35
/** Beside the uses of a name, what is shown must be found this surely. */
export const surelyMeant = 0.25

export interface Packing {
  main: readonly Unit[]
  side: readonly Unit[]
  exact: readonly ExactPlace[]
  /** The uses of names that the question has. */
  named: readonly string[]
  wanted: Wanted
  budget: number
  notes: readonly string[]
  listing: ProjectListing
}

/** The text of an answer: the best in full as far as the room goes, then pointers, exact places, tests and notes. */
export async function pack(library: Library, packing: Packing): Promise<string> {
  const { main, side, exact, named, budget, notes } = packing
  const best = main[0]?.relevance ?? 0
  const isWeak = main.every(({ certainty }) => certainty < nothingStrong)
  const tests = testsLine(side, best)
  const fixed = [...named, ...exactLines(exact, () => false), ...tests, ...notes].join('\n').length
  const blocks = await shownBlocks(library, packing, {
    isWeak,
    room: budget - fixed - Math.min(500, 70 * Math.max(0, main.length - 1)),
  })
  const texts = blocks.map(({ text }) => text)
  const shown = new Set(blocks.map(({ unit }) => unit))
  const isShown = ({ path, line }: { path: string; line: number }) =>
    texts.some((text) => text.startsWith(`${path}:`) && text.includes(`\n${line} `))
  const left = budget - fixed - texts.reduce((sum, text) => sum + text.length + 2, 0) - 40
  const most = isWeak || named.length > 0 ? fewPointers : mostPointers
  const pointers = fitting(worthPointing(main, shown, best).slice(0, most).map(pointer), left)
  return [
    ...named.map((text) => `${text}\n`),
    ...(isWeak && named.length === 0
      ? [`Nothing strong. ${main.length > 0 ? 'The nearest:' : ''}`.trim()]
      : []),
    ...texts.map((text) => `${text}\n`),
    ...(pointers.length > 0
      ? [`${texts.length > 0 ? 'Also: ' : ''}${pointers.join(texts.length > 0 ? '; ' : '\n')}`]
      : []),
    ...exactLines(exact, isShown),
    ...tests,
    ...notes,
  ].join('\n')
}

interface Block {
  unit: Unit
  text: string
  isPart: boolean
}

async function shownBlocks(
  library: Library,
  { main, named, wanted, listing }: Packing,
  { isWeak, room: whole }: { isWeak: boolean; room: number },
): Promise<Block[]> {
  const best = main[0]?.relevance ?? 0
  const blocks: Block[] = []
  let room = whole
  const render = (unit: Unit, at: number, room: number, isGlimpse = isWeak) =>
    block(library, unit, { room, wanted, listing, isFirst: at === 0 && !isWeak, isGlimpse })
  const worth = isWeak ? nearestUnits(main, best) : worthBlocks(main, best, named.length > 0)
  for (const unit of worth) {
    const share = isWeak ? Math.min(room, glimpseLength) : shareOf(room, best, blocks.length)
    if (share < leastBlock || blocks.length >= mostShown) break
    const longest = await render(unit, blocks.length, share)
    const isLong = longest.isPart && blocks.length >= shownFirst && share > shortBlock
    const rendered = isLong ? await render(unit, blocks.length, shortBlock) : longest
    blocks.push(rendered)
    room -= rendered.text.length + 2
  }
  if (isWeak) return blocks
  // The room that is left makes the best cut blocks longer.
  for (const [i, one] of blocks.entries()) {
    if (!one.isPart || room < leastBlock || one.unit.relevance < best * sharesRest) continue
    blocks[i] = await render(one.unit, i, one.text.length + room)
    room -= blocks[i]!.text.length - one.text.length
  }
  // The rest of it shows a few lines of the next best units: they say more than a pointer.
  const shown = new Set(blocks.map(({ unit }) => unit))
  for (const unit of nextBestUnits(main, shown, best)) {
    if (room < glimpseLength) break
    const rendered = await render(unit, blocks.length, glimpseLength, true)
    blocks.push(rendered)
    room -= rendered.text.length + 2
  }
  return blocks
}

/** The first that have room, each with the sign that parts it from the next. */
function fitting(texts: readonly string[], room: number): string[] {
  let left = room
  return texts.filter((text) => {
    left -= text.length + 2
    return left >= 0
  })
}

/** Beside the uses of a name only what is found surely is worth showing, and the best. */
function worthBlocks(main: readonly Unit[], best: number, besideUses: boolean): Unit[] {
  const least = Math.max(besideUses ? surelyMeant : 0, worthShowing * best)
  return main.filter(
    ({ relevance, certainty }, i) => (relevance >= least && certainty >= weak) || (besideUses && i === 0),
  )
}

function nearestUnits(main: readonly Unit[], best: number): Unit[] {
  return main
    .filter(({ certainty, relevance }) => certainty >= nearest.certainty && relevance >= nearest.share * best)
    .slice(0, nearest.most)
}

function nextBestUnits(main: readonly Unit[], shown: ReadonlySet<Unit>, best: number): Unit[] {
  return main
    .filter((unit) => !shown.has(unit) && unit.relevance >= nextBest.share * best)
    .slice(0, nextBest.most)
}

/** How much of the room the next block may take. */
function shareOf(room: number, best: number, before: number): number {
  const { first, second } = best >= sure.from ? sure : unsure
  if (before === 0) return room * first
  return before < shownFirst ? room * second : Math.min(room, wholeBlock)
}

/** What is not shown and not far below the best; and the best of a side that would have no place at all. */
function worthPointing(main: readonly Unit[], shown: ReadonlySet<Unit>, best: number): Unit[] {
  const near = (unit: Unit) => unit.relevance >= pointed * best
  return main.filter(
    (unit, i) => !shown.has(unit) && (near(unit) || !main.slice(0, i).some(({ side }) => side === unit.side)),
  )
}

interface BlockOptions {
  room: number
  wanted: Wanted
  listing: ProjectListing
  isFirst: boolean
  isGlimpse: boolean
}

async function block(
  library: Library,
  unit: Unit,
  { room, wanted, listing, isFirst, isGlimpse }: BlockOptions,
): Promise<Block> {
  const age = unit.side === 'docs' ? olderThan(library, listing, unit) : null
  const known = [unit.facts, age].filter(Boolean).join(', ')
  const facts = known === '' ? '' : ` (${known})`
  const head = `${unit.path}:${range(unit.first, unit.last)}${unit.name && ` ${unit.name}`} ${shortScore(unit.score)}${facts}`
  const under = !isFirst ? [] : unit.side === 'code' ? await restsOn(library, listing, unit) : nextLine(unit)
  const { rows, isPart } = unitLines(unit, room - head.length - under.join('\n').length, wanted, isGlimpse)
  return { unit, text: [head, ...rows, ...under].join('\n'), isPart }
}

function nextLine({ next }: Unit): string[] {
  return next.length === 0
    ? []
    : [`Next: ${next.map(({ name, line, endLine }) => `${range(line, endLine)} ${name}`).join(' · ')}`]
}

function pointer({ path, first, last, name, score }: Unit): string {
  return `${path}:${range(first, last)}${name && ` ${name}`} ${shortScore(score)}`
}

function testsLine(side: readonly Unit[], best: number): string[] {
  const [first] = side
  if (!first || first.relevance < pointed * best) return []
  const more = side.length > 1 ? ` (+${side.length - 1})` : ''
  return [
    `Tests and generated: ${first.path}:${range(first.first, first.last)}${first.name && ` ${first.name}`}${more}`,
  ]
}
