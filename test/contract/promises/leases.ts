import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LeaseHolder } from '../../../src/model/lease.js'
import type { PromiseThat } from '../store.js'

const [ann, ben]: [LeaseHolder, LeaseHolder] = [
  { id: 'ann', pid: 11, host: 'desk' },
  { id: 'ben', pid: 22, host: 'shelf' },
]
const long = 600_000

export function leasePromises(promise: PromiseThat): void {
  promise('gives a lease to one holder and tells the others who has it', async ({ store }) => {
    assert.equal(await store.leases.take('index', ann, long), null)
    assert.deepEqual({ ...(await store.leases.take('index', ben, long)) }, ann)
    assert.equal(await store.leases.take('other', ben, long), null)
    assert.deepEqual([await store.leases.holder('index'), await store.leases.holder('none')], [ann, null])
    assert.equal(await store.leases.take('index', ann, long), null, 'its holder renews it')
  })

  promise('gives a lease to exactly one of many who ask at once', async ({ store }) => {
    const requests = Array.from({ length: 20 }, (_, i) =>
      store.leases.take('index', { ...ann, id: `holder ${i}` }, long),
    )
    const answers = await Promise.all(requests)
    assert.equal(answers.filter((holder) => holder === null).length, 1)
    assert.equal(new Set(answers.filter(Boolean).map((holder) => holder!.id)).size, 1)
  })

  promise('a lease is free when its holder releases it, and no one else can', async ({ store }) => {
    await store.leases.take('index', ann, long)
    await store.leases.release('index', ben.id)
    await store.leases.release('other', ann.id)
    assert.deepEqual({ ...(await store.leases.take('index', ben, long)) }, ann)
    await store.leases.release('index', ann.id)
    assert.equal(await store.leases.holder('index'), null)
    assert.equal(await store.leases.take('index', ben, long), null)
  })

  promise('a lease is free when its time is over, and a renewal sets the time anew', async ({ store }) => {
    await store.leases.take('short', ann, 1)
    await store.leases.take('renewed', ann, 1)
    await store.leases.take('renewed', ann, long)
    await store.leases.take('cut', ann, long)
    await store.leases.take('cut', ann, 1)
    await sleep(30)
    assert.equal(await store.leases.holder('short'), null)
    assert.equal(await store.leases.take('short', ben, long), null)
    assert.deepEqual({ ...(await store.leases.take('renewed', ben, long)) }, ann)
    assert.equal(await store.leases.take('cut', ben, long), null)
    assert.deepEqual({ ...(await store.leases.take('short', ann, long)) }, ben, 'the old holder has lost it')
  })

  promise('takes a lease over from a holder that is gone for sure', async ({ store }) => {
    const holders: LeaseHolder[] = []
    const says = (answer: boolean) => (holder: LeaseHolder) => {
      holders.push({ ...holder })
      return answer
    }
    await store.leases.take('index', ann, long, says(true))
    assert.deepEqual(holders, [], 'nobody is asked about a free lease')
    assert.deepEqual({ ...(await store.leases.take('index', ben, long, says(false))) }, ann)
    assert.equal(await store.leases.take('index', ben, long, says(true)), null)
    assert.deepEqual(holders, [ann, ann])
    assert.deepEqual({ ...(await store.leases.take('index', ann, long)) }, ben)
  })

  promise('a lease outlives a handle', async (opened) => {
    await opened.store.leases.take('index', ann, long)
    const store = await opened.reopen()
    assert.deepEqual({ ...(await store.leases.take('index', ben, long)) }, ann)
    assert.equal(await store.leases.take('index', ann, long), null)
  })
}
