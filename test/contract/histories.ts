// Random histories: the same steps on a store and on the reference, and after each step the same answers from both.
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { IndexedDocument } from '../../src/model/document.js'
import { applyStep } from './histories/apply.js'
import { checkWorld } from './histories/check.js'
import { type Moment, probe, step, stock } from './histories/steps.js'
import { beginWorld } from './histories/world.js'
import type { OpenStore } from './store.js'

// A failing run prints its seed and path. CARREL_HISTORIES asks for more runs, CARREL_HISTORIES_SEED for other ones.
const seed = Number(process.env.CARREL_HISTORIES_SEED ?? 20260117)

export function storeHistories(name: string, open: OpenStore, runs = 40): void {
  const numRuns = Number(process.env.CARREL_HISTORIES ?? runs)
  describe(`${name}: histories`, () => {
    test(`answers like the reference after every step of ${numRuns} random histories`, async () => {
      // Unbiased: small values first would mean empty stores and questions that find nothing.
      const moments = fc.array(fc.record({ step, probe }), { minLength: 5, maxLength: 25, size: 'max' })
      await fc.assert(
        fc.asyncProperty(fc.noBias(stock), fc.noBias(moments), (documents, steps) =>
          run(open, documents, steps),
        ),
        { seed, numRuns },
      )
    })
  })
}

async function run(open: OpenStore, documents: IndexedDocument[], moments: Moment[]): Promise<void> {
  const world = await beginWorld(await open(), documents)
  try {
    for (const moment of moments) {
      await applyStep(world, moment.step)
      await checkWorld(world, moment)
    }
  } finally {
    await world.opened.close()
  }
}
