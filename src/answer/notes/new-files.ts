// A command that searches once does not watch folders. Instead it lists them while it searches, to find files that were
// written since the last run. If there are few, they are indexed and searched at once; if many, the answer says that they
// are missing.

import { recall, stillRefused } from '../../ingest/failed-files.js'
import { sizeLimit } from '../../ingest/readers.js'
import { type KnownFile, rereadAll } from '../../ingest/reread.js'
import type { Note } from '../../model/problem.js'
import { type Item, listFolder } from '../../sources/folder.js'
import { looksSame } from '../../sources/safe-file.js'
import type { Fingerprint } from '../../store/port.js'
import type { Library } from '../library.js'
import { unindexedFolders } from './index-state.js'

export interface NewFiles {
  /** Indexes the files found, if they are few. Returns whether there is something new to search. */
  take(): Promise<boolean>
  /**
   * Notes on the files found. Waits a little longer for an unfinished listing, then gives it up; an empty answer says so.
   */
  notes(isEmpty: boolean): Promise<Note[]>
}

const refreshTimeoutMs = 300
/** More than an editor or a commit writes: reading them takes longer than anybody waits for an answer. */
const mostFiles = 50
const mostNamed = 3

/** Starts the listing of all folders, or of those with the ids `sourceIds`. */
export function lookForNewFiles(library: Library, sourceIds?: readonly string[]): NewFiles {
  const stop = new AbortController()
  const looked = changedFiles(library, stop.signal, sourceIds).catch(() => null)
  const found = async () => {
    const timer = setTimeout(() => stop.abort(), refreshTimeoutMs)
    const files = await looked
    clearTimeout(timer)
    return files
  }
  let left: readonly string[] | null = null
  return {
    async take() {
      const files = await found()
      if (left !== null || files === null || files.length === 0 || files.length > mostFiles) return false
      const seen = await rereadAll(library, files).catch(() => null)
      left = files.filter((_, i) => (seen?.[i]?.state ?? 'stale') === 'stale').map(({ path }) => path)
      return seen?.some(({ state }) => state === 'replaced' || state === 'forgotten') ?? false
    },
    async notes(isEmpty) {
      const files = await found()
      if (files === null) return isEmpty ? [{ code: 'new_files', message: notLooked }] : []
      const paths = left ?? files.map(({ path }) => path)
      return paths.length === 0 ? [] : [{ code: 'new_files', message: sentence(paths) }]
    },
  }
}

const notLooked =
  'Files that were written since the last "carrel index" are not found, and whether there are any was not looked up in time.'

function sentence(paths: readonly string[]): string {
  const named = paths.slice(0, mostNamed).join(', ')
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''
  const were = paths.length === 1 ? 'was written and is' : 'were written and are'
  return `${named}${more} ${were} not indexed yet: run "carrel index".`
}

/** Files of folders that were indexed before, which the index does not have or has in an older state. */
async function changedFiles(
  library: Library,
  signal: AbortSignal,
  sourceIds?: readonly string[],
): Promise<KnownFile[]> {
  // Another note already names folders that were never indexed completely.
  const unread = new Set((await unindexedFolders(library)).map(({ id }) => id))
  const files: KnownFile[] = []
  for (const { id, name } of library.sources) {
    const folder = library.settings.sources.find((settings) => settings.name === name)
    if (!folder || unread.has(id) || (sourceIds && !sourceIds.includes(id))) continue
    const { items } = await listFolder(folder, signal)
    const known = await library.store.fingerprints(id)
    const refusals = await recall(library.store, id)
    const { limits } = library.settings
    const isNew = (item: Item) => {
      const most = sizeLimit(item.path, limits)
      if (most === null || item.stamp.size > most || stillRefused(refusals, item, limits)) return false
      const before = known.get(item.path)?.stamp
      return !before || !looksSame(item.stamp, before)
    }
    for (const { path } of items.filter(isNew))
      files.push({ source: id, path, folder, limits, known: known.get(path) ?? unknown })
  }
  return files
}

/** No file has this hash. */
const unknown: Fingerprint = { hash: '', stamp: null, readAt: 0 }
