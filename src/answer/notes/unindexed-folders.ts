// A configured folder that no run has read to its end (it is being indexed, a run was interrupted, the configuration or the
// project's place is new) makes answers smaller than they could be. Whoever gets one is told, and what to do.

import { readToTheEnd } from '../../ingest/reader-version.js'
import type { Note } from '../../model/problem.js'
import type { Source } from '../../model/source.js'
import { indexingLease, isFree } from '../../runtime/lease.js'
import { isBareFolder } from '../../sources/bare-folder.js'
import type { Library } from '../library.js'

/**
 * The configured folders that were never read to their end; of `asked` alone, where those are named by their ids. A folder
 * without files lacks nothing: its project holds what was crawled or uploaded.
 */
export async function unindexedFolders(library: Library, asked?: readonly string[]): Promise<Source[]> {
  const read = await readToTheEnd(library.store)
  return library.sources.filter(
    ({ id, location }) => !read.has(id) && (asked?.includes(id) ?? true) && !isBareFolder(location),
  )
}

/** Warns that an answer may be too small, since a folder that it is about was never indexed to its end. */
export async function unindexedFoldersNote(
  library: Library,
  { askedSources }: { askedSources?: readonly string[] | undefined },
): Promise<Note | null> {
  return (await unindexedFoldersNotes(library, askedSources))[0] ?? null
}

/** The same as a list, for answers that are no searches. */
export async function unindexedFoldersNotes(library: Library, asked?: readonly string[]): Promise<Note[]> {
  const folders = await unindexedFolders(library, asked)
  if (folders.length === 0) return []
  return [{ code: 'unread', message: unindexedSentence(folders, await isBeingIndexed(library)) }]
}

export function unindexedSentence(folders: readonly { name: string }[], isIndexed: boolean): string {
  const names = folders.slice(0, mostNamed).map(({ name }) => `"${name}"`)
  const more = folders.length > mostNamed ? [`${folders.length - mostNamed} more`] : []
  const all = [...names, ...more].join(', ').replace(/, (?=[^,]*$)/, ' and ')
  const [is, was, it, its] =
    folders.length === 1 ? ['is', 'was', 'it', 'its'] : ['are', 'were', 'them', 'their']
  return isIndexed
    ? `${all} ${is} being indexed for the first time, and only a part of ${it} is known by now: ask again in a moment.`
    : `${all} ${was} never indexed to ${its} end, so there may be more than this: run "carrel index".`
}

const mostNamed = 3

/** Whether some process brings the index up to date right now. */
export async function isBeingIndexed({ store }: Library): Promise<boolean> {
  const holder = await store.leases.holder(indexingLease)
  return holder !== null && !isFree(holder)
}

/** All sources that a request may name: the indexed ones, and configured ones that are not indexed yet. */
export async function knownSources({ store, sources }: Library): Promise<Source[]> {
  const stored = await store.sources()
  const known = new Set(stored.map(({ id }) => id))
  return [...stored, ...sources.filter(({ id }) => !known.has(id))]
}
