// `find`: one question over code, documents, decisions and memory, packed for a number of characters: the best units whole,
// the others as pointers, tests in one line.
import { type FoundPassage, findPassages } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { knownSources, withoutSessions } from '../../answer/notes/index-state.js'
import { type ProjectListing, projectListing } from '../../answer/project-texts.js'
import { type Note, Problem, reasonOf } from '../../model/problem.js'
import type { Scope } from '../../model/scope.js'
import { refKey } from '../../model/source.js'
import { withMentions } from '../../retrieve/mentions.js'
import { moved } from '../../retrieve/relevance.js'
import { compileGlob } from '../../text/glob.js'
import { olderThan } from './document-age.js'
import { type ExactPlace, exactLines, exactPlaces } from './exact-places.js'
import { isOfKind, type Kind } from './grep.js'
import { range, shortScore } from './lines.js'
import { restsOn } from './rests-on.js'
import {
  isSide,
  matchesIn,
  questionTerms,
  type Unit,
  unitLines,
  unitOf,
  type Wanted,
  withoutRepeats,
} from './units.js'
import { uses } from './uses.js'

export interface FindRequest {
  question: string
  within?: readonly string[] | undefined
  kind: Kind
  budget: number
}

/** Below this a hit is a pointer, never shown in full. */
const weak = 0.1
/** A hit with less than this share of the best score is a pointer, too. */
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
/** A block with less than this share of the best score gets nothing of the room that is left over. */
const sharesRest = 0.4
/** Below this nothing is strong: of the nearest only the lines around the question's words are shown. */
const nothingStrong = 0.12
const glimpse = { from: 0.05, share: 0.5, most: 5, length: 300 }
/** Beside what is strong, the same for the next best. */
const glimpsed = { share: 0.2, most: 6 }
/** The best of the other side is shown second if it has this share of the best score. */
const otherSide = 0.4
const mostPointers = 8
/** So many where nothing is strong, or the uses of a name are shown. */
const fewPointers = 3
/** A hit with less than this share of the best score is not even a pointer. */
const pointed = 0.35
const asked = 30

export async function find(library: Library, request: FindRequest, signal?: AbortSignal): Promise<string> {
  const { question, kind, budget } = request
  const [sources, listing] = await Promise.all([knownSources(library), projectListing(library)])
  const scope = withoutSessions(sources)
  const exact = await exactPlaces(library, listing, question, scope)
  // What has a rare word of the question is shown, however little else speaks for it.
  const weak = exact.length > 0 || undefined
  const found = await hitsOf(library, request, { scope, weak }, signal)
  const { notes } = found
  const wanted = await questionTerms(library, question, scope)
  const made = await Promise.all(found.hits.map((hit) => unitOf(library, listing, hit, wanted)))
  const units = withoutRepeats(bestFirst(found.hits, made, wanted))
  const fitting = units.filter((unit) => isWithin(unit.path, request.within) && isOfKind(unit.role, kind))
  const main = bothSides(
    fitting.filter((unit) => !isSide(unit)),
    kind,
  )
  const side = fitting.filter(isSide)
  const named = await usesOfNames(library, request, main, signal)
  const unnamed = exact.filter(({ word }) => !named.some(({ name }) => word.endsWith(name)))
  if (main.length === 0 && side.length === 0 && exact.length === 0 && named.length === 0)
    return [`Nothing found for "${question.slice(0, 200)}".`, ...noteLines(notes)].join('\n')
  return pack(library, {
    main,
    side,
    exact: unnamed,
    named: named.map(({ text }) => text),
    wanted,
    budget,
    notes: noteLines(notes),
    listing,
  })
}

/**
 * In log-odds: a passage with all of the question's words against one with none; and code against documents, since code
 * answers more of a developer's questions than the fit for all searches knows. Chosen with the replay (evals/runs/desk.md).
 */
const moves = { wording: 4, code: 1 }
/** The mean of so many of the best neither rises nor falls. */
const moveMean = 10

/**
 * What has more of the question's words, each once and rare ones for more, moves up: a question of several parts is answered
 * by the passage that has most of them, and BM25 counts a word that is repeated. The score that is shown stays.
 */
function bestFirst(hits: readonly FoundPassage[], units: readonly Unit[], wanted: Wanted): Unit[] {
  const all = [...wanted.values()].reduce((sum, weight) => sum + weight, 0) || 1
  const shareOf = new Map(hits.map((hit) => [hit, matchesIn(hit.text, wanted) / all]))
  const by = hits.map((hit, i) => {
    // What took a record's place is never behind it.
    const replaced = hits.filter(({ standing }) =>
      standing?.successors.some((one) => refKey(one) === refKey(hit.ref)),
    )
    const share = Math.max(...[hit, ...replaced].map((one) => shareOf.get(one)!))
    return moves.wording * share + (units[i]!.side === 'code' ? moves.code : 0)
  })
  const best = by.slice(0, moveMean)
  const mean = best.reduce((sum, one) => sum + one, 0) / best.length
  return units
    .map((unit, i) => ({ ...unit, relevance: moved(unit.relevance, by[i]! - mean) }))
    .sort((a, b) => b.relevance - a.relevance)
}

/** A name in a question: `camelCase`, `snake_case`, `a.b`, `call()`, or anything in backticks. */
const nameInQuestion =
  /`([^`\s]{3,80})`|(?<![\w$])([A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)+(?:\(\))?|[A-Za-z_$]\w*(?:[a-z\d][A-Z]|_)\w+(?:\(\))?|[A-Za-z_$][\w$]{2,}\(\))/g
const mostNames = 2

/** "Which code calls …": what is asked for is not the function but who uses it. */
const asksForUses =
  /\b(?:who|what|which|where)\b.*\b(?:call(?:s|ed|ers?)?|uses?|used|invoke[sd]?|asks? for|depends? on|relies on|affected|breaks?)\b/i
/** The function that was meant must be found this surely, and have a name that is no everyday word. */
const surelyMeant = 0.25
const shortestMeant = 5

interface NamedInQuestion {
  name: string
  /** Its uses; or a sentence that no line has it. */
  text: string
  isDefined: boolean
}

/**
 * Where the names of a question are defined and used: that is what a question with a name in it is about. A question about
 * users without a name is about those of the best function.
 */
async function usesOfNames(
  library: Library,
  { question, within, budget, kind }: FindRequest,
  main: readonly Unit[],
  signal?: AbortSignal,
): Promise<NamedInQuestion[]> {
  if (kind === 'docs') return []
  const written = [...new Set([...question.matchAll(nameInQuestion)].map((match) => match[1] ?? match[2]!))]
    .filter((one) => !one.includes('/') && !/\.(?:md|json|ya?ml|toml|ts|js|py|go|rs|txt)$/.test(one))
    .slice(0, mostNames)
  const names = written.length === 0 && asksForUses.test(question) ? meantBy(main) : written
  const texts: NamedInQuestion[] = []
  for (const name of names) {
    const text = await uses(library, { name, within, budget: Math.floor(budget * 0.3) }, signal).catch(
      (error: unknown) => {
        if (error instanceof Problem) return reasonOf(error).replace(/ find searches .*/, '')
        throw error
      },
    )
    const isDefined = text.startsWith('Defined: ') && !text.startsWith('Defined: not')
    if (isDefined || (text.startsWith('No line') && !name.includes('.')))
      texts.push({ name, text, isDefined })
  }
  return texts
}

function meantBy(main: readonly Unit[]): string[] {
  const best = main.slice(0, 2).find(({ side, relevance }) => side === 'code' && relevance >= surelyMeant)
  const name = best?.name.slice(best.name.lastIndexOf('.') + 1) ?? ''
  return name.length >= shortestMeant ? [name] : []
}

/** The hits, with at least some of code and of documents where both match. */
async function hitsOf(
  library: Library,
  { question, kind, within }: FindRequest,
  { scope, weak }: { scope: Scope; weak: boolean | undefined },
  signal?: AbortSignal,
) {
  const folders = within?.every((part) => !/[*?{[!]/.test(part)) ? { under: within.map((part) => part) } : {}
  const search = (more: Scope, limit: number) =>
    findPassages(
      library,
      {
        text: question,
        scope: { ...scope, ...folders, ...more },
        mode: 'hybrid',
        weak,
        limit,
        perDocument: 4,
      },
      { signal },
    )
  const first = await search(
    kind === 'all' ? {} : { kinds: kind === 'code' ? ['code'] : ['prose', 'table'] },
    asked,
  )
  const hits: FoundPassage[] = [...first.passages]
  if (kind === 'all')
    for (const side of [['code'], ['prose', 'table']] as const) {
      if (hits.slice(0, 12).some((hit) => (side as readonly string[]).includes(hit.kind))) continue
      hits.push(...(await search({ kinds: side }, 4)).passages)
    }
  return { hits: withMentions(hits.sort((a, b) => b.relevance - a.relevance)), notes: first.notes }
}

function isWithin(path: string, within: readonly string[] | undefined): boolean {
  if (!within) return true
  const globs = within.map((part) => ({ glob: compileGlob(part), not: part.startsWith('!') }))
  const only = globs.filter(({ not }) => !not)
  return (
    (only.length === 0 || only.some(({ glob }) => glob.covers(path))) &&
    globs.every(({ glob, not }) => !not || glob.covers(path))
  )
}

/** Best first; where the two best are of one side, the best of the other comes second if it is nearly as good. */
function bothSides(units: readonly Unit[], kind: Kind): Unit[] {
  const [first, second] = units
  if (!first || !second || kind !== 'all' || first.side !== second.side) return [...units]
  const other = units.find(({ side }) => side !== first.side)
  if (!other || other.relevance < otherSide * first.relevance) return [...units]
  return [first, other, ...units.filter((unit) => unit !== first && unit !== other)]
}

interface Packing {
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

async function pack(
  library: Library,
  { main, side, exact, named, wanted, budget, notes, listing }: Packing,
): Promise<string> {
  const best = main[0]?.relevance ?? 0
  const isWeak = best < nothingStrong
  const allExact = exactLines(exact, () => false)
  const tests = testsLine(side, best)
  const fixed = [...named, ...allExact, ...tests, ...notes].join('\n').length
  let room = budget - fixed - Math.min(500, 70 * Math.max(0, main.length - 1))
  const made: { unit: Unit; text: string; isPart: boolean }[] = []
  const render = (unit: Unit, at: number, room: number) =>
    block(library, unit, { room, wanted, listing, isFirst: at === 0 && !isWeak, isGlimpse: isWeak })
  const worth = isWeak ? glimpses(main, best) : worthBlocks(main, best, named.length > 0)
  for (const unit of worth) {
    const share = isWeak ? Math.min(room, glimpse.length) : shareOf(room, best, made.length)
    if (share < leastBlock || made.length >= mostShown) break
    const whole = await render(unit, made.length, share)
    const isLong = whole.isPart && made.length >= shownFirst && share > shortBlock
    const rendered = isLong ? await render(unit, made.length, shortBlock) : whole
    made.push({ unit, ...rendered })
    room -= rendered.text.length + 2
  }
  // What the others left over goes to the best of those that were cut.
  for (const [i, one] of made.entries()) {
    if (isWeak || !one.isPart || room < leastBlock || one.unit.relevance < best * sharesRest) continue
    const longer = await render(one.unit, i, one.text.length + room)
    room -= longer.text.length - one.text.length
    made[i] = { unit: one.unit, ...longer }
  }
  const shown = new Set(made.map(({ unit }) => unit))
  // What room is left after all goes to the next best: a few lines around the question's words say more than a pointer.
  for (const unit of isWeak ? [] : worthGlimpse(main, shown, best)) {
    if (room < glimpse.length) break
    const options = { room: glimpse.length, wanted, listing, isFirst: false, isGlimpse: true }
    const { text } = await block(library, unit, options)
    made.push({ unit, text, isPart: true })
    shown.add(unit)
    room -= text.length + 2
  }
  const blocks = made.map(({ text }) => text)
  const isShown = ({ path, line }: { path: string; line: number }) =>
    blocks.some((text) => text.startsWith(`${path}:`) && text.includes(`\n${line} `))
  const left = budget - fixed - blocks.reduce((sum, text) => sum + text.length + 2, 0) - 40
  const most = isWeak || named.length > 0 ? fewPointers : mostPointers
  const rest = worthPointing(main, shown, best).slice(0, most)
  const pointers = fitting(rest.map(pointer), left)
  return [
    ...named.map((text) => `${text}\n`),
    ...(isWeak && named.length === 0
      ? [`Nothing strong. ${main.length > 0 ? 'The nearest:' : ''}`.trim()]
      : []),
    ...blocks.map((text) => `${text}\n`),
    ...(pointers.length > 0
      ? [`${blocks.length > 0 ? 'Also: ' : ''}${pointers.join(blocks.length > 0 ? '; ' : '\n')}`]
      : []),
    ...exactLines(exact, isShown),
    ...tests,
    ...notes,
  ].join('\n')
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
  const least = Math.max(besideUses ? surelyMeant : weak, worthShowing * best)
  return main.filter(({ relevance }, i) => relevance >= least || (besideUses && i === 0))
}

function glimpses(main: readonly Unit[], best: number): Unit[] {
  return main
    .filter(({ relevance }) => relevance >= glimpse.from && relevance >= glimpse.share * best)
    .slice(0, glimpse.most)
}

function worthGlimpse(main: readonly Unit[], shown: ReadonlySet<Unit>, best: number): Unit[] {
  return main
    .filter((unit) => !shown.has(unit) && unit.relevance >= glimpsed.share * best)
    .slice(0, glimpsed.most)
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
): Promise<{ text: string; isPart: boolean }> {
  const age = unit.side === 'docs' ? olderThan(library, listing, unit) : null
  const told = [unit.facts, age].filter(Boolean).join(', ')
  const facts = told === '' ? '' : ` (${told})`
  const head = `${unit.path}:${range(unit.first, unit.last)}${unit.name && ` ${unit.name}`} ${shortScore(unit.score)}${facts}`
  const under = !isFirst ? [] : unit.side === 'code' ? await restsOn(library, listing, unit) : nextLine(unit)
  const { rows, isPart } = unitLines(unit, room - head.length - under.join('\n').length, wanted, isGlimpse)
  return { text: [head, ...rows, ...under].join('\n'), isPart }
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

/** The codes of the notes that change what an agent does next; the others would cost it more than they tell. */
const worthSaying = new Set([
  'corrected',
  'translated',
  'empty_index',
  'unread',
  'stale',
  'new_files',
  'superseded',
])

function noteLines(notes: readonly Note[]): string[] {
  return notes.filter(({ code }) => worthSaying.has(code)).map(({ message }) => `Note: ${message}`)
}
