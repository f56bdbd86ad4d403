// Answers name a package that is configured but not in the index, and offer nothing else in its place.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { indexingLease, underLease } from '../../src/runtime/lease.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { syncNewPackages } from '../../src/toolsets/packages/first-sync.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { write } from '../support/world.js'

const named = (...aliases: string[]) =>
  JSON.stringify({ collections: Object.fromEntries(aliases.map((alias) => [alias, { url: `./${alias}` }])) })

async function project(t: TestContext) {
  const world = await toolsetWorld(documentsToolset, {
    files: {
      'notes/c.md': '# C',
      'r1/a.md': '# A\n\nalpha',
      'r2/b.md': '# B\n\nbeta',
      'context.json': named('r1'),
    },
    folders: { notes: { path: 'notes' } },
  })
  t.after(() => world.close())
  await syncNewPackages(world.library)
  write(world.root, { 'context.json': named('r1', 'r2') })
  const ask = (tool: string, args: object) => world.ask<string>(tool, { ...args })
  const misses = async (collection: string) => [
    await ask('documents_list_documents', { collection }),
    await ask('documents_get_document', { collection, document: 'b.md' }),
    await ask('documents_search', { query: 'beta', collections: [collection] }),
  ]
  const listed = () =>
    world.ask<{ collection: string; documentCount: number; note?: string }[]>('documents_list_collections')
  const row = async () => (await listed()).find(({ collection }) => collection === 'r2')
  return { ...world, misses, listed, row }
}

const never = 'The package "r2" is configured but not taken in yet: run "carrel sync".'
const now =
  'The package "r2" is configured but not taken in yet, and indexing is under way: ask again in a moment.'

test('a request for one says so and names the next step', async (t) => {
  const { misses, library, row } = await project(t)
  const check = async (sentence: string) => {
    for (const miss of await misses('r2')) assert.equal(miss, sentence)
    assert.deepEqual(await row(), { collection: 'r2', documentCount: 0, note: sentence })
    const searching = search(library, { query: 'beta', collections: ['r2'], mode: 'text' })
    await assert.rejects(searching, { code: 'unknown_collection', message: sentence })
  }
  await check(never)
  await underLease(library.store.leases, indexingLease, {}, () => check(now))
})

test('one that failed gives the last reason, until it is synced', async (t) => {
  const { misses, library, row, root, listed } = await project(t)
  rmSync(join(root, 'r2'), { recursive: true })
  await syncNewPackages(library)
  for (const miss of await misses('r2'))
    assert.match(miss, /^The package "r2" was not taken in\. There is nothing at \.\/r2\./)
  assert.match((await row())?.note ?? '', /^The package "r2" was not taken in\. There is nothing at/)
  write(root, { 'r2/b.md': '# B\n\nbeta' })
  await syncNewPackages(library)
  const r2 = await row()
  assert.deepEqual([r2?.documentCount, r2?.note], [1, undefined])
  assert.equal((await listed()).filter(({ collection }) => collection === 'r2').length, 1)
})

test('a similar name suggests it, and others list it', async (t) => {
  const { misses } = await project(t)
  for (const miss of await misses('r22')) assert.equal(miss, 'Collection "r22" not found. Did you mean "r2"?')
  for (const miss of await misses('something else'))
    assert.equal(miss, 'Collection "something else" not found. There are: notes, r1, r2.')
})

test('a context.json that cannot be read names none', async (t) => {
  const { misses, listed, root } = await project(t)
  write(root, { 'context.json': '{ broken' })
  assert.match((await misses('r2'))[0]!, /^Collection "r2" not found\./)
  assert.deepEqual(
    (await listed()).map(({ collection }) => collection),
    ['notes', 'r1'],
  )
})
