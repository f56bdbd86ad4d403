import type { Note } from '../../model/problem.js'
import type { Library } from '../library.js'
import { elsewhere } from '../nothing-indexed.js'
import type { Kind } from './places.js'

/** Why there is nothing of a kind to answer from; null: of any kind. */
export async function noneIndexed(library: Library, kind: Kind | null): Promise<Note> {
  const { documents } = await library.store.counts()
  const what = kind === null ? 'guidelines, patterns or decisions' : kind === 'adr' ? 'decisions' : kind
  const where = kind === 'adr' ? 'docs/adr and its like' : 'mcp/resources and in docs/adr and its like'
  const message =
    documents === 0
      ? `Nothing is indexed yet: ask again in a moment if the server has just started, else run "carrel index".${elsewhere(library)}`
      : `No ${what} are indexed: they are looked for in ${where}.`
  return { code: 'none_indexed', message }
}
