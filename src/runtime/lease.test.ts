import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { referenceLeases } from '../../test/support/reference-store/records.js'
import { isFree, underLease } from './lease.js'
import { thisHost } from './process-identity.js'

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

test('a process that takes a lease again and again lets waiting processes in', async () => {
  const leases = referenceLeases(Date.now)
  let turns = 0
  let waiting = true
  const busy = (async () => {
    while (waiting && turns < 100) {
      await underLease(leases, 'writing', {}, () => sleep(10))
      turns++
    }
  })()
  await sleep(5)
  await underLease(leases, 'writing', {}, async () => {
    waiting = false
  })
  await busy
  assert.ok(turns <= 3, `${turns} turns came first`)
  assert.equal(await leases.holder('writing, next'), null, 'nobody is next any more')
})

test('a waiting process that died or is suspended does not block a lease', async () => {
  let now = 0
  const leases = referenceLeases(() => now)
  const { pid } = spawnSync(process.execPath, ['--version'])
  await leases.take('writing, next', { id: 'dead', pid, host: thisHost() }, 60_000)
  assert.equal(await underLease(leases, 'writing', {}, async () => 'past the dead'), 'past the dead')
  await leases.take('writing, next', { id: 'still', pid: process.pid, host: thisHost() }, 2_000, () => true)
  const patient = underLease(leases, 'writing', {}, async () => now)
  await sleep(60)
  now = 2_000
  assert.equal(await patient, 2_000)
})

test('a process that stops waiting loses its place in the queue', async () => {
  const leases = referenceLeases(Date.now)
  await underLease(leases, 'writing', {}, async () => {
    const signal = AbortSignal.timeout(40)
    await assert.rejects(underLease(leases, 'writing', { signal }, async () => {}))
    assert.equal(await leases.holder('writing, next'), null)
  })
})

test('one in a sandbox, where this process cannot be seen, does not take it for dead', async (t) => {
  const apart = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', process.execPath]
  if (spawnSync('unshare', [...apart, '--version']).status !== 0) return t.skip('no sandbox can be made here')
  const leases = referenceLeases(Date.now)
  await underLease(leases, 'writing', {}, async () => {
    const module = JSON.stringify(new URL('process-identity.js', import.meta.url))
    const holder = JSON.stringify(await leases.holder('writing'))
    const ask = `const { isGone } = await import(${module}); console.log(isGone(${holder}))`
    const child = spawnSync('unshare', [...apart, '--input-type=module', '-e', ask], { encoding: 'utf8' })
    assert.equal(child.stdout.trim(), 'false', child.stderr)
  })
})
