// BM25 over the segments' posting lists. The formula is in text/bm25.ts; this file decodes the lists quickly.

import { createYielder, type YieldIfDue } from '../../runtime/yield.js'
import { idf, type Norms, norms, saturate, saturation } from '../../text/bm25.js'
import type { TermCount, TermQuery, WordQuery, WordRanking } from '../port.js'
import type { Connection, Database } from './database.js'
import { byCodePoints, type Entry, eachPosting, entries, findEntry } from './postings.js'
import type { Allowed } from './scope.js'
import { findChunk, isDead, type Segment, type SegmentView } from './segments.js'
import { damagedIndex, requireIntact } from './stored-values.js'

/** The input of one ranking, read from one snapshot. Nothing in it changes during the work. */
export interface RankInput {
  view: SegmentView
  allowed: Allowed
  /** For each segment, each term's postings in it. */
  lists: (Postings | null)[][]
}

type Postings = Pick<Entry, 'chunks' | 'postings'>

export function readForRanking(
  db: Connection,
  view: SegmentView,
  allowed: Allowed,
  query: WordQuery,
): RankInput {
  const names = query.terms.map(({ term }) => Buffer.from(term))
  const lists = view.segments.map(({ id }) =>
    query.terms.map(({ term }, i) => readPostings(db, id, term, names[i]!)),
  )
  return { view, allowed, lists }
}

function readPostings(db: Connection, segment: number, term: string, name: Buffer): Postings | null {
  const row = db
    .sql(
      'SELECT "first", data, sum FROM blocks WHERE segment = ? AND "first" <= ? ORDER BY "first" DESC LIMIT 1',
    )
    .get(segment, term) as { first: string; data: Uint8Array; sum: number } | undefined
  if (!row) return null
  requireIntact('blocks', row.sum, [segment, row.first, row.data])
  return findEntry(row.data, name)
}

/** Works in steps: with a million chunks, a question of common words takes a tenth of a second. */
export async function rankWords(
  database: Database,
  { view, allowed, lists }: RankInput,
  query: WordQuery,
): Promise<WordRanking> {
  if (query.terms.length === 0 || view.chunks === 0) return emptyRanking
  const yieldIfDue = createYielder()
  const averages = view.totals.map((total) => total / view.chunks)
  const { title, headings, names: symbols, body } = query.weights
  const measure = norms({ chunks: view.chunks, averages }, [title, headings, symbols, body])
  const runs: Run[][] = view.segments.map(() => [])
  for (const [s, segment] of view.segments.entries())
    for (const list of lists[s]!) {
      runs[s]!.push(list ? decode(segment, list.postings, list.chunks, measure) : emptyRun)
      await yieldIfDue()
    }
  const holders = query.terms.map((_, i) => runs.reduce((sum, row) => sum + row[i]!.live, 0))
  const factors = query.terms.map(({ weight }, i) => weight * idf(view.chunks, holders[i]!))
  const candidates: Float64Array[] = []
  for (const [s, segment] of view.segments.entries())
    candidates.push(await scoreSegment(segment, runs[s]!, factors, { allowed, query, yieldIfDue }))
  const winners = await best(database, view, candidates, query.limit, yieldIfDue)
  const partsOf = (segment: number, ordinal: number) =>
    runs[segment]!.map((run, i) => partOf(run, ordinal) * factors[i]!)
  const ranks = winners.map(({ segment, ordinal, score }) => ({
    chunk: view.segments[segment]!.directory.chunks[ordinal]!,
    score,
    parts: partsOf(segment, ordinal),
  }))
  const of = (chunks: readonly number[]) =>
    chunks.flatMap((chunk) => {
      const place = findChunk(view, chunk)
      if (!place) return []
      const parts = partsOf(view.segments.indexOf(place.segment), place.ordinal)
      // Sums in the order of the terms, as scoreSegment does, so that a chunk gets exactly the same score in both.
      const score = parts.reduce((sum, part) => sum + part, 0)
      return score > 0 ? [{ chunk, score, parts }] : []
    })
  return { ranks, maxTermScores: factors.map((factor) => factor * saturation), holders, of }
}

const emptyRanking: WordRanking = { ranks: [], maxTermScores: [], holders: [], of: () => [] }

/** One term in one segment: the live chunks that have it, and its saturated count in each. */
interface Run {
  live: number
  ordinals: Int32Array
  shares: Float64Array
}

const emptyRun: Run = { live: 0, ordinals: new Int32Array(0), shares: new Float64Array(0) }

// Optimised by hand: this loop runs once for every posting of every query word.
export function decode(
  segment: Segment,
  bytes: Uint8Array,
  count: number,
  { weight, base, slope }: Norms,
): Run {
  const ordinals = new Int32Array(count)
  const shares = new Float64Array(count)
  const { lengths } = segment.directory
  const chunks = lengths.length / 4
  const anyDead = segment.deadCount > 0
  let live = 0
  let read = 0
  let at = 0
  let ordinal = -1
  while (at < bytes.length) {
    let byte = bytes[at++]!
    let head = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!
      head |= (byte & 127) << shift
    }
    ordinal += head >>> 1
    if (head < 2 || ordinal >= chunks)
      throw damagedIndex('a word is said to stand in a chunk that is not there')
    read++
    let sum = 0
    if (head & 1) {
      const mask = bytes[at++]!
      for (let field = 0; field < 4; field++) {
        if (!(mask & (1 << field))) continue
        byte = bytes[at++]!
        let times = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[at++]!
          times |= (byte & 127) << shift
        }
        sum += (times * weight[field]!) / (base[field]! + slope[field]! * lengths[ordinal * 4 + field]!)
      }
    } else sum = weight[3]! / (base[3]! + slope[3]! * lengths[ordinal * 4 + 3]!)
    if (anyDead && isDead(segment, ordinal)) continue
    ordinals[live] = ordinal
    shares[live++] = saturate(sum)
  }
  if (at !== bytes.length || read !== count)
    throw damagedIndex('the chunks of a word are not as many as it says')
  return { live, ordinals, shares }
}

/** The scores of one segment's chunks, by ordinal; 0 if a chunk is not a candidate. */
async function scoreSegment(
  { directory: { documents, chunks } }: Segment,
  runs: Run[],
  factors: number[],
  { allowed, query, yieldIfDue }: { allowed: Allowed; query: WordQuery; yieldIfDue: YieldIfDue },
): Promise<Float64Array> {
  const scores = new Float64Array(documents.length)
  const required = query.terms.filter((term) => term.required).length
  const seen = required > 0 ? new Uint8Array(documents.length) : null
  for (const [i, run] of runs.entries()) {
    const factor = factors[i]!
    const counts = query.terms[i]!.required === true
    for (let j = 0; j < run.live; j++) {
      const ordinal = run.ordinals[j]!
      if (allowed.documents && !allowed.documents[documents[ordinal]!]) continue
      if (allowed.chunks && !allowed.chunks[chunks[ordinal]!]) continue
      scores[ordinal]! += factor * run.shares[j]!
      if (counts && run.shares[j]! > 0) seen![ordinal]!++
    }
    await yieldIfDue()
  }
  if (seen) for (let i = 0; i < scores.length; i++) if (seen[i] !== required) scores[i] = 0
  return scores
}

interface Winner {
  segment: number
  ordinal: number
  score: number
}

// Cuts at a score, not at a position: all chunks that tie with the last winner are compared by source, path and
// position, so the answer does not depend on the history of the index.
async function best(
  database: Database,
  view: SegmentView,
  candidates: Float64Array[],
  limit: number,
  yieldIfDue: YieldIfDue,
): Promise<Winner[]> {
  if (limit <= 0) return []
  const least = await lowestWinner(candidates, limit, yieldIfDue)
  const winners: Winner[] = []
  for (const [segment, scores] of candidates.entries()) {
    for (let ordinal = 0; ordinal < scores.length; ordinal++)
      if (scores[ordinal]! > 0 && scores[ordinal]! >= least)
        winners.push({ segment, ordinal, score: scores[ordinal]! })
    await yieldIfDue()
  }
  const chunkOf = (w: Winner) => view.segments[w.segment]!.directory.chunks[w.ordinal]!
  const places = database.read((db) => placesOf(db, tied(winners).map(chunkOf)))
  winners.sort((a, b) => b.score - a.score || (places.get(chunkOf(a)) ?? 0) - (places.get(chunkOf(b)) ?? 0))
  return winners.slice(0, limit)
}

/** The score of the last chunk that makes it into the list. */
async function lowestWinner(
  candidates: Float64Array[],
  limit: number,
  yieldIfDue: YieldIfDue,
): Promise<number> {
  const heap = new Float64Array(limit)
  let size = 0
  for (const scores of candidates) {
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!
      if (score <= 0 || (size === limit && score <= heap[0]!)) continue
      if (size < limit) siftUp(heap, size++, score)
      else siftDown(heap, size, score)
    }
    await yieldIfDue()
  }
  return size < limit ? 0 : heap[0]!
}

function siftUp(heap: Float64Array, at: number, score: number) {
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (heap[parent]! <= score) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = score
}

function siftDown(heap: Float64Array, size: number, score: number) {
  let at = 0
  for (;;) {
    let child = at * 2 + 1
    if (child >= size) break
    if (child + 1 < size && heap[child + 1]! < heap[child]!) child++
    if (heap[child]! >= score) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = score
}

function tied(winners: Winner[]): Winner[] {
  const times = new Map<number, number>()
  for (const { score } of winners) times.set(score, (times.get(score) ?? 0) + 1)
  return winners.filter(({ score }) => times.get(score)! > 1)
}

/** Orders chunks by source, path and position. */
export function placesOf(db: Connection, chunks: number[]): Map<number, number> {
  if (chunks.length === 0) return new Map()
  const rows = db
    .sql(
      `SELECT c.id FROM json_each(?) j JOIN chunks c ON c.id = j.value JOIN documents d ON d.id = c.document
       ORDER BY d.source, d.path, c.ix`,
    )
    .all(JSON.stringify(chunks)) as { id: number }[]
  return new Map(rows.map(({ id }, place) => [id, place]))
}

function partOf(run: Run, ordinal: number): number {
  let low = 0
  let high = run.live - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const here = run.ordinals[middle]!
    if (here === ordinal) return run.shares[middle]!
    if (here < ordinal) low = middle + 1
    else high = middle - 1
  }
  return 0
}

// --- Terms by how they are spelled. Blocks are filed under their first terms, so most of them are skipped unread.

export interface SegmentBlocks {
  segment: Segment
  blocks: Uint8Array[]
}

export function readBlocks(db: Connection, view: SegmentView, query: TermQuery): SegmentBlocks[] {
  return view.segments.map((segment) => ({
    segment,
    blocks: blocksWorthReading(db, segment.id, query).map((first) => {
      const { data, sum } = db
        .sql('SELECT data, sum FROM blocks WHERE segment = ? AND "first" = ?')
        .get(segment.id, first) as { data: Uint8Array; sum: number }
      requireIntact('blocks', sum, [segment.id, first, data])
      return data
    }),
  }))
}

/** By their first terms. All terms of a block begin as its first term and that of the next block both do. */
function blocksWorthReading(db: Connection, segment: number, { prefix, mayMatch }: TermQuery): string[] {
  const last = `${prefix}\u{10ffff}`
  const firsts = db
    .sql(
      `SELECT "first" FROM blocks WHERE segment = ?1 AND "first" <= ?3 AND "first" >= coalesce(
         (SELECT max("first") FROM blocks WHERE segment = ?1 AND "first" <= ?2), '') ORDER BY "first"`,
    )
    .all(segment, prefix, last) as { first: string }[]
  return firsts.flatMap(({ first }, i) => {
    const start = commonStart(first, firsts[i + 1]?.first ?? last)
    return start.length <= prefix.length || mayMatch(start) ? [first] : []
  })
}

function commonStart(a: string, b: string): string {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return a.slice(0, i)
}

export async function matchingTerms(
  all: readonly SegmentBlocks[],
  { prefix, matches }: TermQuery,
): Promise<TermCount[]> {
  const counts = new Map<string, number>()
  const yieldIfDue = createYielder()
  for (const { segment, blocks } of all)
    for (const block of blocks) {
      for (const { term, chunks, postings } of entries(block)) {
        if (!term.startsWith(prefix) || !matches(term)) continue
        const live = segment.deadCount === 0 ? chunks : countLive(segment, postings)
        if (live > 0) counts.set(term, (counts.get(term) ?? 0) + live)
      }
      await yieldIfDue()
    }
  return [...counts].map(([term, chunks]) => ({ term, chunks })).sort((a, b) => byCodePoints(a.term, b.term))
}

function countLive(segment: Segment, postings: Uint8Array): number {
  let live = 0
  eachPosting(postings, (ordinal) => {
    if (!isDead(segment, ordinal)) live++
  })
  return live
}
