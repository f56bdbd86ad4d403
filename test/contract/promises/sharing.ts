import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Store } from '../../../src/store/port.js'
import {
  contentOf,
  documentOf,
  embedAll,
  foundBy,
  idsOf,
  placesOf,
  ranksOf,
  same,
  sourceOf,
  stock,
  storedOf,
  vectorOf,
  wordsOf,
} from '../sample.js'
import type { OpenedStore, PromiseThat } from '../store.js'

const ref = { source: 'notes', path: 'a.md' }
const nearest = { model: 'model', vector: vectorOf('question'), scope: {}, limit: 10 }

export function sharingPromises(promise: PromiseThat): void {
  promise('survives being reopened', async (opened) => {
    const documents = [
      documentOf('a.md', ['apple', 'pear', 'apple pear']),
      documentOf('b.md', ['pear'], { source: 'other' }),
    ]
    await stock(opened.store, documents)
    await embedAll(opened.store)
    await opened.store.records.put('kind', 'a', { kept: true })
    const before = await everything(opened.store)
    for (let times = 0; times < 3; times++) {
      const store = await opened.reopen()
      assert.equal(await everything(store), before)
      if (times === 1) await store.settle()
    }
  })

  promise('answers the same before, while and after it is settled', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['apple', 'pear']), documentOf('b.md', ['apple'])])
    await store.replace([documentOf('a.md', ['apple'], { readAt: 2000 })])
    await embedAll(store)
    const before = await everything(store)
    const settled = store.settle()
    assert.equal(await everything(store), before)
    await settled
    assert.equal(await everything(store), before)
    await store.settle(AbortSignal.abort()).catch(() => {})
    assert.equal(await everything(store), before)
  })

  promise('takes writes while it settles', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['apple'])])
    const settled = store.settle()
    await Promise.all(Array.from({ length: 10 }, (_, i) => store.replace([documentOf(`${i}.md`, ['pear'])])))
    await settled
    same([(await store.counts()).documents, (await ranksOf(store, wordsOf('pear'))).length], [11, 10])
  })

  promise('the document read last wins when many come at once', async ({ store }) => {
    await store.putSource(sourceOf('notes'))
    const versions = Array.from({ length: 30 }, (_, i) =>
      documentOf('a.md', [`word${i}`, 'same'], { readAt: (i * 7) % 30 }),
    )
    await Promise.all(versions.map((version) => store.replace([version])))
    const last = versions.find(({ readAt }) => readAt === 29)!
    same(await store.document(ref), storedOf(last))
    same(await foundBy(store, wordsOf(versions.map(({ text }) => text.split('\n')[0]).join(' '))), [
      'notes:a.md#0',
    ])
    assert.equal((await store.counts()).chunks, 2)
  })

  promise('shows readers the old document or the new one, never a mixture', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['v0', 'v0 v0'])])
    await watchedWhileReplaced(store, store)
  })

  promise('keeps calls of all kinds apart when they run at once', async ({ store }) => {
    await store.putSource(sourceOf('notes'))
    const work = Array.from({ length: 20 }, async (_, i) => {
      const document = documentOf(`${i}.md`, [`apple word${i}`, 'pear'])
      await store.replace([document])
      same(await store.document(document.ref), storedOf(document))
      await store.records.put('kind', `${i}`, i)
      same(await foundBy(store, wordsOf(`word${i}`)), [`notes:${i}.md#0`])
      if (i % 2) assert.equal(await store.forget([document.ref]), 1)
    })
    await Promise.all(work)
    same([(await store.counts()).documents, (await ranksOf(store, wordsOf('apple'))).length], [10, 10])
    assert.equal((await store.records.all('kind')).length, 20)
  })

  promise('a second handle sees at once what the first one wrote', async (opened, t) => {
    const other = await secondHandle(opened, t)
    if (!other) return
    const { store } = opened
    const steps: (() => Promise<unknown>)[] = [
      () => stock(store, [documentOf('a.md', ['apple', 'pear']), documentOf('b.md', ['apple'])]),
      () => embedAll(store),
      () => store.replace([documentOf('a.md', ['pear', 'plum'], { readAt: 2000 })]),
      () => embedAll(other),
      () => other.forget([ref]),
      () => store.records.put('kind', 'a', 1),
      () => store.settle(),
      () => store.vectors.forget('model'),
      () => other.forgetSource('notes'),
    ]
    for (const step of steps) {
      await step()
      assert.equal(await everything(other), await everything(store))
    }
  })

  promise('two handles keep ids apart, and a document read earlier stays out on both', async (opened, t) => {
    const other = await secondHandle(opened, t)
    if (!other) return
    const { store } = opened
    await store.putSource(sourceOf('notes'))
    const work = Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? store : other).replace([documentOf(`${i}.md`, ['apple', 'x'])]),
    )
    await Promise.all(work)
    const ids = (await ranksOf(store, wordsOf('apple x'))).map(({ chunk }) => chunk)
    assert.equal(new Set(ids).size, 40)
    await store.replace([documentOf('a.md', ['new'], { readAt: 2000 })])
    await other.replace([documentOf('a.md', ['old'], { readAt: 1000 })])
    assert.equal((await store.document(ref))?.text, 'new')
    const before = await idsOf(store, ref)
    await other.replace([documentOf('a.md', ['new', 'more'], { readAt: 3000 })])
    assert.equal((await idsOf(store, ref))[0], before[0])
  })

  promise('two handles lose no update, and one lease has one holder', async (opened, t) => {
    const other = await secondHandle(opened, t)
    if (!other) return
    const handles = [opened.store, other]
    const count = (value: number | null) => (value ?? 0) + 1
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => handles[i % 2]!.records.update('kind', 'n', count)),
    )
    assert.equal(await other.records.get('kind', 'n'), 40)
    const holders = handles.map((_, i) => ({ id: `holder ${i}`, pid: i, host: 'desk' }))
    const answers = await Promise.all(
      handles.map((handle, i) => handle.leases.take('index', holders[i]!, 60_000)),
    )
    assert.equal(answers.filter((answer) => answer === null).length, 1)
  })

  promise('a reader on another handle sees the old document or the new one', async (opened, t) => {
    const other = await secondHandle(opened, t)
    if (!other) return
    await stock(opened.store, [documentOf('a.md', ['v0', 'v0 v0'])])
    await watchedWhileReplaced(opened.store, other)
  })
}

async function secondHandle(opened: OpenedStore, t: TestContext): Promise<Store | null> {
  if (opened.another) return opened.another()
  t.skip('this store has one handle only')
  return null
}

/** Replaces a document thirty times, with more chunks now and fewer then, while another looks at it all the time. */
async function watchedWhileReplaced(writer: Store, reader: Store): Promise<void> {
  let writing = true
  const write = async () => {
    for (let v = 1; v <= 30; v++) {
      const texts = Array.from({ length: 1 + (v % 4) }, (_, i) => `v${v} `.repeat(i + 1).trim())
      await writer.replace([documentOf('a.md', texts, { readAt: 1000 + v })])
    }
    writing = false
  }
  const watch = async () => {
    while (writing) {
      const chunks = await reader.chunksOf(ref)
      assert.ok(chunks.length > 0 && chunks.every(({ count }) => count === chunks.length))
      assert.equal(
        new Set(chunks.flatMap(({ text }) => text.split(' '))).size,
        1,
        'all chunks are of one version',
      )
      assert.equal((await reader.documents({}, { offset: 0, limit: 10 })).total, 1)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all([write(), watch()])
  assert.equal((await reader.chunksOf(ref))[0]?.text, 'v30')
}

/** Every answer there is, with ids: what two handles, or one before and after, must agree on to the byte. */
async function everything(store: Store): Promise<string> {
  const ranks = await ranksOf(store, wordsOf('apple pear plum'))
  const near = await store.vectors.nearest(nearest)
  const places = [await placesOf(store, ranks), await placesOf(store, near)]
  const vectors = await store.vectors.of(
    'model',
    near.map(({ chunk }) => chunk),
  )
  const pending = await store.vectors.pending('model', 10)
  const records = await store.records.all('kind')
  const rest = [await contentOf(store), await store.version(), records, pending, places]
  return JSON.stringify([ranks, near, [...vectors].sort((a, b) => a[0] - b[0]), ...rest])
}
