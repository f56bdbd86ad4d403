import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../test/support/world.js'
import { askSet, withIndexed } from './questions.js'
import { readSet } from './sets/read.js'

interface Baselines {
  tolerance: number
  [set: string]: { first: number; top10: number } | number
}

const baselines = JSON.parse(
  readFileSync(join(projectRoot, 'evals/baselines/known-items.json'), 'utf8'),
) as Baselines

for (const name of ['library-known-items', 'docs-known-items'] as const) {
  const set = readSet(name)
  test(`by words, ${name} are found first as often as before, and in 95 of 100 cases at least`, {
    skip: set.missing,
  }, async () => {
    const { score } = await withIndexed(set, (library) => askSet(library, set, 'text'))
    const before = baselines[name] as { first: number; top10: number }
    assert.ok(score.first >= 0.95, `first hit ${score.first}`)
    assert.ok(
      score.first >= before.first - baselines.tolerance,
      `first hit ${score.first}, was ${before.first}`,
    )
    assert.ok(
      score.top10 >= before.top10 - baselines.tolerance,
      `top ten ${score.top10}, was ${before.top10}`,
    )
  })
}
