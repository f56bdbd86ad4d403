import type { Library } from '../answer/library.js'
import { aboutIndex } from '../answer/notes/empty-index.js'

/** For answers from the index that have no notes of their own. */
export async function whatIndexLacks(
  library: Library,
  isEmpty: boolean,
  asked?: readonly string[],
): Promise<string | null> {
  const [note] = await aboutIndex(library, { isEmpty, asked })
  return note?.message ?? null
}
