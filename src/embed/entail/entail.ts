// Compares pairs of texts in worker processes, from the install on, without network.

import type { Entailment, Pair, Stand } from '../port.js'
import { createPool, headOf, workerEntry } from '../workers/pool.js'
import type { EntailStart } from './engine.js'
import { entailModel } from './model.js'

export interface EntailSettings {
  /** A folder for the converted model (34 MB), which other processes share. */
  cacheFolder: string
  /** Processes that compare at the same time. */
  workers: number
}

/** Nothing is loaded before the first pair. */
export function openEntailment({ cacheFolder, workers }: EntailSettings): Entailment {
  const data: EntailStart & { engine: 'entail' } = { engine: 'entail', cacheFolder }
  const pool = createPool<Pair, number[]>({ entry: workerEntry, data, workers, ahead })
  const head = (text: string) => headOf(text, entailModel.maxTokens)
  return {
    model: entailModel.name,
    async compare(pairs, { signal } = {}) {
      const heads = pairs.map(([proposal, decision]): Pair => [head(proposal), head(decision)])
      return (await pool.run(heads, { urgent: true, signal })).map(toStand)
    },
    close: pool.close,
  }
}

/** A pair takes some ten milliseconds: a worker goes on without asking for this many. */
const ahead = 8

function toStand(odds: number[]): Stand {
  return Object.fromEntries(entailModel.classes.map((name, i) => [name, odds[i]!])) as unknown as Stand
}
