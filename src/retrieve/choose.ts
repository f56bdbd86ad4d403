// Reads candidates, the most promising first, until they make as many passages as are asked for.
import { breather } from '../model/breather.js'
import type { StoredChunk } from '../model/document.js'
import type { Store } from '../store/port.js'
import { type Passage, passages, type Room, textKey } from './assemble.js'
import { type CopyCount, countCopies } from './copies.js'
import { byPromise, byRelevance, type Candidate, type Rated, rate } from './fuse.js'
import { inPart, type Part } from './part.js'
import { isLate, type Run } from './run.js'

export interface Choice extends Room {
  part?: Part
  /** How literally a chunk may have the question, as far as can be told without its text, and how it has it. */
  promised: (candidate: Candidate) => number
  exactly: (candidate: Candidate, chunk: StoredChunk) => number
  /** Chunks that come after all others: they do not themselves say what was quoted. */
  last: ReadonlySet<number>
  /** Those that come before all others: they have what was asked for with its signs. */
  isFirst: ((chunk: StoredChunk) => boolean) | null
}

export interface Chosen {
  passages: Passage[]
  /** Those that were read, by chunk. */
  rated: Map<number, Rated>
  /** Candidates were left when the time was up. */
  more: boolean
  /** Of those that were read. */
  copies: CopyCount
  readAll: boolean
}

export async function choose(
  store: Store,
  candidates: readonly Candidate[],
  { promised, exactly, last, isFirst, ...options }: Choice,
  run: Run,
): Promise<Chosen> {
  const promising = byPromise(candidates, promised).sort(
    (a, b) => Number(last.has(a.chunk)) - Number(last.has(b.chunk)),
  )
  const breathe = breather()
  const distinct = new Map<string, Rated>()
  const keyOf = textKey(options)
  const copies = countCopies()
  let at = 0
  for (let end = Math.max(options.limit * 3 + 20, isFirst ? mostSpelled : 0); ; end *= 2) {
    for (; at < Math.min(end, promising.length); at += step) {
      const some = promising.slice(at, Math.min(at + step, end))
      const chunks = inPart(await store.chunks(some.map(({ chunk }) => chunk)), options.part)
      keepBest(distinct, rate(some, chunks, exactly), keyOf)
      copies.add(chunks)
      await breathe()
    }
    at = Math.min(end, promising.length)
    const isLast = (chunk: StoredChunk) => last.has(chunk.id) || isFirst?.(chunk) === false
    const rated = inOrder([...distinct.values()], isLast)
    const chosen = passages(rated, options)
    const more = chosen.length < options.limit && at < promising.length
    if (!more || isLate(run)) {
      const byChunk = new Map(rated.map((one) => [one.chunk.id, one]))
      return { passages: chosen, rated: byChunk, more, copies, readAll: at >= promising.length }
    }
  }
}

const step = 50

/** Whether a name has its signs is only seen in the text: so many are read for it. */
const mostSpelled = 300

/** Best first. What comes last is taken for no more relevant than the least of the others. */
function inOrder(rated: Rated[], isLast: (chunk: StoredChunk) => boolean): Rated[] {
  const sorted = rated.sort(byRelevance)
  const lasting = new Set(sorted.filter(({ chunk }) => isLast(chunk)))
  if (lasting.size === 0) return sorted
  const first = sorted.filter((one) => !lasting.has(one))
  const most = (first.at(-1)?.score ?? 1) - below
  return [...first, ...[...lasting].map((one) => ({ ...one, score: Math.min(one.score, most) }))]
}

/** Too little to be seen, enough to keep the order. */
const below = 1e-9

/** Of copies only the best is kept: there may be thousands. */
function keepBest(
  distinct: Map<string, Rated>,
  rated: readonly Rated[],
  keyOf: (chunk: StoredChunk) => string,
) {
  for (const one of rated) {
    const key = keyOf(one.chunk)
    const known = distinct.get(key)
    if (!known || byRelevance(one, known) < 0) distinct.set(key, one)
  }
}
