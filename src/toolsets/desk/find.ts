// `find`: one question over code, documents, decisions and memory, packed for a number of characters: the best units whole,
// the others as pointers, tests in one line.
import { type FoundPassage, findPassages } from '../../answer/find-passages.js'
import type { Library } from '../../answer/library.js'
import { knownSources, withoutSessions } from '../../answer/notes/index-state.js'
import { projectListing } from '../../answer/project-texts.js'
import { type Note, Problem, reasonOf } from '../../model/problem.js'
import type { Scope } from '../../model/scope.js'
import { refKey } from '../../model/source.js'
import { withMentions } from '../../retrieve/mentions.js'
import { moved } from '../../retrieve/relevance.js'
import { compilePlaces } from '../../text/glob.js'
import { exactPlaces } from './exact-places.js'
import { isOfKind, type Kind } from './grep.js'
import { pack, surelyMeant } from './pack.js'
import { isSide, matchesIn, questionTerms, type Unit, unitOf, type Wanted, withoutRepeats } from './units.js'
import { uses } from './uses.js'

export interface FindRequest {
  question: string
  within?: readonly string[] | undefined
  kind: Kind
  budget: number
}

/** The best of the other side is shown second if it has this share of the best score. */
const otherSide = 0.4
const mostHits = 30

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
  const isWithin = compilePlaces(request.within ?? [])
  const fitting = units.filter(({ path, role }) => isWithin(path) && isOfKind(role, kind))
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
 * The units by relevance, after code and the hits with more of the question's words moved up. Each word counts once, and a
 * rare one more: the passage that has most of them answers a question of several parts, and BM25 counts repeated words. The
 * score that is shown stays.
 */
function bestFirst(hits: readonly FoundPassage[], units: readonly Unit[], wanted: Wanted): Unit[] {
  const all = [...wanted.values()].reduce((sum, weight) => sum + weight, 0) || 1
  const shareOf = new Map(hits.map((hit) => [hit, matchesIn(hit.text, wanted) / all]))
  const by = hits.map((hit, i) => {
    // A successor is never behind the record that it replaced.
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
/** The function that was meant has a name that is no everyday word. */
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
  const best = main.slice(0, 2).find(({ side, certainty }) => side === 'code' && certainty >= surelyMeant)
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
    mostHits,
  )
  const hits: FoundPassage[] = [...first.passages]
  if (kind === 'all')
    for (const side of [['code'], ['prose', 'table']] as const) {
      if (hits.slice(0, 12).some((hit) => (side as readonly string[]).includes(hit.kind))) continue
      hits.push(...(await search({ kinds: side }, 4)).passages)
    }
  return { hits: withMentions(hits.sort((a, b) => b.relevance - a.relevance)), notes: first.notes }
}

/** Best first; where the two best are of one side, the best of the other comes second if it is nearly as good. */
function bothSides(units: readonly Unit[], kind: Kind): Unit[] {
  const [first, second] = units
  if (!first || !second || kind !== 'all' || first.side !== second.side) return [...units]
  const other = units.find(({ side }) => side !== first.side)
  if (!other || other.relevance < otherSide * first.relevance) return [...units]
  return [first, other, ...units.filter((unit) => unit !== first && unit !== other)]
}

/** The codes of the notes that change what an agent does next; the others would cost it more than they tell. */
const worthSaying = new Set(['corrected', 'translated', 'empty_index', 'unread', 'stale', 'new_files'])

function noteLines(notes: readonly Note[]): string[] {
  return notes.filter(({ code }) => worthSaying.has(code)).map(({ message }) => `Note: ${message}`)
}
