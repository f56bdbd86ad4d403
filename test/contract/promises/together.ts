import assert from 'node:assert/strict'
import type { Store } from '../../../src/store/port.js'
import { documentOf, embedAll, idsOf, stock, vectorOf, wordsOf } from '../sample.js'
import type { PromiseThat } from '../store.js'

const a = documentOf('a.md', ['apple', 'pear', 'apple pear'])
const b = documentOf('b.md', ['pear', 'plum'])

// Whether a cached answer is still right after the next change.
const changes: Record<string, (store: Store) => Promise<unknown>> = {
  'nothing happens': async () => {},
  'vectors come': (store) => embedAll(store),
  'a document changes': (store) =>
    store.replace([documentOf('a.md', ['apple', 'fig'], { readAt: 2000, title: 'New' })]),
  'its vectors follow': (store) => embedAll(store),
  'a vector is put anew': async (store) => {
    const [chunk] = await store.chunksOf(b.ref)
    await store.vectors.put('model', [{ chunk: chunk!.id, hash: chunk!.hash, vector: vectorOf('other') }])
  },
  'a document goes': (store) => store.forget([b.ref]),
  'it comes back': (store) => store.replace([b]),
  'what was written is settled': (store) => store.settle(),
  'vectors go': (store) => store.vectors.forget('model'),
  'a source goes': (store) => store.forgetSource('notes'),
}

export function togetherPromises(promise: PromiseThat): void {
  promise('answers together as it does alone, whatever has changed in between', async ({ store }) => {
    await agreesThrough(store, store)
  })

  promise('answers together as it does alone when another handle writes', async ({ store, another }, t) => {
    if (!another) return t.skip('one handle only')
    const other = await another()
    try {
      await agreesThrough(store, other)
    } finally {
      await other.close()
    }
  })

  promise('answers what is asked at once, and the others when one fails', async ({ store }) => {
    await stock(store, [a, b])
    await embedAll(store)
    const withReadCache = store.withReadCache()
    const words = ['apple', 'pear', 'plum', 'apple pear', 'nothing'].map((terms) => wordsOf(terms))
    const nearest = ['one', 'two', 'three'].map((name) => ({
      model: 'model',
      vector: vectorOf(name),
      scope: {},
      limit: 4,
    }))
    const wrong = { ...nearest[0]!, vector: vectorOf('wrong').fill(Number.NaN) }
    const all = (view: Store) => [
      ...words.map(async (query) => {
        const { of, ...ranking } = await view.rank(query)
        return { ...ranking, of: of(ranking.ranks.map(({ chunk }) => chunk)) }
      }),
      ...nearest.map((query) => view.vectors.nearest(query)),
    ]
    const alone = await Promise.all(all(store))
    const failing = withReadCache.vectors.nearest(wrong).catch(() => {})
    assert.deepEqual(await Promise.all(all(withReadCache)), alone)
    await failing
  })

  promise('asked together for more than it keeps, leaves nothing out', async ({ store }) => {
    const many = documentOf(
      'many.md',
      Array.from({ length: 2500 }, (_, i) => `word${i}`),
    )
    await stock(store, [many, a])
    const ids = [...(await idsOf(store, many.ref)), ...(await idsOf(store, a.ref))]
    const withReadCache = store.withReadCache()
    for (const some of [ids.slice(0, 1500), ids.slice(1000), ids, ids.slice(-5)])
      assert.deepEqual(await withReadCache.chunks(some), await store.chunks(some))
  })
}

async function agreesThrough(store: Store, writer: Store) {
  await stock(writer, [a, b])
  const ids = [...(await idsOf(store, a.ref)), ...(await idsOf(store, b.ref)), 999_999]
  const withReadCache = store.withReadCache()
  for (const [what, change] of Object.entries(changes)) {
    await change(writer)
    const now = [...ids, ...(await idsOf(store, a.ref)), ...(await idsOf(store, b.ref))]
    // Twice: the first may fill what the second is answered from.
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await answers(withReadCache, now), await answers(store, now), `after ${what}`)
  }
}

async function answers(store: Store, ids: number[]) {
  const questions = [vectorOf('question'), vectorOf('another')]
  const { vectors } = store
  return {
    chunks: await store.chunks(ids),
    vectors: await vectors.of('model', ids),
    near: await Promise.all(
      questions.map((vector) => vectors.nearest({ model: 'model', vector, scope: {}, limit: 3 })),
    ),
    cosines: await Promise.all(questions.map((vector) => vectors.cosines('model', vector, ids))),
  }
}
