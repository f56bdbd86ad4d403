// A command that searches once does not watch folders: files that were written since the last run are not in its answer. A
// listing beside the search finds them, and the answer says so.

import { recall, stillRefused } from '../../ingest/failed-files.js'
import { sizeLimit } from '../../ingest/readers.js'
import type { Note } from '../../model/problem.js'
import { type Item, listFolder } from '../../sources/folder.js'
import { looksSame } from '../../sources/safe-file.js'
import type { Library } from '../library.js'
import { unindexedFolders } from './index-state.js'

export interface NewFiles {
  /** What was found out. Waits a little longer for a listing that has not ended, then gives it up; an empty answer says so. */
  notes(isEmpty: boolean): Promise<Note[]>
}

const refreshTimeoutMs = 300
const mostNamed = 3

/** Begins to look; of `asked` alone, where sources are named by their ids. */
export function lookForNewFiles(library: Library, asked?: readonly string[]): NewFiles {
  const stop = new AbortController()
  const looked = changedFiles(library, stop.signal, asked).catch(() => null)
  return {
    async notes(isEmpty) {
      const timer = setTimeout(() => stop.abort(), refreshTimeoutMs)
      const paths = await looked
      clearTimeout(timer)
      if (paths === null) return isEmpty ? [{ code: 'new_files', message: notLooked }] : []
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
  asked?: readonly string[],
): Promise<string[]> {
  // Another note already names folders that were never indexed completely.
  const unread = new Set((await unindexedFolders(library)).map(({ id }) => id))
  const paths: string[] = []
  for (const { id, name } of library.sources) {
    const folder = library.settings.sources.find((settings) => settings.name === name)
    if (!folder || unread.has(id) || (asked && !asked.includes(id))) continue
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
    paths.push(...items.filter(isNew).map(({ path }) => path))
  }
  return paths
}
