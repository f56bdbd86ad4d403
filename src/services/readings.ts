// What each reader was last shown of each file, so that nobody replaces or deletes a text that they have not seen.
import { join } from 'node:path'
import type { Ref } from '../model/source.js'
import type { Library } from './library.js'

/** Whose call it is: the connection's session, else the client. */
export interface Reader {
  session?: string | undefined
  client?: { id: string } | undefined
}

export interface Reading {
  file: string
  /** Of its bytes. */
  hash: string
  /** False for an excerpt: it never stands in for an older reading of the whole. */
  whole: boolean
}

// The oldest are forgotten; a reader who was shown nothing is only held against what the index knows.
const mostReadings = 20_000

const memories = new WeakMap<Library, Map<string, Pick<Reading, 'hash' | 'whole'>>>()

export function noteReading(library: Library, reader: Reader | undefined, reading: Reading): void {
  const key = keyOf(reader, reading.file)
  if (key === null) return
  const readings = memories.get(library) ?? new Map()
  memories.set(library, readings)
  const before = readings.get(key)
  const { hash, whole } = before?.whole && !reading.whole ? before : reading
  readings.delete(key)
  readings.set(key, { hash, whole })
  if (readings.size > mostReadings) readings.delete(readings.keys().next().value)
}

/** The hash of what the reader was last shown of a file. */
export function lastReading(library: Library, reader: Reader | undefined, file: string): string | undefined {
  const key = keyOf(reader, file)
  return key === null ? undefined : memories.get(library)?.get(key)?.hash
}

/** The file of a document, where it lies in a folder on this machine. */
export function fileOfRef({ sources }: Library, { source, path }: Ref): string | null {
  const folder = sources.find(({ id, kind }) => id === source && kind === 'folder')
  return folder ? join(folder.location, path) : null
}

function keyOf(reader: Reader | undefined, file: string): string | null {
  const who = reader?.session ?? reader?.client?.id
  return who === undefined ? null : `${who}\0${file}`
}
