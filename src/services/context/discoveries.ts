// What was found out about a project and is worth keeping: patterns, rules, decisions and issues. A discovery is a record
// of our own; as a document of a source of its own it is found by the same search as everything else.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Embedder } from '../../embed/port.js'
import { meaningOf } from '../../ingest/prepare.js'
import { Problem } from '../../model/problem.js'
import { withoutControls } from '../../text/controls.js'
import { hashOf } from '../../text/hash.js'
import { redact } from '../../text/redact.js'
import { overlap, relationOf, type Understood, understand } from '../../text/statement.js'
import { truncate } from '../../text/truncate.js'
import type { Library } from '../library.js'
import { inTurn } from '../turns.js'
import { isoTime, now } from './clock.js'
import { discoveriesLease, documentOfDiscovery, nearestDiscoveries, storeDiscoveries } from './memory.js'

export const discoveryTypes = ['pattern', 'rule', 'decision', 'issue'] as const
export type DiscoveryType = (typeof discoveryTypes)[number]

export interface Discovery {
  id: string
  type: DiscoveryType
  content: string
  module: string | null
  /** The session it was first recorded in. */
  session: string | null
  createdAt: string
  updatedAt: string
  /** How often it was stated. */
  count: number
  /** Where it was stated, the first and the latest. */
  provenance: Provenance[]
  /** The id of the later statement that takes it back. */
  supersededBy: string | null
}

export interface Provenance {
  by: 'tool' | 'command' | 'notes' | 'transcript'
  at: string
  session?: string
  file?: string
  line?: number
  message?: string
}

/** Something stated, not recorded yet. */
export interface Statement {
  type: DiscoveryType
  content: string
  module?: string | null | undefined
  session?: string | null | undefined
  /** When it was said; now unless given. */
  at?: string | undefined
  from: Omit<Provenance, 'at' | 'session'>
}

export interface Recorded {
  discovery: Discovery
  state: 'recorded' | 'merged'
  /** Ids of earlier statements that it takes back. */
  supersedes: string[]
  /** Something secret was taken out. */
  redacted: boolean
}

export const discoveryKind = 'discovery'
const leastContent = 10
const mostContent = 1_000
const mostProvenance = 20
const embedBatch = 32

export async function recordDiscovery(
  library: Library,
  statement: Statement,
  signal?: AbortSignal,
): Promise<Recorded> {
  const [recorded] = await recordAll(library, [statement], signal)
  return recorded!
}

/** Records statements in their order. One that says what is known already is merged into that. */
export async function recordAll(
  library: Library,
  statements: readonly Statement[],
  signal?: AbortSignal,
): Promise<Recorded[]> {
  const drafts = statements.map((statement) => draft(library, statement))
  await embedAll(library.embedder, drafts, signal)
  return inTurn(
    library,
    discoveriesLease,
    async () => {
      const known = await understoodAll(library)
      const recorded: Recorded[] = []
      for (const one of drafts) {
        signal?.throwIfAborted()
        recorded.push(await record(library, known, one))
      }
      return recorded
    },
    signal,
  )
}

/** By id. */
export async function allDiscoveries({ store }: Library): Promise<Discovery[]> {
  return (await store.records.all<Discovery>(discoveryKind)).map(({ value }) => value)
}

interface Draft {
  discovery: Discovery
  understood: Understood
  redacted: boolean
  vector: Float32Array | null
}

interface Known {
  discovery: Discovery
  understood: Understood
}

const understoodBefore = new WeakMap<Library, Map<string, Known>>()

/** Every discovery with what it says. Understanding thousands takes a while, so what stayed the same is not done again. */
async function understoodAll(library: Library): Promise<Map<string, Known>> {
  const before = understoodBefore.get(library)
  const known = new Map<string, Known>()
  for (const [i, discovery] of (await allDiscoveries(library)).entries()) {
    const same = before?.get(discovery.id)
    const understood = same?.discovery.content === discovery.content ? same.understood : null
    known.set(discovery.id, { discovery, understood: understood ?? understand(discovery.content) })
    if (i % 200 === 199) await nextTurn()
  }
  understoodBefore.set(library, known)
  return known
}

function draft(library: Library, statement: Statement): Draft {
  const { type, session = null, from } = statement
  const given = withoutControls(statement.content.replace(/\r\n?/g, '\n')).trim()
  const content = truncate(redact(given), mostContent, '…')
  if (!worthKeeping(content))
    throw new Problem(
      'nothing_left',
      given === content
        ? 'There is too little to record.'
        : 'Nothing is left to record once the secrets are taken out.',
      `Say it in a sentence of ${leastContent} to ${mostContent} characters, without keys or passwords.`,
    )
  const at = statement.at ?? isoTime(now(library))
  const module = moduleName(statement.module)
  const understood = understand(content)
  const discovery: Discovery = {
    id: idOf(type, understood.plain),
    type,
    content,
    module,
    session,
    createdAt: at,
    updatedAt: at,
    count: 1,
    provenance: [{ ...from, at, ...(session !== null && { session }) }],
    supersededBy: null,
  }
  return { discovery, understood, redacted: content !== given, vector: null }
}

/** Whether enough is left to say something once secrets are out. */
export function worthKeeping(content: string): boolean {
  return (
    redact(content)
      .replace(/\[redacted[^\]]*\]/g, '')
      .trim().length >= leastContent
  )
}

function moduleName(given: string | null | undefined): string | null {
  const name = redact(withoutControls(given ?? ''))
    .trim()
    .replace(/^\/+|\/+$/g, '')
  return name === '' ? null : name
}

/** Made from what is said, so that two processes that hear the same at once mean the same record. */
function idOf(type: DiscoveryType, plain: string): string {
  const hex = hashOf('discovery', type, plain)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

// --- Meaning: asked for before the turn is taken, since a model may have to load first.

const patienceMs = 2_500

async function embedAll(embedder: Embedder | null, drafts: readonly Draft[], signal?: AbortSignal) {
  if (!embedder) return
  const late = AbortSignal.timeout(patienceMs + drafts.length * 100)
  try {
    for (let i = 0; i < drafts.length; i += embedBatch) {
      const some = drafts.slice(i, i + embedBatch)
      const documents = await Promise.all(some.map(({ discovery }) => documentOfDiscovery(discovery)))
      const texts = documents.map(({ text, chunks: [first] }) =>
        meaningOf(first?.context ?? '', text.slice(first?.start ?? 0, first?.end)),
      )
      const vectors = await embedder.embed(texts, {
        kind: 'passage',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      for (const [j, one] of some.entries()) one.vector = vectors[j] ?? null
    }
  } catch {
    // By words alone then; the vectors fill in later like any other's.
    signal?.throwIfAborted()
  }
}

// --- One statement among those that are known.

async function record(library: Library, known: Map<string, Known>, draft: Draft): Promise<Recorded> {
  const related = relatedTo(draft, known, await nearestDiscoveries(library, draft.vector))
  const twin = best(
    related.filter(
      ({ relation, discovery }) => relation === 'same' && discovery.type === draft.discovery.type,
    ),
    draft,
  )
  const overtaken = related.find(({ relation }) => relation === 'replaced by')?.discovery.id ?? null
  const before = twin?.discovery.supersededBy ? known.get(twin.discovery.supersededBy) : undefined
  // Said again after what had taken it back, it holds again.
  const revived = before !== undefined && before.discovery.updatedAt <= draft.discovery.createdAt
  const kept = await keep(
    library,
    twin ? merged(twin.discovery, draft.discovery, revived) : { ...draft.discovery, supersededBy: overtaken },
  )
  const superseded = await supersede(library, kept, [
    ...related
      .filter(({ relation, discovery }) => relation === 'replaces' && discovery.supersededBy === null)
      .map(({ discovery }) => discovery.id),
    ...(revived ? [before.discovery.id] : []),
  ])
  for (const one of [kept, ...superseded])
    known.set(one.id, { discovery: one, understood: understand(one.content) })
  await storeDiscoveries(library, [kept, ...superseded], twin ? new Map() : vectorsOf(kept, draft))
  return {
    discovery: kept,
    state: twin ? 'merged' : 'recorded',
    supersedes: superseded.map(({ id }) => id),
    redacted: draft.redacted,
  }
}

/** What is imported may have been said before what is known: then it is the known one that takes it back. */
function relatedTo(draft: Draft, known: ReadonlyMap<string, Known>, cosines: ReadonlyMap<string, number>) {
  return [...known.values()].flatMap((one) => {
    if (!comparable(one.discovery, draft.discovery)) return []
    const cosine = cosines.get(one.discovery.id) ?? null
    const later = one.discovery.updatedAt > draft.discovery.createdAt
    const relation = later
      ? relationOf(draft.understood, one.understood, cosine)
      : relationOf(one.understood, draft.understood, cosine)
    if (relation === null || (later && relation === 'replaces' && one.discovery.supersededBy !== null))
      return []
    return [{ ...one, relation: later && relation === 'replaces' ? ('replaced by' as const) : relation }]
  })
}

/** An issue is taken back by no rule, and what holds in one module says nothing about another. */
function comparable(known: Discovery, other: Discovery): boolean {
  const kinds = known.type === other.type || (known.type !== 'issue' && other.type !== 'issue')
  const places =
    known.module === null ||
    other.module === null ||
    known.module.toLowerCase() === other.module.toLowerCase()
  return kinds && places
}

function best<T extends Known>(candidates: readonly T[], { understood, discovery }: Draft): T | undefined {
  const rank = (one: T) => (one.discovery.id === discovery.id ? 2 : overlap(one.understood, understood))
  return [...candidates].sort(
    (a, b) => rank(b) - rank(a) || (a.discovery.createdAt < b.discovery.createdAt ? -1 : 1),
  )[0]
}

function merged(known: Discovery, again: Discovery, revived: boolean): Discovery {
  const [place] = again.provenance
  if (place && known.provenance.some((one) => samePlace(one, place))) return known
  const [first, ...rest] = known.provenance
  const later = [...rest, ...again.provenance].slice(1 - mostProvenance)
  return {
    ...known,
    module: known.module ?? again.module,
    session: known.session ?? again.session,
    createdAt: known.createdAt < again.createdAt ? known.createdAt : again.createdAt,
    updatedAt: known.updatedAt > again.updatedAt ? known.updatedAt : again.updatedAt,
    count: known.count + 1,
    provenance: first ? [first, ...later] : later,
    supersededBy: revived ? null : known.supersededBy,
  }
}

/** The same words of the same file, imported again. */
function samePlace(a: Provenance, b: Provenance): boolean {
  return a.file !== undefined && a.file === b.file && a.line === b.line && a.message === b.message
}

async function keep({ store }: Library, discovery: Discovery): Promise<Discovery> {
  await store.records.put(discoveryKind, discovery.id, discovery)
  return discovery
}

/** Marks, never deletes. */
async function supersede({ store }: Library, by: Discovery, ids: readonly string[]): Promise<Discovery[]> {
  const marked: Discovery[] = []
  for (const id of new Set(ids)) {
    if (id === by.id) continue
    const changed = await store.records.update<Discovery>(discoveryKind, id, (one) =>
      one ? { ...one, supersededBy: by.id } : null,
    )
    if (changed) marked.push(changed)
  }
  return marked
}

function vectorsOf({ id }: Discovery, { vector }: Draft): Map<string, Float32Array> {
  return vector ? new Map([[id, vector]]) : new Map()
}
