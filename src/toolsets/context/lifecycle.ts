// What is done for a project's memory when a server starts, now and then while it runs, and when it ends.
import type { Library } from '../../answer/library.js'
import { day, now } from '../../answer/memory/clock.js'
import { type Session, sessionKind } from '../../answer/memory/session-record.js'
import { sessionsSource } from '../../answer/memory/sources.js'
import { flushAccesses, pruneAccesses } from './accesses.js'
import { closeLeftovers } from './leftovers.js'
import { endSessions } from './sessions.js'

/** Closes what a crash left open, and drops what is stale. */
export async function openMemory(library: Library): Promise<void> {
  await closeLeftovers(library)
  await pruneAccesses(library)
  await pruneSessions(library)
}

/** Writes what is still in memory: the connection is over. */
export async function closeMemory(library: Library): Promise<void> {
  try {
    await flushAccesses(library)
  } finally {
    await endSessions(library)
  }
}

const sessionDays = 90
const mostSessions = 500

/** Sessions are kept for 90 days, and the latest 500 of them. Discoveries are kept for ever. */
export async function pruneSessions(library: Library): Promise<number> {
  const { store } = library
  const all = (await store.records.all<Session>(sessionKind)).map(({ value }) => value)
  const over = all.filter(({ endedAt }) => endedAt !== null).sort((a, b) => b.lastAt - a.lastAt)
  const stale = over.filter(({ lastAt }, i) => i >= mostSessions || now(library) - lastAt > sessionDays * day)
  for (const { id } of stale) await store.records.delete(sessionKind, id)
  await store.forget(stale.map(({ id }) => ({ source: sessionsSource, path: `${id}.md` })))
  return stale.length
}
