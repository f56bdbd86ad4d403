import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type SearchRequest, search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { editDistance } from '../../src/text/edit-distance.js'
import { seeded } from '../support/seeded.js'
import { type Files, world } from '../support/world.js'

const files: Files = {
  'drain.md': '# Drain the queue\n\nHow to drain a queue before the configuration is changed.\n',
  'train.md': '# Trains\n\nA train leaves at nine.\n',
  'budget.ts': 'export function retryBudget() {\n  return 3\n}\n',
  'delivery.md': '# Delivery\n\nEvery delivery has a receipt.\n',
}

async function asker(t: TestContext, more: Files = {}) {
  const { library } = await world(t, { ...files, ...more })
  await indexAll(library, {})
  return async (query: string, request: Partial<SearchRequest> = {}) => {
    const { hits, notes } = await search(library, { query, mode: 'text', ...request })
    const message = notes.find(({ code }) => code === 'corrected')?.message ?? null
    return { first: hits[0]?.document ?? null, message, score: hits[0]?.score ?? 0, hits }
  }
}

test('a word that the index does not have is corrected, and the answer says so', async (t) => {
  const ask = await asker(t)
  const cases = [
    ['how to drian it', 'drain.md', 'Searched for drain (you wrote drian).'],
    ['rdain', 'drain.md', 'Searched for drain (you wrote rdain).'],
    ['Draiin', 'drain.md', 'Searched for Drain (you wrote Draiin).'],
    ['configuraton', 'drain.md', 'Searched for configuration (you wrote configuraton).'],
    [
      'delivry receit',
      'delivery.md',
      'Searched for delivery (you wrote delivry) and receipt (you wrote receit).',
    ],
  ]
  for (const [query, first, message] of cases) {
    const answer = await ask(query!)
    assert.deepEqual([answer.first, answer.message], [first, message], query)
  }
})

test('words that are known, English, quoted or deliberate are not corrected', async (t) => {
  const ask = await asker(t)
  for (const query of [
    'drain',
    'drains',
    'brain',
    'quite',
    'realtime',
    '"drian"',
    'drian_1 queue',
    'DRIAN',
    'dra',
  ])
    assert.equal((await ask(query)).message, null, query)
})

test('a name is corrected where nothing else of the question is known', async (t) => {
  const ask = await asker(t)
  const answer = await ask('retyr_bugdet')
  assert.deepEqual(
    [answer.first, answer.message],
    ['budget.ts', 'Searched for retry (you wrote retyr) and budget (you wrote bugdet).'],
  )
  assert.equal((await ask('retry_bugdet')).message, 'Searched for budget (you wrote bugdet).')
  assert.equal((await ask('retyr_bugdet queue')).message, null)
})

test('a corrected word counts less than one that was written so', async (t) => {
  const ask = await asker(t)
  assert.ok((await ask('drian')).score < (await ask('drain')).score)
  assert.equal((await ask('drian')).first, (await ask('drain')).first)
})

test('among equally near words the most frequent one is chosen, whatever the scope', async (t) => {
  const more = Object.fromEntries(
    Array.from({ length: 4 }, (_, i) => [`notes/${i}.md`, `Page ${i}: a grain of salt.\n`]),
  )
  const ask = await asker(t, more)
  for (const scope of [{}, { under: ['notes'] }])
    assert.equal((await ask('graiin', scope)).message, 'Searched for grain (you wrote graiin).')
})

test('the distance is that of the slow definition', () => {
  const random = seeded(7)
  const word = () =>
    Array.from({ length: Math.floor(random() * 6) }, () => 'abc'[Math.floor(random() * 3)]).join('')
  const slow = (a: string, b: string): number => {
    if (!a || !b) return a.length + b.length
    const options = [
      slow(a.slice(1), b) + 1,
      slow(a, b.slice(1)) + 1,
      slow(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    ]
    if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
      options.push(slow(a.slice(2), b.slice(2)) + 1)
    return Math.min(...options)
  }
  for (let i = 0; i < 300; i++) {
    const [a, b] = [word(), word()]
    assert.equal(editDistance(a, b, 3), Math.min(3, slow(a, b)), `${a} ${b}`)
  }
})
