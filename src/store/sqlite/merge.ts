// Merging keeps the number of segments small, so that a question needs only a handful of reads. The merged segment is
// built beside the running index and swapped in by one short transaction.
import { createYielder, type YieldIfDue } from '../../runtime/yield.js'
import type { Connection, Database } from './database.js'
import {
  type BlockRow,
  BlockWriter,
  byCodePoints,
  type Entry,
  eachPosting,
  entries,
  PostingWriter,
} from './postings.js'
import {
  advance,
  bury,
  type Directories,
  type Directory,
  dropSegment,
  insertBlocks,
  insertSegment,
  isDead,
  type Segment,
  viewSegments,
} from './segments.js'
import { intact } from './stored-values.js'

/** Merges until no merge is worthwhile. */
export async function mergeSegments(database: Database, known: Directories, signal?: AbortSignal) {
  while (!signal?.aborted) {
    const group = database.read((db) => worthMerging(viewSegments(db, known, null).segments))
    if (group.length === 0) return
    const merged = await prepare(database, group, signal)
    if (!merged || !(await swap(database, known, group, merged))) return
  }
}

const width = 8
const smallest = 64

// Merges several segments of about the same size, so that each chunk is rewritten only a few times.
function worthMerging(segments: Segment[]): Segment[] {
  const tiers = new Map<number, Segment[]>()
  for (const segment of segments) {
    const live = segment.directory.chunks.length - segment.deadCount
    const tier = Math.max(0, Math.floor(Math.log(live / smallest) / Math.log(4)))
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment])
  }
  for (const [, group] of [...tiers].sort(([a], [b]) => a - b))
    if (group.length >= width) return byFirstChunk(group)
  return segments.filter((s) => s.deadCount > 32 && s.deadCount * 2 > s.directory.chunks.length).slice(0, 1)
}

function byFirstChunk(group: Segment[]): Segment[] {
  return group.sort((a, b) => a.directory.chunks[0]! - b.directory.chunks[0]!)
}

interface Merged {
  directory: Directory
  blocks: BlockRow[]
}

async function prepare(database: Database, group: Segment[], signal?: AbortSignal): Promise<Merged | null> {
  const yieldIfDue = createYielder()
  const { directory, renumbered } = await mergeDirectories(group, yieldIfDue)
  const moved = group.map((segment, i) => shiftOf(segment, renumbered[i]!))
  const inOrder = moved.every((shift, i) => shift !== null && (i === 0 || shift > moved[i - 1]!))
  const cursors = group.map((segment) => cursorOver(database, segment.id))
  const out = new BlockWriter()
  const list = new PostingWriter()
  for (;;) {
    const term = leastTerm(cursors)
    if (term === null) break
    list.clear()
    if (inOrder) {
      for (const [i, { entry }] of cursors.entries()) if (entry?.term === term) list.append(entry, moved[i]!)
    } else mergePostings(list, cursors, renumbered, term)
    if (list.chunks > 0) out.add(term, list)
    for (const cursor of cursors) if (cursor.entry?.term === term) cursor.next()
    await yieldIfDue()
    if (signal?.aborted) return null
  }
  out.flush()
  return { directory, blocks: out.full }
}

/** The offset of a segment's new ordinals, if all its chunks live and move by the same offset; else null. */
function shiftOf(segment: Segment, renumbered: Int32Array): number | null {
  const last = renumbered.length - 1
  return segment.deadCount === 0 && renumbered[last]! - renumbered[0]! === last ? renumbered[0]! : null
}

function leastTerm(cursors: Cursor[]): string | null {
  let least: string | null = null
  for (const { entry } of cursors)
    if (entry && (least === null || byCodePoints(entry.term, least) < 0)) least = entry.term
  return least
}

/**
 * The live chunks of all segments, by id; and for each segment, the new number of each ordinal (-1 if the chunk is
 * gone).
 */
async function mergeDirectories(group: Segment[], yieldIfDue: YieldIfDue) {
  const renumbered = group.map((segment) => new Int32Array(segment.directory.chunks.length).fill(-1))
  const live = group.reduce((sum, { directory, deadCount }) => sum + directory.chunks.length - deadCount, 0)
  const merged: Directory = {
    chunks: new Int32Array(live),
    documents: new Int32Array(live),
    lengths: new Uint16Array(live * 4),
  }
  const next = group.map((segment) => liveFrom(segment, 0))
  for (let i = 0; i < live; i++) {
    const least = leastChunk(group, next)
    const { directory } = group[least]!
    const ordinal = next[least]!
    renumbered[least]![ordinal] = i
    merged.chunks[i] = directory.chunks[ordinal]!
    merged.documents[i] = directory.documents[ordinal]!
    for (let f = 0; f < 4; f++) merged.lengths[i * 4 + f] = directory.lengths[ordinal * 4 + f]!
    next[least] = liveFrom(group[least]!, ordinal + 1)
    if (i % 1024 === 0) await yieldIfDue()
  }
  return { directory: merged, renumbered }
}

function liveFrom(segment: Segment, ordinal: number): number {
  while (ordinal < segment.directory.chunks.length && isDead(segment, ordinal)) ordinal++
  return ordinal
}

/** The segment whose next chunk has the lowest id. */
function leastChunk(group: Segment[], places: number[]): number {
  let [least, lowest] = [-1, Number.POSITIVE_INFINITY]
  for (let s = 0; s < group.length; s++) {
    const chunk = group[s]!.directory.chunks[places[s]!]
    if (chunk !== undefined && chunk < lowest) [least, lowest] = [s, chunk]
  }
  return least
}

function mergePostings(list: PostingWriter, cursors: Cursor[], renumbered: Int32Array[], term: string) {
  const found: { ordinal: number; counts: Uint16Array }[] = []
  for (const [i, { entry }] of cursors.entries()) {
    if (entry?.term !== term) continue
    eachPosting(entry.postings, (old, counts) => {
      const ordinal = renumbered[i]![old]!
      if (ordinal >= 0) found.push({ ordinal, counts: counts.slice() })
    })
  }
  found.sort((a, b) => a.ordinal - b.ordinal)
  for (const { ordinal, counts } of found) list.add(ordinal, counts)
}

const whole = intact('blocks')

interface Cursor {
  entry: Entry | null
  next(): void
}

/** Iterates over a segment's entries in order, a few blocks at a time, without holding a snapshot open. */
function cursorOver(database: Database, segment: number): Cursor {
  let last = ''
  let walking: Iterator<Entry> = [][Symbol.iterator]()
  let waiting: BlockRow[] = []
  const cursor: Cursor = {
    entry: null,
    next() {
      for (;;) {
        const step = walking.next()
        if (!step.done) {
          cursor.entry = step.value
          return
        }
        const block = waiting.shift() ?? more()
        if (!block) {
          cursor.entry = null
          return
        }
        walking = entries(block.data)
      }
    },
  }
  function more(): BlockRow | undefined {
    waiting = database.read((db) =>
      db
        .sql(
          `SELECT "first", data, ${whole} FROM blocks WHERE segment = ? AND "first" > ? ORDER BY "first" LIMIT 64`,
        )
        .all(segment, last),
    ) as unknown as BlockRow[]
    last = waiting.at(-1)?.first ?? last
    return waiting.shift()
  }
  cursor.next()
  return cursor
}

// Another process may have merged the same segments, and chunks may have been deleted: both are checked again here.
async function swap(
  database: Database,
  known: Directories,
  group: Segment[],
  merged: Merged,
): Promise<boolean> {
  return database.write(async (db, yieldIfDue) => {
    const now = viewSegments(db, known, null)
    const current = group.map((segment) => now.segments.find(({ id }) => id === segment.id))
    if (current.some((segment) => segment === undefined)) return false
    for (const { id } of group) {
      dropSegment(db, id)
      await yieldIfDue()
    }
    if (merged.directory.chunks.length > 0) await insertMerged(db, merged, yieldIfDue)
    // Not added to the shared directories: the segment's number is only certain after the commit.
    bury(db, viewSegments(db, new Map(known), null), diedSince(group, current as Segment[]))
    advance(db, 'layout')
    return true
  })
}

async function insertMerged(db: Connection, merged: Merged, yieldIfDue: YieldIfDue) {
  const id = insertSegment(db, merged.directory)
  const out = new BlockWriter()
  for (const block of merged.blocks) {
    out.full.push(block)
    insertBlocks(db, id, out)
    await yieldIfDue()
  }
}

function diedSince(before: Segment[], now: Segment[]): number[] {
  return before.flatMap((segment, i) => {
    const died: number[] = []
    if (now[i]!.deadCount === segment.deadCount) return died
    for (let ordinal = 0; ordinal < segment.directory.chunks.length; ordinal++)
      if (!isDead(segment, ordinal) && isDead(now[i]!, ordinal)) died.push(segment.directory.chunks[ordinal]!)
    return died
  })
}
