// Records statements: merges each into an equal discovery or adds a new one, and marks discoveries that it replaces.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Library } from '../../answer/library.js'
import { discoveriesLease, storeDiscoveries } from '../../answer/memory/memory.js'
import {
  allDiscoveries,
  type Discovery,
  discoveryKind,
  isoTime,
  now,
  type Provenance,
} from '../../answer/memory/records.js'
import { type Draft, draft, embedAll, otherId, type Statement } from '../../answer/memory/statements.js'
import type { DiscoveryType } from '../../model/discovery.js'
import { sameName } from '../../text/normal-forms.js'
import { type NormalisedStatement, normaliseStatement, relationOf } from '../../text/statement.js'
import { noteDiscovery, type Sitting, sessionsWritten, touch } from './sessions.js'

export interface Recorded {
  discovery: Discovery
  state: 'recorded' | 'merged'
  /** Ids of earlier discoveries that it replaces. */
  supersedes: string[]
  /** A secret was removed. */
  redacted: boolean
}

export async function recordDiscovery(
  library: Library,
  statement: Statement,
  signal?: AbortSignal,
): Promise<Recorded> {
  const [recorded] = await recordAll(library, [statement], signal)
  return recorded!
}

/** For each discovery, by its id, how often the import has met it so far. */
export type Met = Map<string, number>

/** Records statements in their order. One that equals a known discovery is merged into it. */
export async function recordAll(
  library: Library,
  statements: readonly Statement[],
  signal?: AbortSignal,
  met: Met = new Map(),
): Promise<Recorded[]> {
  const recordedAt = isoTime(now(library))
  const drafts = statements.map((statement) => draft(library, statement))
  await embedAll(library.embedder, drafts, signal)
  return library.mutex.withLock(
    discoveriesLease,
    async () => {
      const known = await normaliseAll(library, recordedAt)
      const recorded: Recorded[] = []
      for (const one of drafts) {
        signal?.throwIfAborted()
        const outcome = await record(library, known, one, met)
        met.set(outcome.discovery.id, (met.get(outcome.discovery.id) ?? 0) + 1)
        recorded.push(outcome)
      }
      return recorded
    },
    { signal },
  )
}

interface Known {
  discovery: Discovery
  normalised: NormalisedStatement
}

/** Every discovery with its normalised text. */
async function normaliseAll(library: Library, recordedAt: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  const present = isoTime(now(library))
  for (const [i, stored] of (await allDiscoveries(library)).entries()) {
    // A record with a time in the future counts as recorded now.
    const discovery = stored.updatedAt > present ? { ...stored, updatedAt: recordedAt } : stored
    known.set(discovery.id, { discovery, normalised: normaliseStatement(discovery.content) })
    if (i % 200 === 199) await nextTurn()
  }
  return known
}

async function record(
  library: Library,
  known: Map<string, Known>,
  draft: Draft,
  met: Met,
): Promise<Recorded> {
  const related = relatedTo(draft, known)
  const twins = related.filter(
    ({ relation, discovery }) => relation === 'same' && discovery.type === draft.discovery.type,
  )
  const there = twins.find(({ discovery }) => isImported(discovery, draft.discovery, met))?.discovery
  if (there) return { discovery: there, state: 'merged', supersedes: [], redacted: draft.redacted }
  const twin = best(twins, draft)
  const overtaken = related.find(({ relation }) => relation === 'replaced by')?.discovery.id ?? null
  const before = twin?.discovery.supersededBy ? known.get(twin.discovery.supersededBy) : undefined
  // Recorded again after the discovery that had replaced it, it holds again.
  const revived = before !== undefined && before.discovery.updatedAt <= draft.discovery.createdAt
  const saved = twin
    ? merged(twin.discovery, draft.discovery, revived)
    : {
        ...draft.discovery,
        id: known.has(draft.discovery.id) ? otherId(draft) : draft.discovery.id,
        supersededBy: overtaken,
      }
  const superseded = await supersede(library, saved, [
    ...related
      .filter(({ relation, discovery }) => relation === 'replaces' && discovery.supersededBy === null)
      .map(({ discovery }) => discovery.id),
    ...(revived && comparable(before.discovery, saved) ? [before.discovery.id] : []),
  ])
  await keepAll(library, [saved, ...superseded], twin ? new Map() : vectorsOf(saved, draft))
  for (const one of [saved, ...superseded])
    known.set(one.id, { discovery: one, normalised: normaliseStatement(one.content) })
  return {
    discovery: saved,
    state: twin ? 'merged' : 'recorded',
    supersedes: superseded.map(({ id }) => id),
    redacted: draft.redacted,
  }
}

/** An imported statement may be older than a known one: then the known one replaces it. */
function relatedTo(draft: Draft, known: ReadonlyMap<string, Known>) {
  return [...known.values()].flatMap((one) => {
    if (!comparable(one.discovery, draft.discovery)) return []
    const later = one.discovery.updatedAt > draft.discovery.createdAt
    const relation = later
      ? relationOf(draft.normalised, one.normalised)
      : relationOf(one.normalised, draft.normalised)
    if (relation === null || (later && relation === 'replaces' && one.discovery.supersededBy !== null))
      return []
    return [{ ...one, relation: later && relation === 'replaces' ? ('replaced by' as const) : relation }]
  })
}

// No rule replaces an issue. A statement about one module says nothing about another or about the whole project: a rule for
// payments is an exception there, and the general rule stays.
function comparable(known: Discovery, other: Discovery): boolean {
  const kinds = known.type === other.type || (known.type !== 'issue' && other.type !== 'issue')
  return kinds && sameName(known.module ?? '') === sameName(other.module ?? '')
}

/**
 * Whether it was imported from the same place before. Lines of notes move, so of two equal ones the second matches the
 * second.
 */
function isImported(known: Discovery, { provenance: [place] }: Discovery, met: Met): boolean {
  const before = known.provenance.filter((one) => samePlace(one, place!))
  return before.length > (place!.by === 'notes' ? (met.get(known.id) ?? 0) : 0)
}

function samePlace(a: Provenance, b: Provenance): boolean {
  if (a.file === undefined || a.file !== b.file || a.by !== b.by) return false
  return a.by === 'notes' || (a.line === b.line && a.message === b.message)
}

function best<T extends Known>(candidates: readonly T[], { discovery }: Draft): T | undefined {
  const rank = (one: T) => (one.discovery.id === discovery.id ? 1 : 0)
  return [...candidates].sort(
    (a, b) => rank(b) - rank(a) || (a.discovery.createdAt < b.discovery.createdAt ? -1 : 1),
  )[0]
}

const mostProvenance = 20

function merged(known: Discovery, again: Discovery, revived: boolean): Discovery {
  const [first, ...rest] = known.provenance
  const later = [...rest, ...again.provenance].slice(1 - mostProvenance)
  return {
    ...known,
    session: known.session ?? again.session,
    createdAt: known.createdAt < again.createdAt ? known.createdAt : again.createdAt,
    updatedAt: known.updatedAt > again.updatedAt ? known.updatedAt : again.updatedAt,
    count: known.count + 1,
    provenance: first ? [first, ...later] : later,
    supersededBy: revived ? null : known.supersededBy,
  }
}

/**
 * The documents first and then all records at once: where the disk is full, the caller is refused and nothing is recorded.
 * Documents without their records are put right by `restoreMemory`.
 */
async function keepAll(
  library: Library,
  discoveries: readonly Discovery[],
  vectors: ReadonlyMap<string, Float32Array>,
) {
  await storeDiscoveries(library, discoveries, vectors)
  const records = discoveries.map((value) => ({ kind: discoveryKind, id: value.id, value }))
  await library.store.records.putAll(records)
}

/** The earlier statements as they are once they are marked. Marks, never deletes. */
async function supersede({ store }: Library, by: Discovery, ids: readonly string[]): Promise<Discovery[]> {
  const marked: Discovery[] = []
  for (const id of new Set(ids)) {
    if (id === by.id) continue
    const one = await store.records.get<Discovery>(discoveryKind, id)
    if (one) marked.push({ ...one, supersededBy: by.id })
  }
  return marked
}

function vectorsOf({ id }: Discovery, { vector }: Draft): Map<string, Float32Array> {
  return vector ? new Map([[id, vector]]) : new Map()
}

export interface Remembered extends Recorded {
  /** The session it was recorded in this time. */
  session: string
}

/** Records a discovery in the caller's session. */
export async function rememberDiscovery(
  library: Library,
  statement: { type: DiscoveryType; content: string; module?: string | undefined },
  sitting: Sitting = {},
  signal?: AbortSignal,
): Promise<Remembered> {
  const session = touch(library, sitting)
  const recorded = await recordDiscovery(library, { ...statement, session, from: { by: 'tool' } }, signal)
  // The session is written before the answer, so that an acknowledged discovery never names a lost session.
  await sessionsWritten(library)
  noteDiscovery(library, recorded.discovery.id, sitting)
  return { ...recorded, session }
}
