import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { cachedGraph } from '../bundled/graph-cache.js'
import type { Pair, Stand } from '../port.js'
import { entailConversion } from './engine.js'
import { openEntailment } from './entail.js'
import { entailModel } from './model.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-entail-'))
const cacheFolder = join(folder, 'cache')
const model = openEntailment({ cacheFolder, workers: 1 })
after(async () => {
  await model.close()
  rmSync(folder, { recursive: true })
})

const decision = 'Use PostgreSQL for orders. All orders are stored in PostgreSQL.'
const pairs: [side: keyof Stand, pair: Pair][] = [
  ['against', ['Store the orders in MongoDB instead.', decision]],
  ['along', ['Write new orders to the PostgreSQL database.', decision]],
  ['beside', ['Translate the help pages into Danish.', decision]],
  [
    'against',
    [
      'Log the e-mail address of the customer at debug level.',
      'Logging. Logs must not contain personal data.',
    ],
  ],
  [
    'along',
    ['Mask e-mail addresses before a line is logged.', 'Logging. Logs must not contain personal data.'],
  ],
  ['along', ['Keep delivering at least once', 'Deliver at least once']],
  ['against', ['Stop delivering at least once', 'Deliver at least once']],
  ['along', ['Do not offer GraphQL', 'Public API. GraphQL was rejected.']],
  ['against', ['Offer GraphQL', 'Public API. GraphQL was rejected.']],
  ['along', ['Stay with Flutter for the new app', 'Build the apps with Flutter']],
  ['against', ['Build the new app with Swift', 'Build the apps with Flutter']],
]

describe('two texts read together', () => {
  for (const [side, pair] of pairs)
    test(`${pair[0]} is ${side}`, async () => {
      const [stand] = await model.compare([pair])
      assert.equal(Math.max(stand!.against, stand!.along, stand!.beside), stand![side], JSON.stringify(stand))
    })

  test('come to the same alone and in company, and to probabilities', async () => {
    const all = pairs.map(([, pair]) => pair)
    const together = await model.compare(all)
    for (const [i, pair] of all.entries()) assert.deepEqual(await model.compare([pair]), [together[i]])
    for (const { against, along, beside } of together)
      assert.ok(Math.abs(against + along + beside - 1) < 1e-5)
    assert.deepEqual(await model.compare([]), [])
  })

  test('may be empty, huge or strange', async () => {
    const strange: Pair[] = [
      ['', ''],
      ['word '.repeat(20_000), decision],
      ['x'.repeat(100_000), '字'.repeat(50_000)],
      ['\u0000\ud800', decision],
    ]
    for (const stand of await model.compare(strange)) assert.ok(Number.isFinite(stand.against))
  })

  test('are given up when the caller no longer waits', async () => {
    await assert.rejects(model.compare([pairs[0]![1]], { signal: AbortSignal.abort() }), {
      name: 'AbortError',
    })
  })
})

test('weights that are not the pinned ones are refused', async () => {
  const path = join(folder, 'other.safetensors')
  const bytes = readFileSync(entailModel.weights)
  bytes[5_000_000]! ^= 1
  writeFileSync(path, bytes)
  const conversion = entailConversion(path)
  await assert.rejects(cachedGraph(join(folder, 'other'), conversion), {
    code: 'embedder_weights',
    message: /damaged/,
  })
})
