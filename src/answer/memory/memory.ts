// Discoveries and sessions as documents: they walk the road in like any other, and are made again from their records
// when the index is rebuilt.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexedDocument, StoredChunk } from '../../model/document.js'
import type { Fingerprint, Store } from '../../store/port.js'
import { hashOf } from '../../text/hash.js'
import { moduleOf } from '../../text/module.js'
import { withoutControls } from '../../text/one-line.js'
import type { Library } from '../library.js'
import {
  type Discovery,
  discoveriesSource,
  filesOf,
  hasSubstance,
  isoTime,
  type Session,
  sessionKind,
  sessionsSource,
} from './records.js'

const descriptions: Record<string, string> = {
  [discoveriesSource]: 'Patterns, rules, decisions and issues that were recorded here.',
  [sessionsSource]: 'What was read and recorded in earlier sessions.',
}

/** The id of the record that a document was made from. */
export function recordId(path: string): string {
  return path.replace(/\.md$/, '')
}

export function documentOfDiscovery(discovery: Discovery): Promise<IndexedDocument> {
  return documentOf(memoryOfDiscovery(discovery))
}

function memoryOfDiscovery(discovery: Discovery): Memory {
  const { id, type, content, module, session, createdAt, supersededBy } = discovery
  const name = supersededBy ? `superseded ${type}` : type
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return {
    source: discoveriesSource,
    id,
    title: module ? `${title} in ${module}` : title,
    text: supersededMark(discovery) + content,
    tags: [
      `discovery/${type}`,
      ...(module ? [`module/${module}`] : []),
      ...(supersededBy ? ['superseded'] : []),
    ],
    metadata: { type, module, session, createdAt, supersededBy },
  }
}

/** Stands before the text of a discovery that a newer one replaced, so that no tool passes it off as valid. */
function supersededMark({ supersededBy }: Discovery): string {
  return supersededBy
    ? `Replaced by a newer discovery, ${discoveriesSource}:${supersededBy}.md, which holds instead.\n\n`
    : ''
}

function memoryOfSession(session: Session, statements: readonly string[]): Memory {
  const files = filesOf(session)
  const modules = [...new Set(files.flatMap(({ path }) => moduleOf(path) ?? []))]
  return {
    source: sessionsSource,
    id: session.id,
    title: `Session of ${isoTime(session.startedAt).slice(0, 10)}`,
    text: withoutControls(sessionText(session, { modules, files, statements })),
    tags: modules.map((module) => `module/${module}`),
    metadata: { startedAt: isoTime(session.startedAt), client: session.client },
  }
}

const mostFilesShown = 20

function sessionText(
  { client, startedAt, endedAt, lastAt }: Session,
  {
    modules,
    files,
    statements,
  }: { modules: string[]; files: { path: string }[]; statements: readonly string[] },
): string {
  const minutes = Math.max(1, Math.round(((endedAt ?? lastAt) - startedAt) / 60_000))
  const who = client ? ` with ${client}` : ''
  const shown = files.slice(0, mostFilesShown).map(({ path }) => `- ${path}`)
  return [
    `A session${who} of ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} on ${isoTime(startedAt).slice(0, 10)}${modules.length ? `, in ${modules.slice(0, 8).join(', ')}` : ''}.`,
    ...(shown.length ? ['', 'Files read:', '', ...shown] : []),
    ...(statements.length
      ? ['', 'Recorded:', '', ...statements.map((one) => `- ${one.replace(/\s+/g, ' ')}`)]
      : []),
    '',
  ].join('\n')
}

interface Memory {
  source: string
  id: string
  title: string
  text: string
  tags: string[]
  metadata: Record<string, unknown>
}

// The tags are part of the hash.
function hashOfMemory({ title, text, tags }: Memory): string {
  return hashOf(title, text, JSON.stringify(tags))
}

async function documentOf(memory: Memory): Promise<IndexedDocument> {
  const { source, id, title, text, tags, metadata } = memory
  // Parsers take a while to load, and a process that remembers nothing new goes without.
  const { prepare } = await import('../../ingest/prepare.js')
  const made = await prepare({
    ref: { source, path: `${id}.md` },
    bytes: Buffer.from(text),
    stamp: null,
    readAt: Date.now(),
    title,
    metadata,
  })
  return { ...made, title, tags, hash: hashOfMemory(memory) }
}

/**
 * Stores discoveries as documents. Those with a known vector are found by meaning at once. Marking a discovery does not
 * change its meaning, so its vector stays valid.
 */
export async function storeDiscoveries(
  library: Library,
  discoveries: readonly Discovery[],
  vectors: ReadonlyMap<string, Float32Array> = new Map(),
): Promise<void> {
  const { store, embedder } = library
  const before = embedder ? await vectorsOf(store, embedder.model, discoveries) : []
  await storeAll(library, discoveriesSource, discoveries.map(memoryOfDiscovery))
  if (!embedder) return
  for (const [id, vector] of new Map([...before, ...vectors])) {
    const first = await firstChunk(store, id)
    if (first) await store.vectors.put(embedder.model, [{ chunk: first.id, hash: first.hash, vector }])
  }
}

async function vectorsOf(store: Store, model: string, discoveries: readonly Discovery[]) {
  const known: [id: string, vector: Float32Array][] = []
  for (const { id } of discoveries) {
    const first = await firstChunk(store, id)
    const vector = first && (await store.vectors.of(model, [first.id])).get(first.id)
    if (vector) known.push([id, vector])
  }
  return known
}

async function firstChunk(store: Store, id: string): Promise<StoredChunk | undefined> {
  return (await store.chunksOf({ source: discoveriesSource, path: `${id}.md` }))[0]
}

export async function storeSessions(library: Library, sessions: readonly Session[]): Promise<void> {
  const worth = sessions.filter(hasSubstance)
  await storeAll(library, sessionsSource, await Promise.all(worth.map((one) => sessionMemory(library, one))))
}

const mostStatements = 10

async function sessionMemory({ store }: Library, session: Session): Promise<Memory> {
  const statements: string[] = []
  for (const id of session.discoveries.slice(0, mostStatements)) {
    const discovery = await store.records.get<Discovery>('discovery', id)
    if (discovery) statements.push(`${discovery.type}: ${discovery.content}`)
  }
  return memoryOfSession(session, statements)
}

const atOnce = 50

async function storeAll(library: Library, source: string, memories: readonly Memory[]) {
  if (memories.length > 0) await keepSource(library, source)
  for (let i = 0; i < memories.length; i += atOnce) {
    await library.store.replace(await Promise.all(memories.slice(i, i + atOnce).map(documentOf)))
    await nextTurn()
  }
}

async function keepSource({ store }: Library, id: string) {
  if ((await store.sources()).some((source) => source.id === id)) return
  const at = new Date().toISOString()
  await store.putSource({
    id,
    name: id,
    kind: 'memory',
    location: `context://${id}`,
    description: descriptions[id],
    createdAt: at,
    updatedAt: at,
    details: {},
  })
}

export const discoveriesLease = 'discoveries'

/** Makes the documents of all records again where they are missing or not as the records are. Returns how many. */
export async function restoreMemory(library: Library): Promise<number> {
  const seen = await differences(library)
  if (seen.every(({ changed, gone }) => changed.length + gone.length === 0)) return 0
  // Checked again under the lock: another process may be recording right now.
  return library.mutex.withLock(discoveriesLease, async () => {
    let count = 0
    for (const { source, changed, gone } of await differences(library)) {
      await storeAll(library, source, changed)
      if (gone.length > 0) await library.store.forget(gone.map((path) => ({ source, path })))
      count += changed.length + gone.length
    }
    return count
  })
}

/** Whether a record is complete. An incomplete one, or one of another program, must not stop the index. */
function isWhole({ id, type, content }: Partial<Discovery>): boolean {
  return [id, type, content].every((text) => typeof text === 'string' && text !== '')
}

interface Difference {
  source: string
  /** Records whose document is missing or different. */
  changed: Memory[]
  /** Documents of records that are no more. */
  gone: string[]
}

async function differences(library: Library): Promise<Difference[]> {
  const { store } = library
  // Documents first: one that is recorded in between must not look like a document without a record.
  const known = {
    discoveries: await store.fingerprints(discoveriesSource),
    sessions: await store.fingerprints(sessionsSource),
  }
  const discoveries = (await store.records.all<Discovery>('discovery'))
    .filter(({ value }) => isWhole(value))
    .map(({ value }) => memoryOfDiscovery(value))
  const sessions = (await store.records.all<Session>(sessionKind)).map(({ value }) => value)
  const over = sessions.filter((one) => one.endedAt !== null && hasSubstance(one))
  const memories = await Promise.all(over.map((one) => sessionMemory(library, one)))
  return [
    difference(discoveriesSource, known.discoveries, discoveries),
    difference(sessionsSource, known.sessions, memories),
  ]
}

function difference(
  source: string,
  known: ReadonlyMap<string, Fingerprint>,
  memories: readonly Memory[],
): Difference {
  const all = new Set(memories.map(({ id }) => `${id}.md`))
  return {
    source,
    changed: memories.filter((memory) => known.get(`${memory.id}.md`)?.hash !== hashOfMemory(memory)),
    gone: [...known.keys()].filter((path) => !all.has(path)),
  }
}
