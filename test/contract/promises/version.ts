import assert from 'node:assert/strict'
import type { Store } from '../../../src/store/port.js'
import { documentOf, embedAll, ranksOf, sourceOf, vectorOf, wordsOf } from '../sample.js'
import type { PromiseThat } from '../store.js'

const a = documentOf('a.md', ['apple', 'pear'])
const holder = { id: 'ann', pid: 1, host: 'desk' }

const changes: Record<string, (store: Store) => Promise<unknown>> = {
  'a source is put': (store) => store.putSource(sourceOf('notes')),
  'a source is renamed': (store) => store.putSource(sourceOf('notes', { name: 'Renamed' })),
  'a document comes': (store) => store.replace([a]),
  'a document changes': (store) => store.replace([documentOf('a.md', ['plum', 'fig'], { readAt: 2000 })]),
  'only a label changes': (store) =>
    store.replace([documentOf('a.md', ['plum', 'fig'], { readAt: 2000, tags: ['x'] })]),
  'vectors come': (store) => embedAll(store),
  'vectors go': (store) => store.vectors.forget('model'),
  'a document goes': (store) => store.forget([a.ref]),
  'it comes back': (store) => store.replace([a]),
  'a source goes': (store) => store.forgetSource('notes'),
}

const silences: Record<string, (store: Store) => Promise<unknown>> = {
  'nothing is replaced': (store) => store.replace([]),
  'a document came too late': (store) => store.replace([documentOf('a.md', ['plum'], { readAt: 1 })]),
  'a document was refused': (store) => store.replace([documentOf('', ['plum'])]).catch(() => {}),
  'there was nothing to forget': (store) => store.forget([{ source: 'notes', path: 'never.md' }]),
  'what was to be forgotten was read later': (store) => store.forget([a.ref], 1),
  'the source to be forgotten is unknown': (store) => store.forgetSource('never'),
  'no vector fits': (store) => store.vectors.put('model', [{ chunk: -1, hash: 'x', vector: vectorOf('x') }]),
  'the model to be dropped is unknown': (store) => store.vectors.forget('never'),
  'a lease is taken and released': async (store) => {
    await store.leases.take('index', holder, 1000)
    await store.leases.release('index', holder.id)
  },
  'what was written is settled': (store) => store.settle(),
  'questions are asked': async (store) => {
    await ranksOf(store, wordsOf('apple'))
    await store.documents({}, { offset: 0, limit: 10 })
    await store.vectors.nearest({ model: 'model', vector: vectorOf('x'), scope: {}, limit: 5 })
    await store.vectors.pending('model', 10)
    await store.document(a.ref)
    await store.counts()
  },
}

export function versionPromises(promise: PromiseThat): void {
  promise(
    'changes its version when an answer may change, and never goes back to an old one',
    async ({ store }) => {
      const seen = new Set([await store.version()])
      for (const [what, change] of Object.entries(changes)) {
        await change(store)
        const version = await store.version()
        assert.ok(!seen.has(version), `the version is new when ${what}`)
        seen.add(version)
      }
    },
  )

  promise('keeps its version when no answer can change', async (opened) => {
    const { store } = opened
    await store.putSource(sourceOf('notes'))
    await store.replace([a])
    await embedAll(store)
    const before = await store.version()
    for (const [what, silence] of Object.entries(silences)) {
      await silence(store)
      assert.equal(await store.version(), before, `the version stays when ${what}`)
    }
    assert.equal(
      await (await opened.reopen()).version(),
      before,
      'the version stays when the store is reopened',
    )
  })
}
