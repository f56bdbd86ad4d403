// Remembers which text of each file a client has received, so that no client replaces or deletes text that it has not seen.
import { join } from 'node:path'
import type { Ref } from '../model/source.js'
import { type Library, libraryState } from './library.js'

/** The caller: the session of its connection, else the client. */
export interface Reader {
  session?: string | undefined
  client?: { id: string } | undefined
}

export interface Reading {
  file: string
  /** The hash of the file's bytes. */
  hash: string
  /** False for an excerpt, which never replaces an older reading of the whole file. */
  whole: boolean
  /** The stretch of text that was returned. A long text is returned in parts. */
  shown: Stretch
}

export interface Stretch {
  start: number
  end: number
}

/** The whole text, however long it is. */
export const everything: Stretch = { start: 0, end: Number.POSITIVE_INFINITY }

type ShownText = Pick<Reading, 'hash' | 'whole'> & { shown: readonly Stretch[] }

// Beyond this the oldest are dropped. A reader without an entry is compared with the index only.
const mostReadings = 20_000

/** By reader and file. */
const shownReadings = libraryState('shown to clients', () => new Map<string, ShownText>())

export function recordShown(library: Library, reader: Reader | undefined, reading: Reading): void {
  const key = keyOf(reader, reading.file)
  if (key === null) return
  const readings = shownReadings(library)
  const before = readings.get(key)
  readings.delete(key)
  readings.set(key, before ? after(before, reading) : { ...reading, shown: [reading.shown] })
  if (readings.size > mostReadings) readings.delete(readings.keys().next().value!)
}

function after(before: ShownText, { hash, whole, shown }: Reading): ShownText {
  if (before.hash === hash)
    return { hash, whole: before.whole || whole, shown: joined([...before.shown, shown]) }
  return before.whole && !whole ? before : { hash, whole, shown: [shown] }
}

const mostStretches = 500

/** Sorts the stretches and joins those that overlap or touch. */
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
