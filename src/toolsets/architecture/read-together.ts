// A proposal read together with those statements of a record that stand nearest to it.
import type { Entailment, Pair } from '../../embed/entail/port.js'
import type { Embedder } from '../../embed/port.js'
import { dot } from '../../embed/unit.js'
import { type Note, reasonOf } from '../../model/problem.js'
import type { Prepared } from '../../retrieve/alignment/prepared.js'
import {
  atOnce,
  partsOf,
  type ReadRecord,
  type Statement,
  statementsOf,
} from '../../retrieve/alignment/statements.js'

export interface Readers {
  embedder: Embedder
  entailment: Entailment
}

/** Of each record what came of it; a note where a model does not answer, or not soon enough for the tool to answer. */
export async function readTogether<R extends Prepared>(
  { embedder, entailment }: Readers,
  text: string,
  records: readonly R[],
  given: AbortSignal | undefined,
  mostMs: number,
): Promise<ReadonlyMap<R, ReadRecord> | Note> {
  const late = AbortSignal.timeout(Math.ceil(mostMs))
  const signal = given ? AbortSignal.any([given, late]) : late
  try {
    const parts = partsOf(text)
    const near = await nearestStatements(embedder, parts, records, signal)
    const pairs = near.flatMap(({ part, title, nearest }) =>
      [...nearest.map(({ whole }) => whole), atOnce(title, nearest)].map((text): Pair => [part, text]),
    )
    const stands = (await entailment.compare(pairs, { signal })).values()
    const found = new Map(records.map((record): [R, ReadRecord] => [record, { statements: [], atOnce: [] }]))
    for (const { record, part, nearest } of near) {
      const { statements, atOnce } = found.get(record)!
      for (const statement of nearest) statements.push({ statement, part, stand: stands.next().value! })
      atOnce.push(stands.next().value!)
    }
    return found
  } catch (error) {
    given?.throwIfAborted()
    const reason = late.aborted ? 'the models took too long.' : reasonOf(error)
    return { code: 'words_only', message: `Decisions are compared by words alone: ${reason}` }
  }
}

/** Measured to lose nothing that all of them would win. */
const mostStatements = 6

/** Those statements of a record that stand nearest to a part of the proposal. */
interface Near<R> {
  record: R
  part: string
  title: Statement
  nearest: Statement[]
}

async function nearestStatements<R extends Prepared>(
  embedder: Embedder,
  parts: readonly string[],
  records: readonly R[],
  signal: AbortSignal,
): Promise<Near<R>[]> {
  const known = await vectorsOf(embedder, records, signal)
  const vectors = await embedder.embed(parts, { kind: 'passage', signal })
  return records.flatMap((record) =>
    parts.map((part, i) => {
      const all = [...known.get(record)!]
      const nearest = all
        .map(([statement, vector]) => ({ statement, near: dot(vector, vectors[i]!) }))
        .sort((a, b) => b.near - a.near || a.statement.line - b.statement.line)
        .slice(0, mostStatements)
        .map(({ statement }) => statement)
      return { record, part, title: all[0]![0], nearest }
    }),
  )
}

type Known = ReadonlyMap<Statement, Float32Array>

/** By what was read of a record, which is the same object until the record changes; and by the model. */
const kept = new WeakMap<Prepared['stances'], { model: string; known: Known }>()

async function vectorsOf<R extends Prepared>(
  embedder: Embedder,
  records: readonly R[],
  signal: AbortSignal,
): Promise<Map<R, Known>> {
  const missing = records.filter(({ stances }) => kept.get(stances)?.model !== embedder.model)
  const statements = missing.map(({ adr }) => statementsOf(adr))
  const texts = statements.flat().map(({ whole }) => whole)
  const made = await embedder.embed(texts, { kind: 'passage', signal })
  let at = 0
  for (const [i, { stances }] of missing.entries()) {
    const known = new Map(statements[i]!.map((statement) => [statement, made[at++]!]))
    kept.set(stances, { model: embedder.model, known })
  }
  return new Map(records.map((record) => [record, kept.get(record.stances)!.known]))
}
