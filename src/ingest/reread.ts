// Files of a folder that may have changed since they were indexed: looked at, and read again if need be, on the same road
// as a whole run. No lease is needed: a document read earlier never replaces one read later.
import { join } from 'node:path'
import type { Stamp } from '../model/document.js'
import { Problem } from '../model/problem.js'
import type { Limits } from '../model/settings.js'
import { look, looksSame } from '../sources/safe-file.js'
import type { Fingerprint } from '../store/port.js'
import { recall, remember, stillRefused } from './failed-files.js'
import type { IngestPorts } from './ingest.js'
import { whyAway } from './missing-folder.js'
import { sizeLimit } from './readers.js'
import { type Reading, unpackFile } from './task.js'

export interface KnownFile {
  source: string
  path: string
  folder: { path: string }
  limits: Limits
  /** As it was when it was read. Without a stamp, the bytes are compared however the file looks. */
  known: Fingerprint
  /** A manifest vouches for the bytes that are known: no others take their place. */
  isPinned?: boolean
}

export type Reread =
  /** `seen`: how it looks now, where only that is new. */
  | { state: 'same'; seen?: Pick<Fingerprint, 'stamp' | 'readAt'> }
  | { state: 'replaced' | 'forgotten' }
  /** It changed, but what it says now cannot be read; the older version stays. */
  | { state: 'stale'; reason: string }

export async function reread(ports: IngestPorts, file: KnownFile): Promise<Reread> {
  const [one] = await rereadAll(ports, [file])
  return one!
}

const atOnce = 100

/** One answer a file, in their order. Many that changed are stored together. */
export async function rereadAll(ports: IngestPorts, files: readonly KnownFile[]): Promise<Reread[]> {
  const all: Reread[] = []
  for (let i = 0; i < files.length; i += atOnce) {
    const some = await Promise.all(files.slice(i, i + atOnce).map((file) => lookAt(ports, file)))
    const stored = await keep(ports, some).then(() => true, refusedAsReadOnly)
    all.push(...some.map((seen) => ('reading' in seen ? outcome(seen, stored) : seen)))
  }
  return all
}

/** An index that can only be read still answers, with what it has. */
function refusedAsReadOnly(error: unknown): boolean {
  if (error instanceof Problem && error.code === 'store_readonly') return false
  throw error
}

/** What a changed file says now. */
interface Changed {
  file: KnownFile
  reading: Reading
  /** When it was looked at. */
  asOf: number
}

async function lookAt(ports: IngestPorts, file: KnownFile): Promise<Reread | Changed> {
  const stamp = look(join(file.folder.path, file.path))
  if (typeof stamp === 'string') return { state: 'stale', reason: stamp }
  if (stamp && certainlySame({ stamp }, file.known)) return { state: 'same' }
  const away = stamp === null ? whyAway(ports.foldersSeen, file.source, file.folder.path) : null
  if (away) return { state: 'stale', reason: away }
  if (stamp) {
    const refusals = await recall(ports.store, file.source)
    const refused = stillRefused(refusals, { path: file.path, stamp }, file.limits)
    if (refused) return { state: 'stale', reason: refused.reason }
  }
  const asOf = Date.now()
  const reading: Reading = stamp ? await read(ports, file) : { state: 'gone' }
  if (file.isPinned && reading.state !== 'same') return { state: 'stale', reason: whyHeld(reading) }
  if (reading.state === 'failed' && !reading.passing && stamp)
    await remember(ports.store, file.source, [{ path: file.path, stamp, reading }])
  return { file, reading, asOf }
}

/**
 * A file written right after it was read can have the same size and the same time stamps. Where that is possible (the
 * clock of coarse file systems counts whole seconds), the bytes are compared.
 */
export function certainlySame({ stamp }: { stamp: Stamp }, known: Fingerprint): boolean {
  if (!known.stamp || !looksSame(stamp, known.stamp)) return false
  const last = Math.max(stamp.mtimeMs, stamp.ctimeMs ?? 0)
  const tick = last % 1000 === 0 ? 2000 : 50
  return known.readAt - last > tick
}

function whyHeld(reading: Reading): string {
  if (reading.state === 'gone') return 'The manifest lists it, but it is not there.'
  return reading.state === 'failed' ? reading.reason : 'Its hash is not the one in the manifest.'
}

function read({ readers }: IngestPorts, { source, path, folder, limits, known }: KnownFile) {
  const maxBytes = sizeLimit(path, limits) ?? 0
  return readers.read({ root: folder.path, path, source, maxBytes, knownHash: known.hash })
}

async function keep({ store }: IngestPorts, seen: readonly (Reread | Changed)[]) {
  const changed = seen.flatMap((one) => ('reading' in one ? one : []))
  const documents = changed.flatMap(({ reading }) =>
    reading.state === 'read' ? unpackFile(reading.document) : [],
  )
  if (documents.length > 0) await store.replace(documents)
  const touched = changed.flatMap(({ file, reading }) =>
    reading.state === 'same' ? { ref: refOf(file), stamp: reading.stamp, readAt: reading.readAt } : [],
  )
  if (touched.length > 0) await store.restamp(touched)
  for (const { file, reading, asOf } of changed)
    if (reading.state === 'gone' || reading.state === 'skipped') await store.forget([refOf(file)], asOf)
}

function refOf({ source, path }: KnownFile) {
  return { source, path }
}

function outcome({ reading }: Changed, stored: boolean): Reread {
  if (!stored && reading.state !== 'same') return { state: 'stale', reason: 'The index is read-only.' }
  switch (reading.state) {
    case 'same':
      return { state: 'same', seen: { stamp: reading.stamp, readAt: reading.readAt } }
    case 'read':
      return { state: 'replaced' }
    case 'failed':
      return { state: 'stale', reason: reading.reason }
    default:
      return { state: 'forgotten' }
  }
}
