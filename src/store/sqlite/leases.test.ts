import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from './database.js'
import { sqliteLeases } from './leases.js'

/** Two processes, each with a monotonic clock of its own. */
function leases(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-leases-'))
  const database = openDatabase(folder)
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const clock = { first: 1_000_000, second: 5 }
  const first = sqliteLeases(database, () => clock.first)
  const second = sqliteLeases(database, () => clock.second)
  return { clock, first, second }
}

const silent = { id: 'silent', pid: 11, host: 'another container' }
const next = { id: 'next', pid: 22, host: 'desk' }

for (const hours of [-48, -2, 2, 48])
  test(`a time of day that jumps by ${hours} hours takes a lease from nobody`, async (t) => {
    const { clock, first, second } = leases(t)
    const time = Date.now()
    await first.take('index', silent, 12_000)
    t.mock.method(Date, 'now', () => time + hours * 3_600_000)
    assert.deepEqual(await second.take('index', next, 12_000), silent)
    clock.second += 11_000
    assert.deepEqual(await second.take('index', next, 12_000), silent)
    assert.deepEqual(await second.holder('index'), silent)
  })

test('a lease is taken over when its heartbeat was seen unchanged for its time to live', async (t) => {
  const { clock, first, second } = leases(t)
  await first.take('index', silent, 12_000)
  assert.deepEqual(await second.holder('index'), silent)
  clock.second += 12_000
  assert.equal(await second.holder('index'), null)
  assert.equal(await second.take('index', next, 12_000), null)
  assert.deepEqual(await first.take('index', silent, 12_000), next, 'the old holder is told')
})

test('a renewal counts from when it is seen', async (t) => {
  const { clock, first, second } = leases(t)
  await first.take('index', silent, 12_000)
  for (let i = 0; i < 5; i++) {
    assert.deepEqual(await second.take('index', next, 12_000), silent)
    clock.second += 11_000
    await first.take('index', silent, 12_000)
  }
  assert.deepEqual(await second.take('index', next, 12_000), silent)
})
