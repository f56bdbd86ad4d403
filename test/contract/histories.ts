// Random histories: the same steps on a store and on the reference, and after each step the same answers from both.
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { applyStep } from './histories/apply.js'
import { checkWorld } from './histories/check.js'
import { type Draft, type Moment, moment, stock } from './histories/steps.js'
import { beginWorld } from './histories/world.js'
import type { OpenStore } from './store.js'

// A failing run prints its seed and path. CARREL_HISTORIES asks for more runs, CARREL_HISTORIES_SEED for other ones.
const seed = Number(process.env.CARREL_HISTORIES_SEED ?? 20260117)
const shrinkForMs = 30_000

export function storeHistories(name: string, open: OpenStore, runs = 9): void {
  const numRuns = Number(process.env.CARREL_HISTORIES ?? runs)
  // Unbiased: small values first would mean empty stores and questions that find nothing.
  const stocks = fc.noBias(stock)
  const moments = fc.noBias(fc.array(moment, { minLength: 1, maxLength: 30, size: 'max' }))
  describe(`${name}: histories`, () => {
    test(`answers like the reference after every step of ${numRuns} random histories`, async () => {
      const property = fc.asyncProperty(stocks, moments, impatient(open))
      await fc.assert(property, { seed, numRuns, includeErrorInReport: true })
    })
  })
}

/** Runs histories. Once one has failed, shorter ones are tried for a while, and then none fails any more. */
function impatient(open: OpenStore) {
  let failedAt: number | null = null
  return async (drafts: Draft[], moments: Moment[]) => {
    if (failedAt !== null && Date.now() - failedAt > shrinkForMs) return
    try {
      await run(open, drafts, moments)
    } catch (error) {
      failedAt ??= Date.now()
      throw error
    }
  }
}

async function run(open: OpenStore, drafts: Draft[], moments: Moment[]): Promise<void> {
  const world = await beginWorld(await open(), drafts)
  try {
    for (const moment of moments) {
      await applyStep(world, moment.step)
      await checkWorld(world, moment)
    }
  } finally {
    await world.opened.close()
  }
}
