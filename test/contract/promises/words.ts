import assert from 'node:assert/strict'
import type { IndexedDocument } from '../../../src/model/document.js'
import type { Store, WordQuery } from '../../../src/store/port.js'
import { referenceStore } from '../../support/reference-store.js'
import { documentOf, foundBy, placesOf, ranksOf, same, stock, wordsOf } from '../sample.js'
import type { PromiseThat } from '../store.js'

const fruit = [
  documentOf('a.md', [{ body: 'apple pear', title: 'plum' }, 'apple apple apple fig']),
  documentOf('b.md', ['pear', { body: 'fig fig', headings: 'apple' }, { body: 'nut', names: 'pear pear' }]),
  documentOf('c.md', ['plum plum pear nut', 'apple']),
]

export function wordPromises(promise: PromiseThat): void {
  promise('scores by the formula: idf times the saturated, weighted count', async ({ store }) => {
    // All bodies have the mean length, so that nothing is normalised away and the figures can be done by hand.
    await stock(store, [documentOf('a.md', ['apple fig', { body: 'nut nut', title: 'apple' }, 'pear fig'])])
    const [idfOfOne, idfOfTwo] = [Math.log(1 + 2.5 / 1.5), Math.log(1 + 1.5 / 2.5)]
    const scores = async (query: WordQuery) => (await ranksOf(store, query)).map(({ score }) => score)
    near(await scores(wordsOf('pear')), [idfOfOne])
    near(await scores(wordsOf('fig')), [idfOfTwo, idfOfTwo])
    near(await scores(wordsOf('nut')), [(idfOfOne * 2 * 2.2) / 3.2])
    near(await scores(wordsOf('pear fig')), [idfOfOne + idfOfTwo, idfOfTwo])
    near(await scores({ ...wordsOf(''), terms: [{ term: 'pear', weight: 0.25 }] }), [idfOfOne / 4])
    // The title is three times as long as the mean title: 4 / (0.7 + 0.3 × 3) = 2.5.
    const weights = { title: 4, headings: 1, names: 1, body: 1 }
    near(await scores(wordsOf('apple', { weights })), [(idfOfTwo * 2.5 * 2.2) / 3.7, idfOfTwo])
  })

  promise('puts the best first and says what each term added', async ({ store }) => {
    await stock(store, fruit)
    const ranks = await ranksOf(store, wordsOf('apple nowhere pear plum apple'))
    assert.equal(ranks.length, 7)
    for (const [i, { score, parts }] of ranks.entries()) {
      assert.equal(parts.length, 5)
      near([parts.reduce((sum, part) => sum + part, 0), parts[0]!], [score, parts[4]!])
      assert.equal(parts[1], 0)
      assert.ok(score > 0 && score <= (ranks[i - 1]?.score ?? Number.POSITIVE_INFINITY))
    }
    await agreesWithReference(store, fruit, wordsOf('apple nowhere pear plum apple'))
  })

  promise('counts a term once each time it is listed', async ({ store }) => {
    await stock(store, fruit)
    const [once, twice] = [
      await ranksOf(store, wordsOf('apple')),
      await ranksOf(store, wordsOf('apple apple')),
    ]
    near(
      twice.map(({ score }) => score / 2),
      once.map(({ score }) => score),
    )
    same(
      twice.map(({ chunk }) => chunk),
      once.map(({ chunk }) => chunk),
    )
  })

  promise('tells what no term could add more than, whatever the scope and limit', async ({ store }) => {
    same((await store.rank(wordsOf('apple'))).maxTermScores, [])
    await stock(store, fruit)
    const terms = [
      { term: 'fig', weight: 0.5 },
      { term: 'nowhere', weight: 2 },
      { term: 'fig', weight: 1, required: true },
    ]
    const [fig, nowhere] = [Math.log(1 + 5.5 / 2.5), Math.log(1 + 7.5 / 0.5)]
    const expected = [0.5 * fig, 2 * nowhere, fig].map((one) => 2.2 * one)
    for (const [scope, limit] of [
      [{}, 1000],
      [{ sources: [] }, 5],
      [{}, 0],
    ] as const) {
      const { ranks, maxTermScores } = await store.rank({ ...wordsOf(''), terms, scope, limit })
      near(maxTermScores, expected)
      for (const { parts } of ranks) assert.ok(parts.every((part, i) => part < maxTermScores[i]!))
    }
    same((await store.rank(wordsOf(''))).maxTermScores, [])
  })

  promise('takes only chunks that have every required term', async ({ store }) => {
    await stock(store, fruit)
    const terms = (apple: boolean, pear: boolean, weight = 1) => [
      { term: 'apple', weight: 1, required: apple },
      { term: 'pear', weight, required: pear },
    ]
    const found = async (query: WordQuery['terms']) =>
      (await foundBy(store, { ...wordsOf(''), terms: query })).sort()
    same(await found(terms(true, true)), ['notes:a.md#0'])
    same(await found(terms(false, true)), ['notes:a.md#0', 'notes:b.md#0', 'notes:b.md#2', 'notes:c.md#0'])
    same(await found(terms(false, true, 0)), ['notes:a.md#0'])
    same(await found([...terms(false, false), { term: 'nowhere', weight: 1, required: true }]), [])
    same(await found([...terms(true, false), { term: 'fig', weight: 0, required: true }]), [
      'notes:a.md#1',
      'notes:b.md#1',
    ])
  })

  promise('finds nothing by a term that has no weight or in a field that has none', async ({ store }) => {
    await stock(store, fruit)
    same(await ranksOf(store, { ...wordsOf(''), terms: [{ term: 'apple', weight: 0, required: true }] }), [])
    const bodyOnly = { title: 0, headings: 0, names: 0, body: 1 }
    same((await foundBy(store, wordsOf('apple', { weights: bodyOnly }))).sort(), [
      'notes:a.md#0',
      'notes:a.md#1',
      'notes:c.md#1',
    ])
    const required = [
      { term: 'nut', weight: 1 },
      { term: 'pear', weight: 1, required: true },
    ]
    same(await foundBy(store, { ...wordsOf(''), terms: required, weights: bodyOnly, limit: 1 }), [
      'notes:c.md#0',
    ])
    same(
      await ranksOf(store, wordsOf('apple', { weights: { title: 0, headings: 0, names: 0, body: 0 } })),
      [],
    )
  })

  promise('breaks ties by source, path and position, also where the limit cuts', async ({ store }) => {
    const documents = ['b:z.md', 'b:Z.md', 'a:b.md', 'a:a.md', 'a:a/b.md', 'a:é.md'].map((place) => {
      const [source, path] = place.split(':') as [string, string]
      return documentOf(path, ['apple', 'apple'], { source })
    })
    await stock(store, documents)
    const expected = ['a:a.md', 'a:a/b.md', 'a:b.md', 'a:é.md', 'b:Z.md', 'b:z.md'].flatMap((p) => [
      `${p}#0`,
      `${p}#1`,
    ])
    for (let limit = 1; limit <= 12; limit++) {
      same(await foundBy(store, wordsOf('apple', { limit })), expected.slice(0, limit))
    }
  })

  promise('finds nothing for an empty question and returns nothing beyond the limit', async ({ store }) => {
    await stock(store, fruit)
    same(await ranksOf(store, wordsOf('')), [])
    same(await ranksOf(store, { ...wordsOf(''), terms: [{ term: '', weight: 1 }] }), [])
    for (const limit of [0, -1, -1000]) same(await ranksOf(store, wordsOf('apple', { limit })), [])
    for (const limit of [1, 3, 5, 1_000_000]) {
      assert.equal((await ranksOf(store, wordsOf('apple', { limit }))).length, Math.min(limit, 4))
    }
  })

  promise('takes its statistics from all live chunks, whatever the scope', async ({ store }) => {
    await stock(store, [...fruit, documentOf('a.md', ['apple fig', 'fig'], { source: 'other' })])
    const byChunk = new Map(
      (await ranksOf(store, wordsOf('apple fig'))).map(({ chunk, score }) => [chunk, score]),
    )
    const scoped = await ranksOf(store, wordsOf('apple fig', { scope: { sources: ['other'] } }))
    assert.equal(scoped.length, 2)
    for (const { chunk, score } of scoped) near([score], [byChunk.get(chunk)!])
  })

  promise('scores as if what is gone had never been there', async ({ store }) => {
    await stock(store, [
      ...fruit,
      documentOf('d.md', ['apple pear plum fig nut', 'apple'], { source: 'other' }),
    ])
    await store.replace([
      documentOf('c.md', ['apple apple fig'], { readAt: 1500 }),
      documentOf('e.md', ['pear']),
    ])
    await store.replace([{ ...fruit[2]!, readAt: 2000 }])
    await store.forget([{ source: 'notes', path: 'e.md' }])
    await store.forgetSource('other')
    for (const words of ['apple', 'pear plum', 'fig nut apple'])
      await agreesWithReference(store, fruit, wordsOf(words))
  })

  promise(
    'gives the same bytes for the same query whatever the history that led to the content',
    async (opened) => {
      const direct = opened.store
      await stock(direct, fruit)
      const questions = ['apple', 'pear plum', 'fig nut apple', 'apple pear plum fig nut'].map((words) =>
        wordsOf(words),
      )
      const before = await bytes(direct, questions)
      for (const document of fruit.toReversed()) {
        await direct.replace([documentOf(document.ref.path, ['apple nut', 'pear'], { readAt: 2000 })])
        await direct.forget([document.ref])
        await direct.replace([documentOf('detour.md', ['fig apple plum'])])
        await direct.replace([document])
      }
      await direct.forget([{ source: 'notes', path: 'detour.md' }])
      assert.equal(await bytes(direct, questions), before)
      await direct.settle()
      assert.equal(await bytes(direct, questions), before)
      assert.equal(await bytes(await opened.reopen(), questions), before)
    },
  )

  promise('counts up to 65,535, and takes a longer field for one of that length', async ({ store }) => {
    const huge = documentOf('a.md', ['apple'])
    huge.words = ['apple', 'pear']
    huge.chunks[0]!.terms = {
      places: Uint32Array.of(0, 1),
      counts: Uint16Array.of(65535, 0, 1, 65535, 0, 0, 0, 255),
      lengths: [65535, 0, 4_000_000, 80_000_000],
    }
    const documents = [huge, ...fruit.slice(1)]
    await stock(store, documents)
    for (const words of ['apple', 'pear', 'apple pear'])
      await agreesWithReference(store, documents, wordsOf(words))
  })
}

async function agreesWithReference(
  store: Store,
  documents: IndexedDocument[],
  query: WordQuery,
): Promise<void> {
  const reference = referenceStore()
  await stock(reference, documents)
  const [ranks, expected] = [await ranksOf(store, query), await ranksOf(reference, query)]
  same(await placesOf(store, ranks), await placesOf(reference, expected))
  near(
    ranks.map(({ score }) => score),
    expected.map(({ score }) => score),
  )
  near(
    ranks.flatMap(({ parts }) => parts),
    expected.flatMap(({ parts }) => parts),
  )
}

async function bytes(store: Store, questions: WordQuery[]): Promise<string> {
  const answers = []
  for (const question of questions) {
    const { ranks, maxTermScores } = await store.rank(question)
    answers.push(
      maxTermScores,
      await placesOf(store, ranks),
      ranks.map(({ score, parts }) => [score, parts]),
    )
  }
  return JSON.stringify(answers)
}

function near(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length)
  for (const [i, value] of actual.entries()) {
    const off = Math.abs(value - expected[i]!)
    assert.ok(off <= 1e-4 * Math.abs(expected[i]!), `${value} is not near ${expected[i]}`)
  }
}
