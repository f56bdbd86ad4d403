// The calls of one client. A session begins with the first call and is written at once, so that a process that dies leaves
// a trace of it; from then on it lives in memory and is written in batches. It ends with the connection, after half an hour
// without a call, or, if its process died, when a server closes leftover sessions.
import { randomUUID } from 'node:crypto'
import { type Library, libraryState } from '../../answer/library.js'
import { storeSessions } from '../../answer/memory/memory.js'
import {
  allRecorded,
  leftBehind,
  mostDiscoveries,
  now,
  type Session,
  sessionKind,
} from '../../answer/memory/records.js'
import { thisHost } from '../../runtime/process-identity.js'

/** Whose call it is: a handle the caller named, else the connection's session, else that of the process. */
export interface Sitting {
  sessionId?: string | undefined
  connection?: string | undefined
  client?: string | undefined
}

export const idleMs = 30 * 60_000
const flushMs = 10_000
/** A record is written whole: one of so many characters in a batch, and a larger one as much more seldom. */
const charactersABatch = 4_000
const longestRestMs = 5 * 60_000
const mostFiles = 500

/** The sessions of this process. */
interface Sessions {
  /** By their key: a handle, a connection or the process. */
  open: Map<string, Session>
  /** The state of each when it was last written. Only the difference is added to the record, which processes may share. */
  written: WeakMap<Session, Session>
  /** When each may be written again, for having become large. */
  restUntil: WeakMap<Session, number>
  ending: Session[]
  /** Something is not to wait for the next batch: a session that began, a discovery that names it. */
  urgent: boolean
  timer: NodeJS.Timeout | null
  watch: NodeJS.Timeout | null
  writing: Promise<unknown>
}

const sessionsOf = libraryState(
  'sessions',
  (): Sessions => ({
    open: new Map(),
    written: new WeakMap(),
    restUntil: new WeakMap(),
    ending: [],
    urgent: false,
    timer: null,
    watch: null,
    writing: Promise.resolve(),
  }),
)

/** Counts a call and returns the id of its session. */
export function touch(library: Library, sitting: Sitting = {}): string {
  const session = ensureSession(library, sitting)
  session.lastAt = Math.max(session.lastAt, now(library))
  session.calls++
  schedule(library)
  return session.id
}

/** A file that a call read; the call itself is counted by its beginning. */
export function noteFile(library: Library, path: string, sitting: Sitting = {}): void {
  const { files } = ensureSession(library, sitting)
  if (Object.hasOwn(files, path) || Object.keys(files).length < mostFiles)
    files[path] = countIn(files, path) + 1
  schedule(library)
}

export function noteDiscovery(library: Library, id: string, sitting: Sitting): void {
  const { discoveries } = ensureSession(library, sitting)
  if (!discoveries.includes(id) && discoveries.length < mostDiscoveries) discoveries.push(id)
  sessionsOf(library).urgent = true
  schedule(library)
}

/** Begins the caller's session unless it goes on already, and returns a copy. Counts no call. */
export function enterSession(library: Library, sitting: Sitting = {}): Session {
  const session = ensureSession(library, sitting)
  schedule(library)
  return structuredClone(session)
}

/** All sessions, the latest first. */
export async function allSessions(library: Library): Promise<Session[]> {
  endIdle(library)
  // A disk that cannot be written is no reason not to look.
  await flush(library, isDue).catch(() => {})
  const all = new Map(
    (await library.store.records.all<Session>(sessionKind)).map(({ id, value }) => [id, value]),
  )
  const sessions = sessionsOf(library)
  for (const session of unwritten(sessions)) {
    const stored = all.get(session.id)
    const seen = structuredClone(session)
    all.set(session.id, stored ? add(stored, sessions.written.get(session), seen) : seen)
  }
  return [...all.values()].sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1))
}

/** Writes the changes, and returns the sessions that are over. */
export function flushSessions(library: Library): Promise<Session[]> {
  return flush(library, () => true)
}

type Which = (sessions: Sessions, session: Session) => boolean

function flush(library: Library, which: Which): Promise<Session[]> {
  const sessions = sessionsOf(library)
  if (sessions.timer) clearTimeout(sessions.timer)
  sessions.timer = null
  sessions.urgent = false
  const turn = sessions.writing.catch(() => {}).then(() => writeAll(library, sessions, which))
  sessions.writing = turn
  return turn
}

function isDue({ restUntil }: Sessions, session: Session): boolean {
  return session.endedAt !== null || performance.now() >= (restUntil.get(session) ?? 0)
}

/** Resolves when the writes in progress are done. */
export async function sessionsWritten(library: Library): Promise<void> {
  await sessionsOf(library).writing.catch(() => {})
}

/** The connection is over: so are its sessions. */
export function endSessions(library: Library): Promise<Session[]> {
  const sessions = sessionsOf(library)
  if (sessions.watch) clearInterval(sessions.watch)
  sessions.watch = null
  for (const [key, session] of sessions.open) end(sessions, key, session, 'disconnect', now(library))
  return flushSessions(library)
}

/** One connection of several is over. */
export function endConnection(library: Library, connection: string): void {
  const sessions = sessionsOf(library)
  const key = connectionKey(connection)
  const session = sessions.open.get(key)
  if (!session) return
  end(sessions, key, session, 'disconnect', now(library))
  schedule(library)
}

/** Ends those without a call for half an hour. */
export function endIdle(library: Library): void {
  const sessions = sessionsOf(library)
  for (const [key, session] of sessions.open)
    if (now(library) - session.lastAt > idleMs) end(sessions, key, session, 'idle', session.lastAt + idleMs)
}

/** Those that go on in this process. */
export function openSessions(library: Library): Session[] {
  return [...sessionsOf(library).open.values()]
}

/** The session of this caller; begins one if there is none. */
function ensureSession(library: Library, sitting: Sitting): Session {
  const sessions = sessionsOf(library)
  endIdle(library)
  const key = keyOf(sessions, sitting)
  const known = sessions.open.get(key)
  if (known) {
    known.client ??= sitting.client ?? null
    return known
  }
  const begun = begin(sitting, now(library))
  sessions.open.set(key, begun)
  sessions.urgent = true
  sessions.watch ??= setInterval(() => {
    endIdle(library)
    schedule(library)
  }, 60_000).unref()
  return begun
}

// Results return the id of a connection's own session. A client that passes this id means that session.
function keyOf({ open }: Sessions, { sessionId, connection }: Sitting): string {
  if (sessionId === undefined) return connection === undefined ? 'process' : connectionKey(connection)
  const named = [...open].find(([, { id }]) => id === sessionId)
  return named?.[0] ?? handleKey(sessionId)
}

function connectionKey(id: string): string {
  return `at ${id}`
}

function handleKey(id: string): string {
  return `handle ${id}`
}

function begin({ sessionId, client }: Sitting, at: number): Session {
  const place = { pid: process.pid, host: thisHost() }
  const times = { startedAt: at, lastAt: at, endedAt: null, ended: null }
  const id = sessionId ?? randomUUID()
  return { id, client: client ?? null, ...times, calls: 0, files: {}, discoveries: [], ...place }
}

function end(sessions: Sessions, key: string, session: Session, how: Session['ended'], at: number) {
  sessions.open.delete(key)
  session.endedAt = at
  session.ended = how
  sessions.ending.push(session)
}

/** Nobody waits for the writing: a call is answered as soon as without. */
function schedule(library: Library) {
  const sessions = sessionsOf(library)
  const write = () =>
    void flush(library, isDue)
      .then(() => unwritten(sessions).length > 0 && schedule(library))
      .catch(() => {})
  if (sessions.urgent) write()
  else sessions.timer ??= setTimeout(write, flushMs).unref()
}

async function writeAll(library: Library, sessions: Sessions, which: Which): Promise<Session[]> {
  const over: Session[] = []
  for (const session of unwritten(sessions).filter((session) => which(sessions, session))) {
    const before = sessions.written.get(session)
    const seen = structuredClone(session)
    const saved = await library.store.records.update<Session>(sessionKind, session.id, (stored) =>
      stored ? add(stored, before, seen) : seen,
    )
    sessions.written.set(session, seen)
    sessions.restUntil.set(session, performance.now() + restAfter(saved))
    if (saved && seen.endedAt !== null) over.push(saved)
  }
  await storeSessions(library, over)
  sessions.ending = sessions.ending.filter((session) => isChanged(sessions, session))
  return over
}

function restAfter(session: Session | null): number {
  const batches = Math.floor(JSON.stringify(session).length / charactersABatch)
  return Math.min(longestRestMs, batches * flushMs)
}

/** Those with something that is not kept yet. */
function unwritten(sessions: Sessions): Session[] {
  return [...sessions.ending, ...sessions.open.values()].filter((session) => isChanged(sessions, session))
}

function isChanged({ written }: Sessions, session: Session): boolean {
  const before = written.get(session)
  return !(before && same(before, session)) && !isPassing(session)
}

// A single command from a shell that left nothing behind.
function isPassing(session: Session): boolean {
  return session.client === 'cli' && leftBehind(session) === 0
}

function same(a: Session, b: Session): boolean {
  return (
    a.calls === b.calls &&
    a.endedAt === b.endedAt &&
    a.discoveries.length === b.discoveries.length &&
    readings(a) === readings(b)
  )
}

function readings({ files }: Session): number {
  return Object.values(files).reduce((sum, count) => sum + count, 0)
}

/** Adds this process's share of a session to the record: several processes may use one handle. */
function add(stored: Session, before: Session | undefined, seen: Session): Session {
  const files = { ...stored.files }
  for (const [path, count] of Object.entries(seen.files)) {
    const more = count - countIn(before?.files ?? {}, path)
    if (more > 0) files[path] = countIn(files, path) + more
  }
  return {
    ...seen,
    client: stored.client ?? seen.client,
    startedAt: Math.min(stored.startedAt, seen.startedAt),
    lastAt: Math.max(stored.lastAt, seen.lastAt),
    calls: stored.calls + seen.calls - (before?.calls ?? 0),
    files,
    discoveries: allRecorded(stored.discoveries, seen.discoveries),
  }
}

// A file may be called `constructor`.
function countIn(files: Record<string, number>, path: string): number {
  return Object.hasOwn(files, path) ? files[path]! : 0
}
