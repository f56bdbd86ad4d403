import assert from 'node:assert/strict'
import type { Ref } from '../../../src/model/source.js'
import type { Store } from '../../../src/store/port.js'
import {
  cosineOf,
  documentOf,
  embedAll,
  firstChunk,
  idsOf,
  placesOf,
  same,
  stock,
  unit,
  vectorOf,
} from '../sample.js'
import type { PromiseThat } from '../store.js'

const ref: Ref = { source: 'notes', path: 'a.md' }
const tolerance = 0.02

export function vectorPromises(promise: PromiseThat): void {
  promise(
    'says which chunks wait for a vector: documents read last come first, then by position',
    async ({ store }) => {
      const [old, recent] = [
        documentOf('a.md', ['one', 'two']),
        documentOf('b.md', ['three', 'four'], { readAt: 2000 }),
      ]
      await stock(store, [old, recent])
      const pending = await store.vectors.pending('model', 100)
      same(
        pending.map(({ text }) => text),
        ['three', 'four', 'one', 'two'],
      )
      const [chunk] = await store.chunksOf(recent.ref)
      same(pending[0], { chunk: chunk!.id, hash: chunk!.hash, context: chunk!.context, text: 'three' })
      for (const limit of [0, 1, 3])
        same(await store.vectors.pending('model', limit), pending.slice(0, limit))
      same(await store.vectors.pending('model', -1), [])
      await store.restamp([
        { ref: old.ref, stamp: { size: 1, mtimeMs: 1, ctimeMs: null, ino: null }, readAt: 3000 },
      ])
      same((await store.vectors.pending('model', 1))[0]?.text, 'one')
    },
  )

  promise('lets the chunks preferred wait first, in the order given', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one', 'two', 'three', 'four', 'five'])])
    const [one, two, three, four, five] = await idsOf(store, ref)
    const waiting = async (limit: number, preferred: number[]) =>
      (await store.vectors.pending('model', limit, { preferred })).map(({ chunk }) => chunk)
    same(await waiting(9, [four!, two!]), [four, two, one, three, five])
    same(await waiting(2, [four!, -1, two!, one!]), [four, two])
    same(await waiting(9, [three!, three!]), [three, one, two, four, five])
    const { hash } = (await store.chunksOf(ref))[3]!
    await store.vectors.put('model', [{ chunk: four!, hash, vector: vectorOf(hash) }])
    same(await waiting(1, [four!, five!]), [five])
    same(await waiting(0, [five!]), [])
  })

  promise('lets the documents that are to come last wait behind all others', async ({ store }) => {
    await stock(store, [
      documentOf('a.test.md', ['one', 'two'], { readAt: 3000 }),
      documentOf('b.md', ['three'], { readAt: 2000 }),
      documentOf('c.md', ['four']),
    ])
    const isLast = (path: string) => path.includes('test')
    const waiting = async (limit: number) =>
      (await store.vectors.pending('model', limit, { isLast })).map(({ text }) => text)
    same(await waiting(9), ['three', 'four', 'one', 'two'])
    same(await waiting(3), ['three', 'four', 'one'])
    const [one] = await idsOf(store, { ...ref, path: 'a.test.md' })
    const preferred = await store.vectors.pending('model', 2, { isLast, preferred: [one!] })
    same(
      preferred.map(({ text }) => text),
      ['one', 'three'],
    )
  })

  promise('keeps vectors by model, near enough to tell their cosines', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one', 'two', 'three'])])
    await embedAll(store, 'model')
    await embedAll(store, 'other', 24)
    const chunks = await store.chunksOf(ref)
    const ids = chunks.map(({ id }) => id)
    const vectors = await store.vectors.of('model', [...ids, -1])
    assert.equal(vectors.size, 3)
    const question = vectorOf('question')
    const cosines = await store.vectors.cosines('model', question, [...ids, -1])
    assert.equal(cosines.size, 3)
    for (const { id, hash } of chunks) {
      closeTo(cosineOf(vectors.get(id)!, vectorOf(hash)), 1)
      closeTo(cosines.get(id)!, cosineOf(vectorOf(hash), question))
    }
    assert.equal((await store.vectors.of('other', ids)).get(ids[0]!)?.length, 24)
    same(await store.vectors.counts(), { model: 3, other: 3 })
    same([await store.vectors.pending('model', 9), (await store.vectors.pending('third', 9)).length], [[], 3])
  })

  promise('knows nothing of a model it never saw', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one'])])
    const ids = await idsOf(store, ref)
    const vector = vectorOf('question')
    same(await store.vectors.nearest({ model: 'never', vector, scope: {}, limit: 5 }), [])
    same(
      [(await store.vectors.cosines('never', vector, ids)).size, (await store.vectors.of('never', ids)).size],
      [0, 0],
    )
    await store.vectors.forget('never')
    same(await store.vectors.counts(), {})
  })

  promise('ranks by cosine, best first', async ({ store }) => {
    await stock(store, [
      documentOf(
        'a.md',
        Array.from({ length: 40 }, (_, i) => `text ${i}`),
      ),
    ])
    await embedAll(store)
    const vector = vectorOf('question')
    const chunks = await store.chunksOf(ref)
    const exact = new Map(chunks.map(({ id, hash }) => [id, cosineOf(vectorOf(hash), vector)]))
    const sorted = [...exact.values()].sort((a, b) => b - a)
    for (const limit of [1, 7, 40, 1000]) {
      const ranks = await store.vectors.nearest({ model: 'model', vector, scope: {}, limit })
      assert.equal(ranks.length, Math.min(limit, 40))
      assert.equal(new Set(ranks.map(({ chunk }) => chunk)).size, ranks.length)
      for (const [i, { chunk, cosine }] of ranks.entries()) {
        closeTo(cosine, exact.get(chunk)!)
        closeTo(cosine, sorted[i]!)
        assert.ok(cosine <= (ranks[i - 1]?.cosine ?? 2))
      }
    }
    for (const limit of [0, -1])
      same(await store.vectors.nearest({ model: 'model', vector, scope: {}, limit }), [])
  })

  promise('orders equal cosines by source, path and position', async ({ store }) => {
    const documents = ['b:a.md', 'a:b.md', 'a:B.md'].map((place) => {
      const [source, path] = place.split(':') as [string, string]
      return documentOf(path, ['same', 'same'], { source })
    })
    await stock(store, documents)
    await embedAll(store)
    const expected = ['a:B.md#0', 'a:B.md#1', 'a:b.md#0', 'a:b.md#1', 'b:a.md#0', 'b:a.md#1']
    for (let limit = 1; limit <= 6; limit++) {
      const ranks = await store.vectors.nearest({ model: 'model', vector: vectorOf('x'), scope: {}, limit })
      same(await placesOf(store, ranks), expected.slice(0, limit))
    }
  })

  promise('a chunk whose text did not change keeps its vector', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one', 'two'])])
    await embedAll(store)
    const [, two] = await idsOf(store, ref)
    await store.replace([documentOf('a.md', ['two', 'three'], { readAt: 2000 })])
    same(
      (await store.vectors.pending('model', 9)).map(({ text }) => text),
      ['three'],
    )
    assert.deepEqual([...(await store.vectors.of('model', await idsOf(store, ref))).keys()], [two])
    same(await store.vectors.counts(), { model: 1 })
    same(await nearest(store), ['notes:a.md#0'])
  })

  promise('a new chunk takes the vector of one with the same hash, of every model', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one', 'two'])])
    await embedAll(store, 'model')
    await embedAll(store, 'other')
    await store.replace([
      documentOf('a.md', ['one', 'one', 'two'], { readAt: 2000 }),
      documentOf('moved.md', ['two', 'new']),
    ])
    await store.forget([ref])
    for (const model of ['model', 'other']) {
      same(
        (await store.vectors.pending(model, 9)).map(({ text }) => text),
        ['new'],
      )
      const [moved] = await store.chunksOf({ source: 'notes', path: 'moved.md' })
      const vectors = await store.vectors.of(model, [moved!.id])
      closeTo(cosineOf(vectors.get(moved!.id)!, vectorOf(moved!.hash)), 1)
    }
    same(await nearest(store), ['notes:moved.md#0'])
  })

  promise('forgets a document with its vectors', async ({ store }) => {
    await stock(store, [
      documentOf('a.md', ['one', 'two']),
      documentOf('a.md', ['three'], { source: 'other' }),
    ])
    await embedAll(store)
    const ids = await idsOf(store, ref)
    await store.forget([ref])
    same([(await store.vectors.of('model', ids)).size, await store.vectors.counts()], [0, { model: 1 }])
    same((await store.vectors.cosines('model', vectorOf('question'), ids)).size, 0)
    same(await nearest(store), ['other:a.md#0'])
    await store.forgetSource('other')
    same(await nearest(store), [])
    await stock(store, [documentOf('a.md', ['one', 'two'])])
    assert.equal((await store.vectors.pending('model', 9)).length, 2, 'what is gone has no vector to give')
  })

  promise('leaves out vectors of chunks that are gone or have another hash', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one', 'two', 'three'])])
    const chunks = await store.chunksOf(ref)
    const vectors = chunks.map(({ id, hash }) => ({ chunk: id, hash, vector: vectorOf(hash) }))
    await store.replace([documentOf('a.md', ['two', 'three'], { readAt: 2000 })])
    vectors[1]!.hash = 'another'
    assert.equal(await store.vectors.put('model', vectors), 1)
    assert.deepEqual(
      [
        ...(
          await store.vectors.of(
            'model',
            chunks.map(({ id }) => id),
          )
        ).keys(),
      ],
      [chunks[2]!.id],
    )
    assert.equal(await store.vectors.put('model', []), 0)
  })

  promise('puts a vector in the place of another', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one'])])
    const { id: chunk, hash } = await firstChunk(store, ref)
    for (const name of ['first', 'second']) {
      assert.equal(await store.vectors.put('model', [{ chunk, hash, vector: vectorOf(name) }]), 1)
    }
    const cosines = await store.vectors.cosines('model', vectorOf('second'), [chunk])
    closeTo(cosines.get(chunk)!, 1)
    same(await store.vectors.counts(), { model: 1 })
  })

  promise('drops all vectors of a model and of no other', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['one', 'two'])])
    await embedAll(store, 'model')
    await embedAll(store, 'other')
    same(await store.vectors.pending('model', 9), [])
    await store.vectors.forget('model')
    same([await nearest(store, 'model'), (await nearest(store, 'other')).length], [[], 2])
    same((await store.vectors.pending('model', 9)).length, 2)
    await embedAll(store, 'model', 100)
    same(await store.vectors.counts(), { model: 2, other: 2 })
  })

  promise(
    'takes vectors of any length, but leaves out those that do not fit their model',
    async ({ store }) => {
      await stock(store, [documentOf('a.md', ['one', 'two'])])
      for (const length of [1, 3, 100, 384, 1536]) {
        await embedAll(store, `model-${length}`, length)
        const vector = vectorOf((await store.chunksOf(ref))[1]!.hash, length)
        const ranks = await store.vectors.nearest({ model: `model-${length}`, vector, scope: {}, limit: 2 })
        closeTo(ranks[0]!.cosine, 1)
        assert.equal(ranks.length, 2)
      }
      const { id: chunk, hash } = await firstChunk(store, ref)
      for (const length of [99, 101]) {
        assert.equal(
          await store.vectors.put('model-100', [{ chunk, hash, vector: vectorOf('x', length) }]),
          0,
        )
      }
      closeTo((await store.vectors.cosines('model-100', vectorOf(hash, 100), [chunk])).get(chunk)!, 1)
      same(
        await store.vectors.nearest({
          model: 'model-100',
          vector: vectorOf('short', 99),
          scope: {},
          limit: 2,
        }),
        [],
      )
      assert.equal((await store.vectors.cosines('model-100', vectorOf('short', 99), [chunk])).size, 0)
    },
  )

  promise('tells near neighbours from far ones among many', async ({ store }) => {
    await stock(store, [
      documentOf(
        'a.md',
        Array.from({ length: 500 }, (_, i) => `text ${i}`),
      ),
    ])
    const vector = vectorOf('question', 128)
    const pending = await store.vectors.pending('model', 1000)
    await store.vectors.put(
      'model',
      pending.map(({ chunk, hash }, i) => ({
        chunk,
        hash,
        vector: i % 50 === 7 ? mix(vector, hash) : vectorOf(hash, 128),
      })),
    )
    const ranks = await store.vectors.nearest({ model: 'model', vector, scope: {}, limit: 10 })
    const found = (await placesOf(store, ranks)).sort()
    same(found, Array.from({ length: 10 }, (_, i) => `notes:a.md#${i * 50 + 7}`).sort())
  })
}

/** A direction about 0.7 near to the vector. */
function mix(vector: Float32Array, name: string): Float32Array {
  const other = vectorOf(name, vector.length)
  return unit(vector.map((value, i) => value + other[i]!))
}

async function nearest(store: Store, model = 'model'): Promise<string[]> {
  return placesOf(
    store,
    await store.vectors.nearest({ model, vector: vectorOf('question'), scope: {}, limit: 100 }),
  )
}

function closeTo(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`)
}
