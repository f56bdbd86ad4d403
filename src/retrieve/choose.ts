// Reads candidates, the most promising first, until they make as many passages as are asked for.

import type { StoredChunk } from '../model/document.js'
import { createYielder } from '../runtime/yield.js'
import type { Store } from '../store/port.js'
import { type Passage, passages, type Room, textKey } from './assemble.js'
import { type CopyCount, countCopies } from './copies.js'
import { byPromise, byRelevance, type Candidate, type Rated, type Reading, rate } from './fuse.js'
import { inPart, type Part } from './part.js'
import { isLate, type Run } from './run.js'

export interface Choice extends Room, Reading {
  part?: Part
  /** How literally a chunk may have the question, as far as can be told without its text. */
  promised: (candidate: Candidate) => number
  /** Tells which chunks come before all others; null where the question asks for no such order. */
  isFirst: ((chunk: StoredChunk) => boolean) | null
  /** Chunks that are read after all others: they do not themselves say what was quoted. */
  last: ReadonlySet<number>
  /** At least so many candidates are read. */
  reads: number
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
  { promised, exactly, nameIn, sideRole, last, isFirst, reads, ...options }: Choice,
  run: Run,
): Promise<Chosen> {
  const promising = byPromise(candidates, promised).sort(
    (a, b) => Number(last.has(a.chunk)) - Number(last.has(b.chunk)),
  )
  const reading = { exactly, nameIn, sideRole }
  const yieldIfDue = createYielder()
  const distinct = new Map<string, Rated>()
  const keyOf = textKey(options)
  const copies = countCopies()
  let at = 0
  for (let end = Math.max(options.limit * 3 + 20, reads); ; end *= 2) {
    for (; at < Math.min(end, promising.length); at += step) {
      const some = promising.slice(at, Math.min(at + step, end))
      const chunks = inPart(await store.chunks(some.map(({ chunk }) => chunk)), options.part)
      keepBest(distinct, inClasses(rate(some, chunks, reading), isFirst), keyOf)
      copies.add(chunks)
      await yieldIfDue()
    }
    at = Math.min(end, promising.length)
    const rated = [...distinct.values()].sort(byRelevance)
    const chosen = passages(rated, options)
    const more = chosen.length < options.limit && at < promising.length
    if (!more || isLate(run)) {
      const byChunk = new Map(rated.map((one) => [one.chunk.id, one]))
      return { passages: chosen, rated: byChunk, more, copies, readAll: at >= promising.length }
    }
  }
}

const step = 50

/**
 * Those that come first have the upper half of the scale, the others the lower. The halves are fixed, so that a score does
 * not depend on what else was found.
 */
function inClasses(rated: Rated[], isFirst: Choice['isFirst']): Rated[] {
  if (!isFirst) return rated
  return rated.map((one) => ({ ...one, score: ((isFirst(one.chunk) ? 1 : 0) + one.score) / 2 }))
}

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
