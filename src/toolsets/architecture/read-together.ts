// A proposal read together with the statements of a record that are nearest to it.

import { dot } from '../../embed/arithmetic.js'
import type { Embedder, Entailment, Pair } from '../../embed/port.js'
import { type Note, reasonOf } from '../../model/problem.js'
import type { Adr } from '../../parse/adr/adr.js'
import type { ReadRecord } from '../../retrieve/alignment/signals.js'
import { partsOf, readAtOnce, type Statement, statementsOf } from '../../retrieve/alignment/statements.js'

export interface Readers {
  embedder: Embedder
  entailment: Entailment
}

/** A record, and the lines of it that search found, best first. */
export interface FoundRecord<R extends Adr> {
  record: R
  found: readonly (readonly [first: number, last: number])[]
}

/** The reading of each record, in order, with a note if a model fails or takes too long. */
export async function readTogether<R extends Adr>(
  { embedder, entailment }: Readers,
  proposal: string,
  records: readonly FoundRecord<R>[],
  { signal: given, timeMs }: { signal?: AbortSignal | undefined; timeMs: number },
): Promise<ReadRecord[] | Note> {
  const late = AbortSignal.timeout(Math.ceil(timeMs))
  const signal = given ? AbortSignal.any([given, late]) : late
  try {
    const parts = partsOf(proposal)
    const near = await nearestPairs(embedder, parts, records, signal)
    const pairs = near.flatMap(({ pairs, atOnce }): Pair[] => [
      ...pairs.map(({ part, statement }): Pair => [part, statement.whole]),
      atOnce,
    ])
    const stands = (await entailment.compare(pairs, { signal })).values()
    return near.map(({ pairs }) => ({
      statements: pairs.map((pair) => ({ ...pair, stand: stands.next().value! })),
      atOnce: [stands.next().value!],
    }))
  } catch (error) {
    given?.throwIfAborted()
    const reason = late.aborted ? 'the models took too long.' : reasonOf(error)
    return { code: 'words_only', message: `Decisions are compared by words alone: ${reason}` }
  }
}

/** Measured: six pairs lose nothing against all statements. */
const mostPairs = 6

interface Near {
  pairs: { part: string; statement: Statement }[]
  /** The part that comes nearest, with the statements nearest to it. */
  atOnce: Pair
}

/**
 * The nearest pairs of a part of the proposal and a statement of the record. As many for a long proposal as for a short one:
 * of a long one the parts that bear on the record are read, so that reading takes the same time.
 */
async function nearestPairs<R extends Adr>(
  embedder: Embedder,
  parts: readonly string[],
  records: readonly FoundRecord<R>[],
  signal: AbortSignal,
): Promise<Near[]> {
  const statements = records.map(likelyStatements)
  const vectors = await embedAll(embedder, [...parts, ...statements.flat().map(({ whole }) => whole)], signal)
  const near = (part: string, { whole }: Statement) => dot(vectors.get(part)!, vectors.get(whole)!)
  return statements.map((own) => {
    const pairs = parts
      .flatMap((part) => own.map((statement) => ({ part, statement, near: near(part, statement) })))
      .sort((a, b) => b.near - a.near || a.statement.line - b.statement.line)
    const part = pairs[0]!.part
    const ofPart = pairs.filter((pair) => pair.part === part).slice(0, mostPairs)
    return {
      pairs: pairs.slice(0, mostPairs).map(({ part, statement }) => ({ part, statement })),
      atOnce: [
        part,
        readAtOnce(
          own[0]!,
          ofPart.map(({ statement }) => statement),
        ),
      ],
    }
  })
}

/** So many sentences are embedded in a third of a second. */
const mostStatements = 40

/** The title and the options, then the sentences that search found, then the others in order. */
function likelyStatements<R extends Adr>({ record, found }: FoundRecord<R>): Statement[] {
  const all = statementsOf(record)
  if (all.length <= mostStatements) return all
  const rank = ({ role, isOption, line }: Statement) => {
    if (role === 'title' || isOption) return -1
    const at = found.findIndex(([first, last]) => first <= line && line <= last)
    return at < 0 ? found.length : at
  }
  const [title, ...rest] = all
  const sorted = rest.map((one, i) => ({ one, rank: rank(one), i }))
  sorted.sort((a, b) => a.rank - b.rank || a.i - b.i)
  return [title!, ...sorted.slice(0, mostStatements - 1).map(({ one }) => one)]
}

/** Vectors of statements by model and text: every proposal is compared with the same records. */
const cache = new Map<string, Float32Array>()
const mostCached = 4_000

async function embedAll(embedder: Embedder, texts: readonly string[], signal: AbortSignal) {
  const keyOf = (text: string) => `${embedder.model}\n${text}`
  const distinct = [...new Set(texts)]
  const missing = distinct.filter((text) => !cache.has(keyOf(text)))
  const made = missing.length > 0 ? await embedder.embed(missing, { kind: 'passage', signal }) : []
  const fresh = new Map(missing.map((text, i) => [text, made[i]!]))
  const vectors = new Map(distinct.map((text) => [text, fresh.get(text) ?? cache.get(keyOf(text))!]))
  for (const [text, vector] of vectors) {
    cache.delete(keyOf(text))
    cache.set(keyOf(text), vector)
  }
  for (const key of cache.keys()) {
    if (cache.size <= mostCached) break
    cache.delete(key)
  }
  return vectors
}
