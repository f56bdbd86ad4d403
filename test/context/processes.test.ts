import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { allDiscoveries } from '../../src/answer/memory/records.js'
import { indexAll } from '../../src/app/index-all.js'
import { readJournal } from '../../src/store/sqlite/journal.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { searchContext } from '../../src/toolsets/context/search.js'
import { projectRoot, world } from '../support/world.js'

function start(root: string, name: string, times: number) {
  const acknowledged: string[] = []
  const child: ChildProcess = spawn(
    process.execPath,
    [join(projectRoot, 'dist/test/context/child.js'), root, name, String(times)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      acknowledged.push((JSON.parse(line) as { acknowledged: string }).acknowledged)
      if (acknowledged.length === 3) resolve()
    })
  })
  return { child, acknowledged, ended, ready }
}

test('processes that record the same at once make one record that counts them all', async (t) => {
  const { library, root, settings } = await world(t, { 'a.md': '# A\n' })
  await indexAll(library, {})
  const rounds = 5
  const children = ['ada', 'bob', 'cyd'].map((name) => start(root, name, rounds))
  await Promise.all(children.map(({ ended }) => ended))
  const all = await allDiscoveries(library)
  const shared = all.filter(({ type }) => type === 'rule')
  assert.equal(shared.length, rounds)
  assert.ok(shared.every(({ count, provenance }) => count === 3 && provenance.length === 3))
  assert.equal(all.length, rounds * 4)
  assert.equal((await library.store.counts()).bySource.discoveries?.documents, rounds * 4)
  assert.deepEqual(auditIndex(settings.data), [])
})

test('an acknowledged discovery survives kill -9, in the store, in the journal and in the search', async (t) => {
  const { library, root, settings } = await world(t, { 'a.md': '# A\n' })
  await indexAll(library, {})
  const { child, acknowledged, ready, ended } = start(root, 'eve', 1_000)
  await ready
  child.kill('SIGKILL')
  await ended
  const stored = new Set((await allDiscoveries(library)).map(({ id }) => id))
  const journal = readJournal(settings.data)
  for (const id of acknowledged) {
    assert.ok(stored.has(id), id)
    assert.ok(journal.has(`discovery\0${id}`), id)
  }
  const { results } = await searchContext(library, {
    query: 'keeps watch at night',
    type: 'pattern',
    limit: 20,
  })
  assert.ok(results.length > 0)
})
