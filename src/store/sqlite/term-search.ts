// Terms by how they are spelled. Blocks are filed under their first terms, so most of them are skipped unread.
import { createYielder } from '../../runtime/yield.js'
import type { TermCount, TermQuery } from '../port.js'
import { requireIntact } from './checksums.js'
import type { Connection } from './database.js'
import { byCodePoints, eachPosting, entries } from './postings.js'
import { isDead, type Segment, type SegmentView } from './segments.js'

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
