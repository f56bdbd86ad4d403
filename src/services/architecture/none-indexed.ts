import type { Note } from '../../model/problem.js'
import type { Library } from '../library.js'
import type { Kind } from './places.js'

/** Why there is nothing of a kind to answer from; null: of any kind. */
export async function noneIndexed({ store }: Library, kind: Kind | null): Promise<Note> {
  const { documents } = await store.counts()
  const what = kind === null ? 'guidelines, patterns or decisions' : kind === 'adr' ? 'decisions' : kind
  const where = kind === 'adr' ? 'docs/adr and its like' : 'mcp/resources and in docs/adr and its like'
  const message =
    documents === 0
      ? 'Nothing is indexed yet: ask again in a moment if the server has just started, else run "carrel index".'
      : `No ${what} are indexed: they are looked for in ${where}.`
  return { code: 'none_indexed', message }
}
