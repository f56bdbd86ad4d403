// Answers that come one after the other: the files behind each are looked at while the model is still at the next
// question.
import type { Ref } from '../../model/source.js'
import { type Freshened, freshen } from '../freshness.js'
import type { Library } from '../library.js'

export interface EarlyLook {
  /** Has the files of these documents looked at, each once. */
  at(refs: readonly Ref[]): void
  /** What all of it came to. */
  outcome(): Promise<Freshened>
}

export function earlyLook(library: Library): EarlyLook {
  const seen = new Map<string, Ref>()
  const looks: Promise<Freshened>[] = []
  return {
    at(refs) {
      const fresh = refs.filter((ref) => !seen.has(keyOf(ref)))
      for (const ref of fresh) seen.set(keyOf(ref), ref)
      if (fresh.length === 0) return
      const look = freshen(library, distinct(fresh))
      // Whoever asks for the outcome hears of it.
      look.catch(() => {})
      looks.push(look)
    },
    async outcome() {
      const all = await Promise.all(looks)
      const changed = all.some((one) => one.changed)
      const notes = all.flatMap((one) => one.notes)
      if (notes.length === 0 || all.length === 1) return { changed, notes }
      // The notes then stand in the order of their documents, not in that of the answers' coming.
      const again = await freshen(library, [...seen.values()])
      return { changed: changed || again.changed, notes: again.notes }
    },
  }
}

export function keyOf(ref: Ref): string {
  return `${ref.source}\0${ref.path}`
}

function distinct(refs: readonly Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()]
}
