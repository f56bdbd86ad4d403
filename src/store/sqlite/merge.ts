// Merging keeps the number of segments small, so that a question stays a handful of reads. The merged segment is made
// beside the running index and swapped in by one short transaction.
import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** Merges until nothing is worth merging. */
export async function mergeSegments(database: Database, known: Directories, signal?: AbortSignal) {
  while (!signal?.aborted) {
    const group = database.read((db) => worthMerging(viewSegments(db, known, null).segments))
    if (group.length === 0) return
    const merged = await prepare(database, group, signal)
    if (!merged || !(await swap(database, known, group, merged))) return
  }
}

const width = 6
const smallest = 64

// Segments of about the same size are merged when there are several: each chunk is rewritten a few times in all.
function worthMerging(segments: Segment[]): Segment[] {
  const tiers = new Map<number, Segment[]>()
  for (const segment of segments) {
    const live = segment.directory.chunks.length - segment.deadCount
    const tier = Math.max(0, Math.floor(Math.log(live / smallest) / Math.log(4)))
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment])
  }
  for (const [, group] of [...tiers].sort(([a], [b]) => a - b)) if (group.length >= width) return group
  return segments.filter((s) => s.deadCount > 32 && s.deadCount * 2 > s.directory.chunks.length).slice(0, 1)
}

interface Merged {
  directory: Directory
  blocks: BlockRow[]
}

async function prepare(database: Database, group: Segment[], signal?: AbortSignal): Promise<Merged | null> {
  const { directory, renumbered } = mergeDirectories(group)
  const cursors = group.map((segment) => cursorOver(database, segment.id))
  const out = new BlockWriter()
  let since = performance.now()
  for (;;) {
    if (signal?.aborted) return null
    const term = cursors.reduce<string | null>(
      (least, { entry }) =>
        entry && (least === null || byCodePoints(entry.term, least) < 0) ? entry.term : least,
      null,
    )
    if (term === null) break
    const here = cursors.flatMap((cursor, i) =>
      cursor.entry?.term === term ? [{ cursor, ordinals: renumbered[i]! }] : [],
    )
    const postings = mergePostings(
      here.map(({ cursor, ordinals }) => ({ bytes: cursor.entry!.postings, ordinals })),
    )
    if (postings.chunks > 0) out.add(term, postings.chunks, postings.out.done())
    for (const { cursor } of here) cursor.next()
    if (performance.now() - since > 8) {
      await nextTurn()
      since = performance.now()
    }
  }
  out.flush()
  return { directory, blocks: out.full }
}

/** The live chunks of all, by id; and for each segment, its ordinals' new ones (-1 for what is gone). */
function mergeDirectories(group: Segment[]): { directory: Directory; renumbered: Int32Array[] } {
  const places: { segment: number; ordinal: number; chunk: number }[] = []
  for (const [segment, { directory, ...rest }] of group.entries())
    for (let ordinal = 0; ordinal < directory.chunks.length; ordinal++)
      if (!isDead({ directory, ...rest }, ordinal))
        places.push({ segment, ordinal, chunk: directory.chunks[ordinal]! })
  places.sort((a, b) => a.chunk - b.chunk)
  const renumbered = group.map((segment) => new Int32Array(segment.directory.chunks.length).fill(-1))
  const directory: Directory = {
    chunks: new Int32Array(places.length),
    documents: new Int32Array(places.length),
    lengths: new Uint16Array(places.length * 4),
    kinds: new Uint8Array(places.length),
  }
  for (const [i, { segment, ordinal, chunk }] of places.entries()) {
    const from = group[segment]!.directory
    renumbered[segment]![ordinal] = i
    directory.chunks[i] = chunk
    directory.documents[i] = from.documents[ordinal]!
    directory.kinds[i] = from.kinds[ordinal]!
    directory.lengths.set(from.lengths.subarray(ordinal * 4, ordinal * 4 + 4), i * 4)
  }
  return { directory, renumbered }
}

function mergePostings(lists: { bytes: Uint8Array; ordinals: Int32Array }[]): PostingWriter {
  const found: { ordinal: number; counts: Uint16Array }[] = []
  let sorted = true
  for (const { bytes, ordinals } of lists)
    eachPosting(bytes, (old, counts) => {
      const ordinal = ordinals[old]!
      if (ordinal < 0) return
      if (found.length > 0 && found[found.length - 1]!.ordinal > ordinal) sorted = false
      found.push({ ordinal, counts: counts.slice() })
    })
  if (!sorted) found.sort((a, b) => a.ordinal - b.ordinal)
  const out = new PostingWriter()
  for (const { ordinal, counts } of found) out.add(ordinal, counts)
  return out
}

interface Cursor {
  entry: Entry | null
  next(): void
}

/** Walks a segment's entries in order, a few blocks at a time, holding no snapshot open. */
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
        .sql('SELECT "first", data FROM blocks WHERE segment = ? AND "first" > ? ORDER BY "first" LIMIT 64')
        .all(segment, last),
    ) as unknown as BlockRow[]
    last = waiting.at(-1)?.first ?? last
    return waiting.shift()
  }
  cursor.next()
  return cursor
}

// Another process may have merged the same segments meanwhile, and chunks may have died: both are looked at again here.
async function swap(
  database: Database,
  known: Directories,
  group: Segment[],
  merged: Merged,
): Promise<boolean> {
  return database.write(async (db, breathe) => {
    const now = viewSegments(db, known, null)
    const current = group.map((segment) => now.segments.find(({ id }) => id === segment.id))
    if (current.some((segment) => segment === undefined)) return false
    for (const { id } of group) {
      dropSegment(db, id)
      await breathe()
    }
    if (merged.directory.chunks.length > 0) await insertMerged(db, merged, breathe)
    // Not into the shared directories: this segment's number is only certain once it is committed.
    bury(db, viewSegments(db, new Map(known), null), diedSince(group, current as Segment[]))
    advance(db, 'layout')
    return true
  })
}

async function insertMerged(db: Connection, merged: Merged, breathe: () => Promise<void>) {
  const id = insertSegment(db, merged.directory)
  const out = new BlockWriter()
  for (const block of merged.blocks) {
    out.full.push(block)
    insertBlocks(db, id, out)
    await breathe()
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
