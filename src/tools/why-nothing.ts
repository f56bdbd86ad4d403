import type { Library } from '../services/library.js'
import { aboutEmptyIndex } from '../services/nothing-indexed.js'

/** For toolsets whose answers come from the index. */
export async function whyNothing({ library }: { library: Library }): Promise<string | null> {
  const [note] = await aboutEmptyIndex(library)
  return note?.message ?? null
}
