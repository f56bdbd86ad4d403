// What there is, before anybody searches.
import type { Note } from '../model/problem.js'
import type { Source } from '../model/source.js'
import { findCollection, isMiss, type Miss } from './collections.js'
import type { Library } from './library.js'
import { knownSources, unindexedFolders, unindexedFoldersNotes } from './notes/unindexed-folders.js'

export interface Collection {
  source: Source
  documents: number
  notes: Note[]
}

/** With those that are configured and not in the index yet. */
export async function listCollections(library: Library): Promise<Collection[]> {
  const { bySource } = await library.store.counts()
  const unread = new Set((await unindexedFolders(library)).map(({ id }) => id))
  const all = (await knownSources(library)).map(async (source) => ({
    source,
    documents: bySource[source.id]?.documents ?? 0,
    notes: unread.has(source.id) ? await unindexedFoldersNotes(library, [source.id]) : [],
  }))
  return (await Promise.all(all)).sort(
    (a, b) => compare(a.source.name, b.source.name) || compare(a.source.id, b.source.id),
  )
}

export interface DocumentList {
  source: Source
  documents: { path: string; title: string; chars: number }[]
  total: number
  notes: Note[]
}

/** In the order of their ids. A page past the end is empty. */
export async function listDocuments(
  library: Library,
  { collection, offset, limit }: { collection: string; offset: number; limit: number },
): Promise<DocumentList | Miss> {
  const source = await findCollection(library, collection)
  if (isMiss(source)) return source
  const { documents, total } = await library.store.documents({ sources: [source.id] }, { offset, limit })
  return {
    source,
    documents: documents.map(({ ref, title, chars }) => ({ path: ref.path, title, chars })),
    total,
    notes: await unindexedFoldersNotes(library, [source.id]),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
