// An empty answer from an empty index means something else than one from a full index.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Note } from '../model/problem.js'
import type { Library } from './library.js'

/** For an answer that is empty: whether the index is, too. */
export async function aboutEmptyIndex(library: Library): Promise<Note[]> {
  const { documents } = await library.store.counts()
  return documents > 0 ? [] : [{ code: 'empty_index', message: nothingIndexed(library) }]
}

export function nothingIndexed(library: Library): string {
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
