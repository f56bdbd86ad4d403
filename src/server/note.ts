import type { Library } from '../answer/library.js'
import { emptyIndexNotes } from '../answer/notes/empty-index.js'

/** For answers from the index that have no notes of their own. */
export async function indexNote(
  library: Library,
  isEmpty: boolean,
  asked?: readonly string[],
): Promise<string | null> {
  const [note] = await emptyIndexNotes(library, { isEmpty, asked })
  return note?.message ?? null
}
