// An empty answer from an empty index means something else than one from a full index.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Note } from '../../model/problem.js'
import type { Library } from '../library.js'
import { isBeingIndexed } from './unindexed-folders.js'

/** Says that an answer is empty because nothing is indexed yet. */
export async function emptyIndexNote(
  library: Library,
  { isEmpty }: { isEmpty: boolean },
): Promise<Note | null> {
  if (!isEmpty || (await library.store.counts()).documents > 0) return null
  return { code: 'empty_index', message: await emptyIndexSentence(library) }
}

export async function emptyIndexSentence(library: Library): Promise<string> {
  if (await isBeingIndexed(library))
    return 'Nothing is indexed yet, but indexing is under way: ask again in a moment.'
  return `Nothing is indexed yet: run "carrel index".${elsewhere(library)}`
}

/** Names an index in a folder above this one. The user may have meant it, but only `--root` chooses it. */
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
