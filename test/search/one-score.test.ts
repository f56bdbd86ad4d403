// The same passage and question have the same score and distance in every mode and under every filter.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { type SearchHit, type SearchRequest, search } from '../../src/answer/search.js'
import { fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { type Files, world } from '../support/world.js'

const topics = ['lantern', 'wick', 'harbour', 'tide', 'signal', 'keeper', 'fog', 'horn', 'lens', 'ledger']

/** Pages of few words in ever other numbers, so that every word has its own weight. */
function pages(): Files {
  const files: Files = {}
  for (let i = 0; i < 160; i++) {
    const words = topics.filter((_, k) => (i * 7 + k * 3) % (k + 2) === 0)
    const folder = ['north', 'south', 'east'][i % 3]
    const tags = i % 5 === 0 ? '---\ntags: [kept]\n---\n' : ''
    const text = words.map((word) => `The ${word} of station ${i}`).join('. ')
    files[`${folder}/p${i}.md`] = `${tags}# Station ${i}\n\n${text}.\n`
  }
  files['north/signs.md'] = '# Options\n\nCall it with --fog-horn to be heard.\n'
  files['south/signs.md'] = '# Weather\n\nA fog horn is heard for miles.\n'
  return files
}

const questions = [
  'fog horn',
  'the lens of a keeper',
  'harbour tide signal ledger',
  'lantern',
  '"fog of station"',
  '"Options"',
  '--fog-horn',
  'nothing has thisword but the wick',
]

const filters: Partial<SearchRequest>[] = [
  {},
  { under: ['north'] },
  { under: ['south'] },
  { tags: ['kept'] },
  { under: ['north', 'east'], tags: ['kept'] },
  { limit: 3 },
]

async function indexed(t: TestContext) {
  const { library: plain } = await world(t, pages())
  const library: Library = { ...plain, embedder: fakeEmbedder() }
  await indexAll(library, {})
  await fillVectors(library)
  return (query: string, more: Partial<SearchRequest>) => search(library, { query, limit: 60, ...more })
}

test('a passage has one score and one distance in every mode and under every filter', async (t) => {
  const ask = await indexed(t)
  let compared = 0
  for (const query of questions) {
    const seen = new Map<string, { where: string; score: number; distance: number | null }>()
    for (const mode of ['hybrid', 'vector'] as const)
      for (const filter of filters) {
        const { hits } = await ask(query, { ...filter, mode })
        const where = `${query}, ${mode}, ${JSON.stringify(filter)}`
        assert.ok(hits.length > 0 || Object.keys(filter).length > 0, where)
        falling(hits, where)
        for (const { document, lines, score, distance } of hits) {
          const key = `${document}:${lines}`
          const known = seen.get(key)
          if (known) {
            compared++
            assert.equal(score, known.score, `${key} in ${where} and in ${known.where}`)
            assert.equal(distance, known.distance, `${key} in ${where} and in ${known.where}`)
          } else seen.set(key, { where, score, distance })
        }
      }
  }
  assert.ok(compared > 500, String(compared))
})

test('the distance of a hit that the words alone found is measured', async (t) => {
  const ask = await indexed(t)
  for (const query of questions)
    for (const { distance, by } of (await ask(query, {})).hits)
      assert.ok(typeof distance === 'number' && distance >= 0 && distance <= 2, `${query} by ${by}`)
})

test('a passage with a name and its signs, or with a quoted phrase, comes first with a higher score', async (t) => {
  const ask = await indexed(t)
  for (const mode of ['hybrid', 'vector'] as const) {
    const { hits } = await ask('--fog-horn', { mode })
    assert.equal(hits[0]?.document, 'north/signs.md')
    assert.ok(hits[0].score >= 0.5 && hits.slice(1).every(({ score }) => score < 0.5))
  }
})

function falling(hits: readonly SearchHit[], where: string) {
  for (const [i, { score }] of hits.entries())
    assert.ok(i === 0 || score <= hits[i - 1]!.score, `the scores fall: ${where}`)
}
