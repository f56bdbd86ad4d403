// A store that shares its documents keeps the same promises as one of its own, alone and beside other worktrees.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { storeHistories } from '../../../test/contract/histories.js'
import {
  documentOf,
  foundBy,
  placesOf,
  ranksOf,
  sourceOf,
  vectorOf,
  wordsOf,
} from '../../../test/contract/sample.js'
import { type OpenedStore, storeContract } from '../../../test/contract/store.js'
import { seeded } from '../../../test/support/seeded.js'
import { temporaryFolder } from '../../../test/support/world.js'
import type { IndexedDocument } from '../../model/document.js'
import type { Store } from '../port.js'
import { auditIndex } from './repair.js'
import { openSqliteStore } from './store.js'

storeContract('a worktree', openWorktree)
storeHistories('a worktree', openWorktree, 3)

async function openWorktree(): Promise<OpenedStore> {
  const root = await mkdtemp(join(tmpdir(), 'carrel-worktree-'))
  const open = () => openSqliteStore({ folder: join(root, 'own'), shared: join(root, 'shared') })
  const handles = [await open()]
  const another = async () => {
    handles.push(await open())
    return handles.at(-1)!
  }
  const closeAll = async () => {
    for (const store of handles.splice(0)) await store.close()
  }
  return {
    store: handles[0]!,
    another,
    async reopen() {
      await closeAll()
      return another()
    },
    async close() {
      await closeAll()
      await rm(root, { recursive: true, force: true })
    },
  }
}

describe('several worktrees', () => {
  test('answer as if each had an index of its own, whatever happens in the others', async (t) => {
    const random = seeded(7)
    const { worktree, apart } = await opening(t)
    const pairs = [
      { own: await worktree('w1'), alone: await apart('a1') },
      { own: await worktree('w2'), alone: await apart('a2') },
      { own: await worktree('w3'), alone: await apart('a3') },
    ]
    for (let step = 0; step < 60; step++) {
      const { own, alone } = pairs[Math.floor(random() * pairs.length)]!
      await change(random, step)(own, alone)
      if (step % 3 === 0) for (const pair of pairs) await sameAnswers(pair.own, pair.alone, `step ${step}`)
    }
    for (const { own } of pairs) await own.settle()
    for (const pair of pairs) await sameAnswers(pair.own, pair.alone, 'in the end')
  })

  test('take over what another one read, with its vectors', async (t) => {
    const { worktree } = await opening(t)
    const [first, second] = [await worktree('w1'), await worktree('w2')]
    await first.replace([file('a.md', 'cat dog'), file('b.md', 'elk')])
    await embed(first)
    const { hash, stamp } = file('a.md', 'cat dog')
    const versions = await second.shared!.versions('notes', 1)
    assert.deepEqual(versions.get('a.md'), [hash])
    assert.deepEqual(await foundBy(second, wordsOf('cat')), [], 'nothing is taken over unasked')
    const ref = { source: 'notes', path: 'a.md' }
    const files = ['no such hash', hash].map((hash) => ({
      ref,
      hash,
      reader: 1,
      stamp: stamp!,
      readAt: 5000,
    }))
    assert.deepEqual(await second.shared!.adopt(files), [null, { chunks: 1, notes: 1 }])
    assert.deepEqual(await foundBy(second, wordsOf('cat')), ['notes:a.md#0'])
    assert.deepEqual(await second.vectors.counts(), { model: 1 })
    assert.equal((await second.document(ref))!.readAt, 5000)
    assert.equal((await first.document(ref))!.readAt, 1000)
    assert.deepEqual(await second.shared!.versions('notes', 2), new Map(), 'of another reader: nothing')
  })

  test('give their space back when they are removed', async (t) => {
    const { root, worktree } = await opening(t)
    const first = await worktree('w1')
    await first.replace([file('a.md', 'cat')])
    await first.settle()
    const before = statSync(join(root, 'shared/index.sqlite')).size
    const second = await worktree('w2')
    await second.replace(Array.from({ length: 40 }, (_, i) => file(`large-${i}.md`, noise(i))))
    await second.settle()
    assert.ok(statSync(join(root, 'shared/index.sqlite')).size > before + 200_000)
    await second.close()
    await rm(join(root, 'w2'), { recursive: true })
    await first.settle()
    const after = statSync(join(root, 'shared/index.sqlite')).size
    assert.ok(after < before + 40_000, `${after} bytes, ${before} before`)
    assert.deepEqual(await foundBy(first, wordsOf('cat')), ['notes:a.md#0'])
    await first.close()
    assert.deepEqual(auditIndex(join(root, 'shared')), [])
  })
})

async function opening(t: TestContext) {
  const root = temporaryFolder(t)
  const opened = async (options: { folder: string; shared?: string }) => {
    const store = await openSqliteStore(options)
    t.after(() => store.close())
    await store.putSource(sourceOf('notes'))
    return store
  }
  return {
    root,
    worktree: (name: string) => opened({ folder: join(root, name), shared: join(root, 'shared') }),
    apart: (name: string) => opened({ folder: join(root, name) }),
  }
}

/** A document as it is read from a file of these words. */
function file(path: string, body: string, readAt = 1000): IndexedDocument {
  return documentOf(path, body.split(' / '), { readAt, reader: 1 })
}

const bodies = ['cat', 'cat dog / elk', 'dog dog / cat elk fox', 'fox / fox cat / dog', 'elk']

/** The same step on both. */
function change(random: () => number, step: number): (own: Store, alone: Store) => Promise<void> {
  const path = `p${Math.floor(random() * 5)}.md`
  const body = bodies[Math.floor(random() * bodies.length)]!
  const readAt = 1000 + step
  const kind = random()
  const both = (work: (store: Store) => Promise<unknown>) => async (own: Store, alone: Store) => {
    await work(own)
    await work(alone)
  }
  if (kind < 0.3) return both((store) => store.replace([file(path, body, readAt)]))
  if (kind < 0.45) return both((store) => store.forget([{ source: 'notes', path }]))
  if (kind < 0.55) return both((store) => store.settle())
  if (kind < 0.7) return both(embed)
  return async (own, alone) => {
    const document = file(path, body, readAt)
    const { ref, hash, stamp } = document
    const [adopted] = await own.shared!.adopt([{ ref, hash, reader: 1, stamp: stamp!, readAt }])
    if (!adopted) await own.replace([document])
    await alone.replace([document])
  }
}

async function embed(store: Store): Promise<void> {
  const pending = await store.vectors.pending('model', 100)
  await store.vectors.put(
    'model',
    pending.map(({ chunk, hash }) => ({ chunk, hash, vector: vectorOf(hash) })),
  )
}

async function sameAnswers(own: Store, alone: Store, when: string): Promise<void> {
  const everything = { offset: 0, limit: 100 }
  assert.deepEqual(await own.documents({}, everything), await alone.documents({}, everything), when)
  assert.deepEqual(await own.noted('notes'), await alone.noted('notes'), when)
  assert.deepEqual(await own.fingerprints('notes'), await alone.fingerprints('notes'), when)
  assert.deepEqual(await own.counts(), await alone.counts(), when)
  for (const query of [
    wordsOf('cat'),
    wordsOf('dog elk fox'),
    wordsOf('cat', { scope: { under: ['p1.md'] } }),
  ]) {
    const [here, there] = [await own.rank(query), await alone.rank(query)]
    assert.deepEqual(here.maxTermScores, there.maxTermScores, when)
    assert.deepEqual(here.holders, there.holders, when)
    assert.deepEqual(
      here.ranks.map(({ score, parts }) => ({ score, parts })),
      there.ranks.map(({ score, parts }) => ({ score, parts })),
      when,
    )
    assert.deepEqual(await foundBy(own, query), await foundBy(alone, query), when)
  }
  assert.equal((await ranksOf(own, wordsOf('cat'))).length, (await ranksOf(alone, wordsOf('cat'))).length)
  // A worktree may have vectors that another one made: once both are complete, their answers are the same.
  await embed(own)
  await embed(alone)
  const embedded = async (store: Store) => (await store.vectors.counts()).model ?? 0
  assert.equal(await embedded(own), await embedded(alone), when)
  for (const scope of [{}, { under: ['p2.md'] }]) {
    const question = { model: 'model', vector: vectorOf('who'), scope, limit: 50 }
    const [here, there] = [await own.vectors.nearest(question), await alone.vectors.nearest(question)]
    assert.deepEqual(
      here.map(({ cosine }) => cosine),
      there.map(({ cosine }) => cosine),
      when,
    )
    assert.deepEqual(await placesOf(own, here), await placesOf(alone, there), when)
  }
}

function noise(seed: number): string {
  const random = seeded(seed)
  return Array.from({ length: 3000 }, () => Math.floor(random() * 1e9).toString(36)).join(' ')
}
