import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revalidated } from './revalidated.js'

test('serves the last value, and makes a new one behind the answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let made = 0
  const value = revalidated(async () => ++made, { freshMs: 0 })
  assert.equal(value.known(), null)
  assert.equal(await value.fresh(), 1)
  assert.equal(value.known(), 1)
  assert.equal(value.known(), 1)
  assert.equal(made, 1, 'nothing is made while the answer is')
  t.mock.timers.tick(1_000)
  await Promise.resolve()
  assert.equal(made, 2, 'however often it was asked')
  assert.equal(value.known(), 2)
})

test('serves nothing that is too old', async () => {
  const value = revalidated(async () => 1, { freshMs: 0, staleMs: 0 })
  await value.fresh()
  assert.equal(value.known(), null)
})

test('shares one making, and forgets one that failed', async () => {
  let made = 0
  const value = revalidated(
    async () => {
      if (++made === 1) throw new Error('no')
      return made
    },
    { freshMs: 60_000 },
  )
  await assert.rejects(value.fresh())
  assert.deepEqual(await Promise.all([value.fresh(), value.fresh()]), [2, 2])
})
