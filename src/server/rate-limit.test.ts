import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rateLimiter } from './rate-limit.js'

test('lets exactly the limit through and names the wait', () => {
  let now = 1_000
  const limiter = rateLimiter(() => now)
  const take = () => limiter.take('read', 'me', 3)
  assert.deepEqual([take(), take(), take()], [null, null, null])
  now += 10_000
  assert.equal(take(), 50_000)
  now += 50_000
  assert.deepEqual([take(), take(), take()], [null, null, null])
  assert.equal(take(), 60_000)
})

test('counts each tool and each client by itself', () => {
  const limiter = rateLimiter(() => 0)
  assert.equal(limiter.take('a', 'x', 1), null)
  assert.equal(limiter.take('a', 'y', 1), null)
  assert.equal(limiter.take('b', 'x', 1), null)
  assert.equal(limiter.take('a', 'x', 1), 60_000)
  assert.equal(limiter.take('a', 'x', undefined), null)
})

test('no sixty seconds ever hold more than the limit, and the named wait is enough', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 80 }),
      (limit, gaps) => {
        let now = 0
        const limiter = rateLimiter(() => now)
        const accepted: number[] = []
        for (const gap of gaps) {
          now += gap
          const wait = limiter.take('t', 'c', limit)
          if (wait === null) accepted.push(now)
          else {
            now += wait
            assert.equal(limiter.take('t', 'c', limit), null)
            accepted.push(now)
          }
          assert.ok(accepted.filter((at) => now - at < 60_000).length <= limit)
        }
      },
    ),
    { seed: 4, numRuns: 200 },
  )
})

test('ten thousand strangers do not make it grow without end', () => {
  let now = 0
  const limiter = rateLimiter(() => now)
  for (let i = 0; i < 30_000; i++) {
    now += 1
    limiter.take('t', `client ${i}`, 5)
  }
  assert.equal(limiter.take('t', 'client 29999', 1), null)
})
