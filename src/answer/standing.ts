// Decisions and discoveries that no longer hold. What took their place answers the same question: it is at least as relevant
// as they are, comes before them in every search, and is named.
import type { DocumentSummary } from '../model/document.js'
import type { Hit, Standing } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import { type Ref, refKey } from '../model/source.js'
import type { Scored } from '../retrieve/score.js'
import { sentences } from '../text/sentences.js'
import { truncate } from '../text/truncate.js'
import { architectureDocuments } from './architecture/documents.js'
import { placesOf } from './architecture/places.js'
import type { Library } from './library.js'
import { placeOf } from './library.js'
import { allDiscoveries, discoveriesSource } from './memory/records.js'

/** Asks some documents the same question, whatever the scope: the best passage of each. */
export type AskDocuments = (documents: readonly Ref[]) => Promise<readonly Hit[]>

export interface Ordered {
  hits: Hit[]
  /** Names what holds in place of the hits that are shown. */
  notesOn(shown: readonly Hit[]): Note[]
}

/**
 * The hits with their standing, each below what took its place. A successor that is none of the hits becomes one if
 * `mayAdd` lets it; there are no more hits than before. Scores follow from question and index alone.
 */
export async function belowSuccessors(
  library: Library,
  hits: readonly Hit[],
  ask: AskDocuments,
  mayAdd: (documents: readonly Ref[]) => Promise<readonly Pick<DocumentSummary, 'ref'>[]>,
): Promise<Ordered> {
  const replaced = await replacedDocuments(library, hits)
  if (replaced.length === 0) return { hits: [...hits], notesOn: () => [] }
  const related = new Map(
    replaced.flatMap(({ ref, standing }) =>
      [ref, ...standing.successors].map((one) => [refKey(one), one] as const),
    ),
  )
  const best = new Map((await ask([...related.values()])).map((hit) => [refKey(hit.ref), hit]))
  const least = new Map<string, Scored>()
  for (const { ref, standing } of replaced)
    for (const successor of standing.successors) {
      const own = hits.filter((hit) => refKey(hit.ref) === refKey(ref))
      const key = refKey(successor)
      least.set(key, highest([...own, best.get(refKey(ref)), least.get(key)]))
    }
  const standings = new Map(replaced.map(({ ref, standing }) => [refKey(ref), standing]))
  const isBest = (hit: Hit) => best.get(refKey(hit.ref))?.index === hit.index
  const judged = (hit: Hit): Hit => {
    const standing = standings.get(refKey(hit.ref))
    const raised = isBest(hit) ? asGoodAs(hit, least.get(refKey(hit.ref))) : hit
    return standing ? { ...raised, standing } : raised
  }
  const shown = new Set(hits.map(({ ref }) => refKey(ref)))
  const wanted = hits.flatMap(({ ref }) => standings.get(refKey(ref))?.successors ?? [])
  const missing = wanted.filter((one) => !shown.has(refKey(one)) && best.has(refKey(one)))
  const added = missing.length === 0 ? [] : await mayAdd(missing)
  const all = [...hits, ...added.map(({ ref }) => best.get(refKey(ref))!)].map(judged)
  // Equal scores: what holds comes first.
  const age = (hit: Hit) => (hit.standing?.successors.length ? 1 : 0)
  const sorted = all.sort((a, b) => b.relevance - a.relevance || age(a) - age(b)).slice(0, hits.length)
  return { hits: sorted, notesOn: (some) => successorNotes(some, best) }
}

function highest(all: readonly (Scored | undefined)[]): Scored {
  const nothing: Scored = { relevance: 0, score: 0 }
  return all.reduce<Scored>((most, one) => (one && one.relevance > most.relevance ? one : most), nothing)
}

function asGoodAs(hit: Hit, least: Scored | undefined): Hit {
  if (!least || least.relevance <= hit.relevance) return hit
  const { relevance, score } = least
  const explain = hit.explain && { ...hit.explain, successor: true as const, score }
  return { ...hit, relevance, score, ...(explain && { explain }) }
}

interface Replaced {
  ref: Ref
  standing: Standing
}

/** The replaced documents among the hits, and the documents that hits replace. */
async function replacedDocuments(library: Library, hits: readonly Hit[]): Promise<Replaced[]> {
  const refs = new Map(hits.map(({ ref }) => [refKey(ref), ref]))
  const known: Replaced[] = []
  if ([...refs.values()].some(({ source }) => source === discoveriesSource))
    known.push(...(await replacedDiscoveries(library)))
  if (await hasDecision(library, [...refs.values()])) known.push(...(await replacedDecisions(library)))
  return known.filter(({ ref, standing }) =>
    [ref, ...standing.successors].some((one) => refs.has(refKey(one))),
  )
}

async function replacedDiscoveries(library: Library): Promise<Replaced[]> {
  const refOf = (id: string) => ({ source: discoveriesSource, path: `${id}.md` })
  return (await allDiscoveries(library)).flatMap(({ id, supersededBy }) =>
    supersededBy === null
      ? []
      : [{ ref: refOf(id), standing: { status: 'superseded', successors: [refOf(supersededBy)] } }],
  )
}

const noLongerHolds = new Set(['superseded', 'deprecated', 'rejected'])

async function replacedDecisions(library: Library): Promise<Replaced[]> {
  const documents = await architectureDocuments(library)
  const byUri = new Map(documents.map((one) => [one.uri, one.ref]))
  return documents.flatMap(({ ref, status, supersededBy }) => {
    if (status === null || !noLongerHolds.has(status)) return []
    return [{ ref, standing: { status, successors: supersededBy.flatMap((uri) => byUri.get(uri) ?? []) } }]
  })
}

/** By where they lie alone, so that most searches read no decision. */
async function hasDecision(library: Library, refs: readonly Ref[]): Promise<boolean> {
  const where = placesOf(library)
  const folders = new Map((await library.store.sources()).map((one) => [one.id, placeOf(library, one) ?? '']))
  return refs.some(({ source, path }) => {
    const before = folders.get(source) ?? ''
    const inRoot = before === '' ? null : where.of(`${before}/${path}`)
    return (inRoot ?? where.of(path))?.kind === 'adr'
  })
}

const most = { named: 3, text: 200 }

/** Says what holds instead, with its words where the answer does not show them. */
function successorNotes(hits: readonly Hit[], best: ReadonlyMap<string, Hit>): Note[] {
  const shown = new Set(hits.map(({ ref }) => refKey(ref)))
  const sentences = new Map<string, string>()
  for (const { ref, standing } of hits) {
    const [successor] = standing?.successors ?? []
    if (!standing || !successor || sentences.size >= most.named) continue
    const text = shown.has(refKey(successor)) ? '' : firstSentence(best.get(refKey(successor))?.text ?? '')
    sentences.set(refKey(ref), `${ref.path} is superseded by ${successor.path}${text && `: ${text}`}`)
  }
  const message = [...sentences.values()].map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(' ')
  return message === '' ? [] : [{ code: 'superseded', message }]
}

/** Of the text itself: headings and lines of metadata say nothing of what was decided. */
function firstSentence(passage: string): string {
  const lines = passage.split('\n').filter((line) => !aside.test(line))
  return truncate(sentences(lines.join(' '))[0]?.text ?? '', most.text, '…')
}

const aside = /^\s*(?:#|$|[-*]?\s*\**[\w ]{1,20}\**:|supersede[sd]\b)/i
