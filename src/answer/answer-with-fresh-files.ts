// Compares the files behind an answer with the index before the answer is shown. In a batch, the files of one answer are
// compared while the model still embeds the next question.
import type { Note } from '../model/problem.js'
import { type Ref, refKey } from '../model/source.js'
import type { Library } from './library.js'
import { type Refreshed, refresh, refreshTimeoutMs } from './refresh.js'

/**
 * Asks, and asks again while a file behind the answer has changed: the documents that take its place may have changed too.
 * `ask` reports the documents that it is about to show. `due` is the time by which the refresh ends.
 */
export async function answerWithFreshFiles<T>(
  library: Library,
  ask: (showing: (refs: readonly Ref[]) => void) => Promise<T>,
  due = Number.POSITIVE_INFINITY,
): Promise<{ answer: T; notes: Note[] }> {
  const refresher = createRefresher(library, due)
  let until: number | null = null
  for (;;) {
    const answer = await ask(refresher.begin)
    const { changed, notes } = await refresher.outcome()
    if (!changed) return { answer, notes }
    until ??= Math.min(due, performance.now() + refreshTimeoutMs)
    if (performance.now() >= until) return { answer: await ask(() => {}), notes: [...notes, outdated] }
  }
}

const outdated: Note = {
  code: 'stale',
  message: 'Some results may be outdated: files changed since the last index. Run "carrel index".',
}

interface Refresher {
  /** Begins to refresh these documents, each once. */
  begin(refs: readonly Ref[]): void
  /** Whether a document changed among those begun since the last call; the notes are about all documents. */
  outcome(): Promise<Refreshed>
}

function createRefresher(library: Library, due: number): Refresher {
  const seen = new Map<string, Ref>()
  const pending: Promise<Refreshed>[] = []
  const notes: Note[] = []
  const msLeft = () => Math.min(refreshTimeoutMs, Math.max(0, due - performance.now()))
  return {
    begin(refs) {
      const fresh = refs.filter((ref) => !seen.has(refKey(ref)))
      for (const ref of fresh) seen.set(refKey(ref), ref)
      if (fresh.length === 0) return
      const one = refresh(library, distinct(fresh), msLeft())
      // `outcome` reports the error.
      one.catch(() => {})
      pending.push(one)
    },
    async outcome() {
      const all = await Promise.all(pending.splice(0))
      const changed = all.some((one) => one.changed)
      notes.push(...all.flatMap((one) => one.notes))
      if (notes.length === 0 || all.length < 2) return { changed, notes: [...notes] }
      // Refreshed together, the notes stand in the order of the documents, whichever answer came first.
      const again = await refresh(library, [...seen.values()], msLeft())
      notes.splice(0, notes.length, ...again.notes)
      return { changed: changed || again.changed, notes: [...notes] }
    },
  }
}

function distinct(refs: readonly Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()]
}
