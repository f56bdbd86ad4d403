// One file of a folder that may have changed since it was indexed: looked at, and read again if need be, on the same
// road as a whole run. No lease is needed: a document read earlier never replaces one read later.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '../model/settings.js'
import { look } from '../sources/folder.js'
import type { Fingerprint } from '../store/port.js'
import { certainlySame, type IngestPorts } from './ingest.js'
import { sizeLimit } from './readers.js'
import { recall, remember } from './refusals.js'
import { type Reading, unpack } from './task.js'

export interface KnownFile {
  source: string
  path: string
  folder: { path: string }
  limits: Limits
  known: Fingerprint
}

/** `stale`: it changed, but what it says now cannot be read; the older version stays. */
export type Reread = { state: 'same' | 'replaced' | 'forgotten' } | { state: 'stale'; reason: string }

export async function reread(ports: IngestPorts, file: KnownFile): Promise<Reread> {
  const stamp = look(join(file.folder.path, file.path))
  if (typeof stamp === 'string') return { state: 'stale', reason: stamp }
  if (stamp && certainlySame({ stamp }, file.known)) return { state: 'same' }
  // A folder that is gone altogether is a disk that is not there, not a thousand deleted files.
  if (stamp === null && !statSync(file.folder.path, { throwIfNoEntry: false })?.isDirectory())
    return { state: 'stale', reason: `There is no folder at ${file.folder.path}.` }
  if (stamp) {
    const refused = (await recall(ports.store, file.source))[file.path]
    if (refused && refused.size === stamp.size && refused.mtimeMs === stamp.mtimeMs)
      return { state: 'stale', reason: refused.reason }
  }
  const asOf = Date.now()
  const reading: Reading = stamp ? await read(ports, file) : { state: 'gone' }
  if (reading.state === 'failed' && !reading.passing && stamp) {
    const { state, reason } = reading
    await remember(ports.store, file.source, [{ path: file.path, ...stamp, state, reason }])
  }
  return keep(ports, file, reading, asOf)
}

function read({ readers }: IngestPorts, { source, path, folder, limits, known }: KnownFile) {
  const maxBytes = sizeLimit(path, limits) ?? 0
  return readers.read({ root: folder.path, path, source, maxBytes, knownHash: known.hash })
}

async function keep(
  { store }: IngestPorts,
  { source, path }: KnownFile,
  reading: Reading,
  asOf: number,
): Promise<Reread> {
  const ref = { source, path }
  switch (reading.state) {
    case 'same':
      await store.restamp([{ ref, stamp: reading.stamp, readAt: reading.readAt }])
      return { state: 'same' }
    case 'read':
      await store.replace([unpack(reading.document)])
      return { state: 'replaced' }
    case 'failed':
      return { state: 'stale', reason: reading.reason }
    default:
      await store.forget([ref], asOf)
      return { state: 'forgotten' }
  }
}
