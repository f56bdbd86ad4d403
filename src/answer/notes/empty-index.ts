// An empty answer from an empty index means something else than one from a full index.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Note } from '../../model/problem.js'
import type { Library } from '../library.js'
import { aboutSkipped } from './skipped-files.js'
import { isBeingIndexed, unindexedFoldersNotes } from './unindexed-folders.js'

/** For an answer from the index: whether that is empty, as the answer is, or lacks what was never read of its sources. */
export async function emptyIndexNotes(
  library: Library,
  { isEmpty, asked }: { isEmpty: boolean; asked?: readonly string[] | undefined },
): Promise<Note[]> {
  if (isEmpty && (await library.store.counts()).documents === 0)
    return [{ code: 'empty_index', message: await emptyIndexSentence(library) }]
  return [
    ...(await unindexedFoldersNotes(library, asked)),
    ...(isEmpty ? await aboutSkipped(library, asked) : []),
  ]
}

export async function emptyIndexSentence(library: Library): Promise<string> {
  if (await isBeingIndexed(library))
    return 'Nothing is indexed yet, but indexing is under way: ask again in a moment.'
  return `Nothing is indexed yet: run "carrel index".${elsewhere(library)}`
}

/** Whoever stands in a folder of an indexed one may have meant that. It is told of, never taken unasked. */
export function elsewhere({ settings: { root, data } }: Library): string {
  const above = indexAbove(root, data)
  return above === null
    ? ''
    : ` There is an index in ${above}, above this folder: --root "${above}" asks there.`
}

function indexAbove(root: string, data: string): string | null {
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    const place = join(folder, '.carrel')
    if (place !== data && existsSync(join(place, 'index.sqlite'))) return folder
    if (folder === dirname(folder)) return null
  }
}
