// Maintains a project's memory: when a server starts, from time to time while it runs, and when it ends.

import type { Library } from '../../answer/library.js'
import { storeSessions } from '../../answer/memory/memory.js'
import {
  allDiscoveries,
  allRecorded,
  day,
  now,
  type Session,
  sessionKind,
  sessionsSource,
} from '../../answer/memory/records.js'
import { isGone } from '../../runtime/process-identity.js'
import { flushAccesses, pruneAccesses } from './accesses.js'
import { endSessions, idleMs, openSessions } from './sessions.js'

/** Closes sessions that a crash left open, and drops stale counts. */
export async function openMemory(library: Library): Promise<void> {
  await closeLeftovers(library)
  await pruneAccesses(library)
  await pruneSessions(library)
}

/** Writes the sessions and counts in memory when the connection ends. */
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

/** Closes sessions of dead processes and those without a call for half an hour, and returns them. */
async function closeLeftovers(library: Library): Promise<Session[]> {
  const mine = new Set(openSessions(library).map(({ id }) => id))
  const closed: Session[] = []
  const left = (await library.store.records.all<Session>(sessionKind)).filter(
    ({ id, value }) => !mine.has(id) && leftover(value, now(library)) !== value,
  )
  const recorded = left.length > 0 ? await recordedIn(library) : new Map<string, string[]>()
  for (const { id } of left) {
    const updated = await library.store.records.update<Session>(
      sessionKind,
      id,
      (session) => session && leftover(session, now(library), recorded.get(id)),
    )
    if (updated?.endedAt) closed.push(updated)
  }
  await storeSessions(library, closed)
  return closed
}

/** The discoveries by the sessions that they name: a process may have died before its session named them. */
async function recordedIn(library: Library): Promise<Map<string, string[]>> {
  const bySession = new Map<string, string[]>()
  for (const { id, session } of await allDiscoveries(library))
    if (session) bySession.set(session, [...(bySession.get(session) ?? []), id])
  return bySession
}

function leftover(session: Session, at: number, recorded: readonly string[] = []): Session {
  if (session.endedAt !== null) return session
  const crashed = isGone({ pid: session.pid, host: session.host })
  const discoveries = allRecorded(session.discoveries, recorded)
  if (crashed) return { ...session, discoveries, endedAt: session.lastAt, ended: 'crash' }
  if (at - session.lastAt > idleMs) return { ...session, endedAt: session.lastAt + idleMs, ended: 'idle' }
  return session
}
