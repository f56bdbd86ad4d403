// What each reader was last shown of each file, so that nobody replaces or deletes a text that they have not seen.
import { join } from 'node:path'
import type { Ref } from '../model/source.js'
import type { Library } from './library.js'
import { libraryState } from './library-state.js'

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
  /** What of its text was shown: a long one comes in parts. */
  shown: Stretch
}

export interface Stretch {
  start: number
  end: number
}

/** Of a text that the reader knows, however long it is. */
export const everything: Stretch = { start: 0, end: Number.POSITIVE_INFINITY }

type Shown = Pick<Reading, 'hash' | 'whole'> & { shown: readonly Stretch[] }

// Beyond this the oldest are dropped. A reader without an entry is compared with the index only.
const mostReadings = 20_000

/** By reader and file. */
const shownReadings = libraryState('shown to clients', () => new Map<string, Shown>())

export function recordShown(library: Library, reader: Reader | undefined, reading: Reading): void {
  const key = keyOf(reader, reading.file)
  if (key === null) return
  const readings = shownReadings(library)
  const before = readings.get(key)
  readings.delete(key)
  readings.set(key, before ? after(before, reading) : { ...reading, shown: [reading.shown] })
  if (readings.size > mostReadings) readings.delete(readings.keys().next().value!)
}

function after(before: Shown, { hash, whole, shown }: Reading): Shown {
  if (before.hash === hash)
    return { hash, whole: before.whole || whole, shown: joined([...before.shown, shown]) }
  return before.whole && !whole ? before : { hash, whole, shown: [shown] }
}

const mostStretches = 500

/** In order, with those that touch made one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const { start, end } of [...stretches].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && start <= last.end) all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else all.push({ start, end })
  }
  return all.slice(-mostStretches)
}

/** The hash of what the reader was last shown of a file. */
export function lastShownHash(
  library: Library,
  reader: Reader | undefined,
  file: string,
): string | undefined {
  const key = keyOf(reader, file)
  return key === null ? undefined : shownReadings(library).get(key)?.hash
}

/** What the reader was shown of a file as it was with that hash, in order; null when that is not known. */
export function shownOf(
  library: Library,
  reader: Reader | undefined,
  { file, hash }: Pick<Reading, 'file' | 'hash'>,
): readonly Stretch[] | null {
  const key = keyOf(reader, file)
  const known = key === null ? undefined : shownReadings(library).get(key)
  return known?.hash === hash ? known.shown : null
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
