import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from './timeout.js'

test('gives the result of work that ends in time, and its error', async () => {
  assert.equal(await withTimeout(1_000, 'late', async () => 'done'), 'done')
  assert.equal(await withTimeout(Number.POSITIVE_INFINITY, 'late', () => sleep(5, 'done')), 'done')
  await assert.rejects(
    withTimeout(1_000, 'late', () => Promise.reject(new Error('no'))),
    /no/,
  )
})

test('gives the late value when time is up, and aborts the work, whose error is then ignored', async () => {
  let stopped: AbortSignal | undefined
  const work = async (signal: AbortSignal) => {
    stopped = signal
    await sleep(10_000, undefined, { signal })
  }
  assert.equal(await withTimeout(5, 'late', work), 'late')
  assert.equal(stopped?.aborted, true)
  assert.equal(await withTimeout(-1, 'late', () => new Promise(() => {})), 'late')
})
