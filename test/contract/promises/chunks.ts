import assert from 'node:assert/strict'
import type { Passage } from '../sample.js'
import {
  contentOf,
  documentOf,
  foundBy,
  idsOf,
  same,
  sourceOf,
  stock,
  storedChunksOf,
  withoutId,
  wordsOf,
} from '../sample.js'
import type { PromiseThat } from '../store.js'

const passages: Passage[] = [
  { body: 'apple\npear', title: 'Fruit', headings: 'Basket', names: 'peel core' },
  { body: 'let plum = 1', kind: 'code', language: 'typescript' },
  { body: '| a | b |', kind: 'table' },
]

export function chunkPromises(promise: PromiseThat): void {
  promise('gives chunks back as they came, by position, with what their document says', async ({ store }) => {
    const document = documentOf('a.md', passages)
    await stock(store, [document, documentOf('b.md', ['apple'])])
    const chunks = await store.chunksOf(document.ref)
    same(chunks.map(withoutId), storedChunksOf(document))
    same(await store.chunksOf({ source: 'notes', path: 'never.md' }), [])
  })

  promise('gives chunks by id in the order asked for, without those that are gone', async ({ store }) => {
    const document = documentOf('a.md', ['one', 'two', 'three'])
    await stock(store, [document, documentOf('b.md', ['four'])])
    const chunks = await store.chunksOf(document.ref)
    const [one, two, three] = chunks.map(({ id }) => id)
    const ids = [three!, -1, one!, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER, two!]
    same(await store.chunks(ids), [chunks[2], chunks[0], chunks[1]])
    await store.replace([documentOf('a.md', ['two'], { readAt: 2000 })])
    same(
      (await store.chunks(ids)).map(({ id, index, count }) => ({ id, index, count })),
      [{ id: two, index: 0, count: 1 }],
    )
    same(await store.chunks([]), [])
  })

  promise('gives chunks their own ids, whatever the document', async ({ store }) => {
    const documents = ['a.md', 'b.md', 'c.md'].map((path) => documentOf(path, ['same', 'same', 'same']))
    await stock(store, documents)
    const ids = (await Promise.all(documents.map(({ ref }) => idsOf(store, ref)))).flat()
    assert.equal(new Set(ids).size, 9)
    assert.ok(ids.every((id) => Number.isSafeInteger(id)))
  })

  promise('a chunk whose text did not change keeps its id, wherever it moves to', async ({ store }) => {
    const old = documentOf('a.md', ['one', 'two', 'three'])
    await stock(store, [old])
    const [one, two, three] = await idsOf(store, old.ref)
    const fresh = documentOf('a.md', ['three', 'new', 'two two', 'one'], { readAt: 2000, title: 'New' })
    await store.replace([fresh])
    const ids = await idsOf(store, old.ref)
    assert.deepEqual([ids[0], ids[3]], [three, one])
    assert.ok(![one, two, three].includes(ids[1]!) && ![one, two, three].includes(ids[2]!))
    same((await store.chunksOf(old.ref)).map(withoutId), storedChunksOf(fresh))
    same(await foundBy(store, wordsOf('three')), ['notes:a.md#0'])
    same(await foundBy(store, wordsOf('one')), ['notes:a.md#3'])
  })

  promise('matches chunks that are alike in one document in their order', async ({ store }) => {
    const ref = { source: 'notes', path: 'a.md' }
    const idsAfter = async (readAt: number, texts: string[]) => {
      await store.replace([documentOf('a.md', texts, { readAt })])
      return idsOf(store, ref)
    }
    await store.putSource(sourceOf('notes'))
    const [a, b, c] = await idsAfter(1, ['same', 'other', 'same'])
    assert.deepEqual(await idsAfter(2, ['same', 'same']), [a, c])
    const grown = await idsAfter(3, ['other', 'same', 'same', 'same'])
    assert.deepEqual(grown.slice(1, 3), [a, c])
    assert.ok(![a, b, c].includes(grown[0]) && ![a, b, c].includes(grown[3]))
    assert.deepEqual(await idsAfter(4, ['same']), [a])
  })

  promise('never uses an id again, not even the last one after being reopened', async (opened) => {
    let { store } = opened
    const document = documentOf('a.md', ['one', 'two'])
    await store.putSource(sourceOf('notes'))
    const seen = new Set<number>()
    for (const again of ['replace', 'forget', 'forgetSource', 'reopen'] as const) {
      await store.putSource(sourceOf('notes'))
      await store.replace([document])
      for (const id of await idsOf(store, document.ref)) {
        assert.ok(!seen.has(id), `id ${id} came back`)
        seen.add(id)
      }
      if (again === 'forgetSource') await store.forgetSource('notes')
      else if (again === 'replace') await store.replace([documentOf('a.md', [])])
      else await store.forget([document.ref])
      if (again === 'reopen') store = await opened.reopen()
    }
    await store.replace([document])
    assert.ok((await idsOf(store, document.ref)).every((id) => !seen.has(id)))
  })

  promise('leaves nothing of a document that lost all its chunks', async ({ store }) => {
    const empty = documentOf('a.md', [], { readAt: 2000 })
    await stock(store, [documentOf('a.md', ['apple', 'pear'])])
    await store.replace([empty])
    same(await foundBy(store, wordsOf('apple pear')), [])
    same([await store.chunksOf(empty.ref), (await store.counts()).chunks], [[], 0])
    const content = await contentOf(store)
    await store.forget([empty.ref])
    await store.replace([empty])
    assert.equal(await contentOf(store), content)
  })
}
