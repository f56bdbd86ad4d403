// Counts which files are read, how often and when: the files that a client keeps returning to are the context of a project.
// The counts are kept in memory and written in batches, so that reading a file costs nothing more.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Library, libraryState } from '../../answer/library.js'
import { day, now } from '../../answer/memory/records.js'
import type { ContextItem } from '../../model/reports.js'
import { moduleOf } from '../../text/module.js'
import { noteFile, type Sitting } from './sessions.js'

interface Access {
  accesses: number
  last: number
}

const kind = '~accesses'
const flushMs = 2_000

interface Pending {
  counts: Map<string, Access>
  timer: NodeJS.Timeout | null
  writing: Promise<void>
}

const pendingOf = libraryState(
  'pending accesses',
  (): Pending => ({ counts: new Map(), timer: null, writing: Promise.resolve() }),
)

/** Counts one reading of a file, by its path below the project's root. Returns at once. */
export function noteAccess(library: Library, path: string, sitting: Sitting = {}): void {
  const pending = pendingOf(library)
  const known = pending.counts.get(path)
  const last = now(library)
  pending.counts.set(path, { accesses: (known?.accesses ?? 0) + 1, last })
  noteFile(library, path, sitting)
  pending.timer ??= setTimeout(() => void flushAccesses(library).catch(() => {}), flushMs).unref()
}

/** Writes the new counts. */
export function flushAccesses(library: Library): Promise<void> {
  const pending = pendingOf(library)
  if (pending.timer) clearTimeout(pending.timer)
  pending.timer = null
  pending.writing = pending.writing.catch(() => {}).then(() => writeCounts(library, pending))
  return pending.writing
}

/** Every file of the context, the highest score first, then by path. */
export async function contextItems(library: Library): Promise<ContextItem[]> {
  // A disk that cannot be written is no reason not to look.
  await flushAccesses(library).catch(() => {})
  const all = new Map((await library.store.records.all<Access>(kind)).map(({ id, value }) => [id, value]))
  for (const [path, more] of pendingOf(library).counts) all.set(path, sum(all.get(path), more))
  const most = [...all.values()].reduce((max, { accesses }) => Math.max(max, accesses), 1)
  const at = now(library)
  const items = [...all].map(([path, value]) => ({
    path,
    module: moduleOf(path),
    accesses: value.accesses,
    lastAccess: value.last,
    score: scoreOf(value, most, at),
  }))
  return items.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}

const freshDays = 30

export function scoreOf({ accesses, last }: Access, most: number, at: number): number {
  const recency = Math.min(1, Math.max(0, 1 - (at - last) / (freshDays * day)))
  return Math.round((0.6 * recency + 0.4 * (accesses / Math.max(most, accesses, 1))) * 10_000) / 10_000
}

const leastScore = 0.1
const mostAccesses = 5_000

/** Drops files that were seldom read and not for 30 days, files that no longer exist, and those beyond the maximum. */
export async function pruneAccesses(library: Library): Promise<number> {
  const items = await contextItems(library)
  let pruned = 0
  for (const [i, { path, score, lastAccess }] of items.entries()) {
    if (i % 200 === 199) await nextTurn()
    const old = now(library) - lastAccess > freshDays * day
    if (i < mostAccesses && !(old && score < leastScore) && existsSync(join(library.settings.root, path)))
      continue
    if (await library.store.records.delete(kind, path)) pruned++
  }
  return pruned
}

/** If writing fails, the counts stay and are written with the next ones. */
async function writeCounts({ store }: Library, pending: Pending) {
  const counts = pending.counts
  pending.counts = new Map()
  try {
    for (const [path, more] of counts) {
      await store.records.update<Access>(kind, path, (before) => sum(before, more))
      counts.delete(path)
    }
  } catch (error) {
    for (const [path, more] of counts) pending.counts.set(path, sum(pending.counts.get(path), more))
    throw error
  }
}

function sum(before: Access | null | undefined, more: Access): Access {
  return {
    accesses: (before?.accesses ?? 0) + more.accesses,
    last: Math.max(before?.last ?? 0, more.last),
  }
}
