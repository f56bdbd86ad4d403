import type { Library } from '../answer/library.js'
import { indexNotes } from '../answer/notes/answer-notes.js'

/** The most important note on the state of the index, for answers that have no notes of their own. */
export async function indexNote(
  library: Library,
  isEmpty: boolean,
  askedSources?: readonly string[],
): Promise<string | null> {
  const [note] = await indexNotes(library, { isEmpty, askedSources })
  return note?.message ?? null
}
