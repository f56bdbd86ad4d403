import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from './database.js'
import { sqliteLeases } from './leases.js'

function leases(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-leases-'))
  const database = openDatabase(folder)
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const clock = { now: Date.parse('2026-03-01T12:00:00Z') }
  return { clock, leases: sqliteLeases(database, () => clock.now) }
}

const dead = { id: 'dead', pid: 11, host: 'another container' }
const next = { id: 'next', pid: 22, host: 'desk' }

test('a lease from before the clock was set back by hours keeps nobody waiting until then', async (t) => {
  const { clock, leases: at } = leases(t)
  await at.take('index', dead, 12_000)
  clock.now -= 2 * 3_600_000
  assert.equal(await at.holder('index'), null)
  assert.equal(await at.take('index', next, 12_000), null)
  assert.deepEqual(await at.holder('index'), next)
})

test('a clock that is set right by a little takes a lease from nobody', async (t) => {
  const { clock, leases: at } = leases(t)
  await at.take('index', dead, 12_000)
  clock.now -= 60_000
  assert.deepEqual(await at.take('index', next, 12_000), dead)
})
