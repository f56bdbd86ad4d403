// The use-cases of the manage_source tool.

import type { Library } from '../../answer/library.js'
import {
  allSources,
  createSource,
  type KnowledgeSource,
  type NewSource,
  ownSourceOf,
  sourceOf,
  updateSource,
} from '../../answer/source-records.js'
import { Problem } from '../../model/problem.js'
import { deleteSource } from './delete-source.js'

export interface CountedSource extends KnowledgeSource {
  documents: number
}

export async function addSource(library: Library, given: NewSource): Promise<CountedSource> {
  return { ...(await createSource(library, given)), documents: 0 }
}

export async function getSource(library: Library, named: string): Promise<CountedSource> {
  const [one] = await counted(library, [await sourceOf(library, named)])
  return one!
}

export async function changeSource(
  library: Library,
  named: string,
  change: { title?: string | undefined; url?: string | undefined },
): Promise<CountedSource> {
  if (change.title === undefined && change.url === undefined) {
    await ownSourceOf(library, named)
    throw new Problem('nothing_to_do', 'Nothing to update was given.', 'Provide title or url.')
  }
  const [one] = await counted(library, [await updateSource(library, named, change)])
  return one!
}

/** With its documents, passages, vectors, files and crawls. */
export async function removeSource(
  library: Library,
  named: string,
): Promise<{ source: KnowledgeSource; documents: number }> {
  const source = await ownSourceOf(library, named)
  return { source, documents: await deleteSource(library, source.id) }
}

export interface SourceList {
  sources: CountedSource[]
  total: number
}

export async function listSources(
  library: Library,
  { offset, limit }: { offset: number; limit: number },
): Promise<SourceList> {
  const all = await allSources(library)
  return { sources: await counted(library, all.slice(offset, offset + limit)), total: all.length }
}

async function counted({ store }: Library, sources: KnowledgeSource[]): Promise<CountedSource[]> {
  const { bySource } = await store.counts()
  return sources.map((source) => ({ ...source, documents: bySource[source.id]?.documents ?? 0 }))
}
