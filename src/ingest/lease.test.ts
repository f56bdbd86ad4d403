import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceLeases } from '../store/reference/records.js'
import { isFree, underLease } from './lease.js'

test('a lease that could not be given back does not keep its own process waiting', async () => {
  const leases = referenceLeases(Date.now)
  const stuck = { ...leases, release: () => Promise.reject(new Error('The disk is full.')) }
  await underLease(stuck, 'writing', {}, async () => {
    assert.equal(isFree((await leases.holder('writing'))!), false, 'it is held while the work goes on')
  })
  assert.equal(isFree((await leases.holder('writing'))!), true)
  const signal = AbortSignal.timeout(2_000)
  assert.equal(await underLease(leases, 'writing', { signal }, async () => 'done'), 'done')
})

test('a lease that this process holds keeps others of it waiting', async () => {
  const leases = referenceLeases(Date.now)
  const order: string[] = []
  const slow = underLease(leases, 'writing', {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    order.push('first')
  })
  await Promise.all([slow, underLease(leases, 'writing', {}, async () => void order.push('second'))])
  assert.deepEqual(order, ['first', 'second'])
})
