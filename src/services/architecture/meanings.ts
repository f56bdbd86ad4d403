// Sentences as vectors, for decisions that a proposal is held against: a record's are made once, as long as it is the same.
import { bundledModel } from '../../embed/bundled/model.js'
import type { Embedder } from '../../embed/port.js'
import { type Note, reasonOf } from '../../model/problem.js'
import type { Asked } from '../../retrieve/alignment/asked.js'
import type { Vectors } from '../../retrieve/alignment/nearness.js'
import { textsOfRecord } from '../../retrieve/alignment/passages.js'
import type { Prepared } from '../../retrieve/alignment/prepared.js'

/** How near is near differs from model to model, and what it comes to was fitted on this one. */
export function canCompare(embedder: Embedder | null): embedder is Embedder {
  return embedder?.model === bundledModel.name
}

/** The vectors of a proposal and of the records it is held against; a note where the model does not answer. */
export async function vectorsFor(
  embedder: Embedder,
  asked: Asked,
  records: readonly Prepared[],
  signal: AbortSignal | undefined,
): Promise<Vectors | Note> {
  const known = records.map(({ stances }) => kept.get(stances) ?? new Map<string, Float32Array>())
  const missing = new Set(asked.texts)
  for (const [i, record] of records.entries())
    for (const text of textsOfRecord(record)) if (!known[i]!.has(text)) missing.add(text)
  try {
    const texts = [...missing]
    const made = await embedder.embed(texts, { kind: 'passage', ...(signal ? { signal } : {}) })
    const fresh = new Map(texts.map((text, i) => [text, made[i]!]))
    for (const [i, record] of records.entries()) keep(record, known[i]!, fresh)
    return vectorsIn([fresh, ...known])
  } catch (error) {
    signal?.throwIfAborted()
    return { code: 'words_only', message: `Meanings cannot be compared now: ${reasonOf(error)}` }
  }
}

/** By what was read of a record, which is the same object until the record changes. */
const kept = new WeakMap<Prepared['stances'], Map<string, Float32Array>>()

function keep(record: Prepared, known: Map<string, Float32Array>, fresh: ReadonlyMap<string, Float32Array>) {
  for (const text of textsOfRecord(record)) {
    const vector = fresh.get(text)
    if (vector) known.set(text, vector)
  }
  kept.set(record.stances, known)
}

function vectorsIn(all: readonly ReadonlyMap<string, Float32Array>[]): Vectors {
  const together = new Map(all.flatMap((some) => [...some]))
  return (text) => {
    const vector = together.get(text)
    if (!vector) throw new Error(`No vector was asked for: ${text.slice(0, 80)}`)
    return vector
  }
}
