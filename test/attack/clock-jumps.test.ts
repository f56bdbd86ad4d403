// Whatever the time of day jumps to while others write: no acknowledged write is lost, no update overwrites another.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { indexAll } from '../../src/app/index-all.js'
import { underLease } from '../../src/runtime/lease.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { stateOfBytes } from '../../src/toolsets/knowledge/blob-store.js'
import { documentRecords } from '../../src/toolsets/knowledge/document-records.js'
import { addDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { openForTest, temporaryFolder, world } from '../support/world.js'

const hour = 3_600_000

/** A time of day that is wrong by up to two days, differently at every look. */
function jumpingClock(t: TestContext) {
  const real = Date.now.bind(Date)
  const jumps = [-48 * hour, 48 * hour, 0, 11 * 60_000, -11 * 60_000, hour, -hour]
  let look = 0
  t.mock.method(Date, 'now', () => real() + jumps[look++ % jumps.length]!)
}

test('a counter that many processes raise under a lease loses no step', async (t) => {
  jumpingClock(t)
  const folder = temporaryFolder(t)
  const stores = await Promise.all([1, 2, 3].map(() => openSqliteStore({ folder })))
  t.after(() => Promise.all(stores.map((store) => store.close())))
  let inside = 0
  let value = 0
  const raise = (i: number) =>
    underLease(stores[i % 3]!.leases, 'counter', {}, async () => {
      assert.equal(++inside, 1, 'one at a time')
      const seen = value
      await new Promise((resolve) => setTimeout(resolve, 1))
      value = seen + 1
      inside--
    })
  await Promise.all(Array.from({ length: 30 }, (_, i) => raise(i)))
  assert.equal(value, 30)
})

test('uploads keep their bytes while another process indexes and sweeps', async (t) => {
  jumpingClock(t)
  const { library, settings } = await world(t, {})
  const other = await openForTest(settings)
  t.after(() => other.close())
  const stop = new AbortController()
  const sweeping = (async () => {
    while (!stop.signal.aborted) await indexAll(other, {})
  })()
  for (let i = 0; i < 25; i++)
    await addDocument(library, { title: `Note ${i}`, content: `# Note ${i}\n\nText of note ${i}.\n` })
  stop.abort()
  await sweeping
  await indexAll(other, {})
  const records = await documentRecords(library)
  assert.equal(records.length, 25)
  for (const record of records) assert.equal(await stateOfBytes(library, record), 'whole')
})
