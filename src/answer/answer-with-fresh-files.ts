// What is found is compared with its files before it is shown. Of answers that come one after the other, the files behind
// each are looked at while the model is still at the next question.
import type { Note } from '../model/problem.js'
import { type Ref, refKey } from '../model/source.js'
import type { Library } from './library.js'
import { type Refreshed, refresh, refreshTimeoutMs } from './refresh.js'

/**
 * Asks, and asks again as long as a file behind the answer turns out to be another than was indexed: those that move up
 * in its place may have changed too. `ask` says what it is about to show.
 */
export async function answerWithFreshFiles<T>(
  library: Library,
  ask: (showing: (refs: readonly Ref[]) => void) => Promise<T>,
  due = Number.POSITIVE_INFINITY,
): Promise<{ answer: T; notes: Note[] }> {
  const look = earlyLook(library, due)
  let until: number | null = null
  for (;;) {
    const answer = await ask(look.at)
    const { changed, notes } = await look.outcome()
    if (!changed) return { answer, notes }
    until ??= Math.min(due, performance.now() + refreshTimeoutMs)
    if (performance.now() >= until) return { answer: await ask(() => {}), notes: [...notes, notAll] }
  }
}

const notAll: Note = {
  code: 'stale',
  message:
    'Files changed since they were indexed, and there was no time to look at all that were found: run "carrel index".',
}

interface EarlyLook {
  /** Has the files of these documents looked at, each once. */
  at(refs: readonly Ref[]): void
  /** What those came to that were looked at since this was last asked; the notes are about all. */
  outcome(): Promise<Refreshed>
}

function earlyLook(library: Library, due: number): EarlyLook {
  const seen = new Map<string, Ref>()
  const looks: Promise<Refreshed>[] = []
  const notes: Note[] = []
  const patience = () => Math.min(refreshTimeoutMs, Math.max(0, due - performance.now()))
  return {
    at(refs) {
      const fresh = refs.filter((ref) => !seen.has(refKey(ref)))
      for (const ref of fresh) seen.set(refKey(ref), ref)
      if (fresh.length === 0) return
      const look = refresh(library, distinct(fresh), patience())
      // Whoever asks for the outcome hears of it.
      look.catch(() => {})
      looks.push(look)
    },
    async outcome() {
      const all = await Promise.all(looks.splice(0))
      const changed = all.some((one) => one.changed)
      notes.push(...all.flatMap((one) => one.notes))
      if (notes.length === 0 || all.length < 2) return { changed, notes: [...notes] }
      // The notes then stand in the order of their documents, not in that of the answers' coming.
      const again = await refresh(library, [...seen.values()], patience())
      notes.splice(0, notes.length, ...again.notes)
      return { changed: changed || again.changed, notes: [...notes] }
    },
  }
}

function distinct(refs: readonly Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()]
}
