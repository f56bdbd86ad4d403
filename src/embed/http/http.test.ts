import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressBelow, embeddingService } from './address.js'
import { type Clock, realClock } from './clock.js'
import { createRateLimit } from './rate-limit.js'
import { backOff, retryDelay } from './retry.js'
import { createBreaker } from './service.js'

/** Time passes only when someone sleeps. */
function testClock(): Clock & { slept: number[]; pass(milliseconds: number): void } {
  let now = 1000
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    random: () => 0.5,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      slept.push(milliseconds)
      now += milliseconds
    },
    pass(milliseconds) {
      now += milliseconds
    },
  }
}

describe('delays', () => {
  test('grow, vary and stay below half a minute', () => {
    const delays = (random: number) => [1, 2, 3, 20].map((attempt) => backOff(attempt, () => random))
    assert.deepEqual(delays(0), [250, 500, 1000, 15_000])
    assert.deepEqual(delays(1), [500, 1000, 2000, 30_000])
  })

  test('are read from whatever the service says', () => {
    const today = Date.parse('2026-01-01T00:00:00Z')
    const delay = (headers: Record<string, string>) => retryDelay(headers, today)
    assert.equal(delay({ 'retry-after': '2' }), 2000)
    assert.equal(delay({ 'retry-after': '0.5' }), 500)
    assert.equal(delay({ 'retry-after-ms': '30', 'retry-after': '9' }), 30)
    assert.equal(delay({ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }), 7000)
    assert.equal(delay({ 'retry-after': 'Thu, 01 Jan 1970 00:00:07 GMT' }), 0)
    for (const nonsense of ['', 'soon', '-5', 'NaN']) assert.equal(delay({ 'retry-after': nonsense }), null)
    assert.equal(delay({}), null)
  })

  test('end early when the request is given up', async () => {
    const gone = new AbortController()
    const sleeping = realClock.sleep(60_000, gone.signal)
    gone.abort(new Error('enough'))
    await assert.rejects(sleeping, { message: 'enough' })
  })
})

describe('the breaker', () => {
  const down = new Error('down')

  test('opens after failures in a row, lets one try after a rest, and rests longer each time', () => {
    const clock = testClock()
    const breaker = createBreaker(clock, { tolerated: 3, rest: 100, longestRest: 300 })
    for (let i = 0; i < 2; i++) breaker.failed(down)
    assert.equal(breaker.refusal(), null)
    breaker.failed(down)
    assert.deepEqual(breaker.refusal(), { error: down, milliseconds: 100 })
    for (const rest of [200, 300, 300]) {
      clock.pass(breaker.refusal()!.milliseconds)
      assert.equal(breaker.refusal(), null, 'one may try')
      assert.ok(breaker.refusal(), 'only one')
      breaker.failed(down)
      assert.equal(breaker.refusal()!.milliseconds, rest)
    }
    clock.pass(300)
    assert.equal(breaker.refusal(), null)
    breaker.succeeded()
    breaker.failed(down)
    assert.equal(breaker.refusal(), null)
  })

  test('a success in between starts the count anew', () => {
    const breaker = createBreaker(testClock(), { tolerated: 2 })
    breaker.failed(down)
    breaker.succeeded()
    breaker.failed(down)
    assert.equal(breaker.refusal(), null)
  })

  test('late failures do not lengthen the rest, and a trial that was given up makes room for another', () => {
    const clock = testClock()
    const breaker = createBreaker(clock, { tolerated: 1, rest: 100 })
    breaker.failed(down)
    breaker.failed(down)
    assert.equal(breaker.refusal()!.milliseconds, 100)
    clock.pass(100)
    assert.equal(breaker.refusal(), null)
    clock.pass(100)
    assert.equal(breaker.refusal(), null)
  })
})

describe('the rate limit', () => {
  const wish = { urgent: false, patience: 60_000 }

  test('does nothing when there is none', async () => {
    const clock = testClock()
    const limit = createRateLimit(clock, {})
    for (let i = 0; i < 1000; i++) assert.equal(await limit.take(wish), 0)
    assert.deepEqual(clock.slept, [])
  })

  test('spreads requests beyond the first minute’s worth', async () => {
    const clock = testClock()
    const limit = createRateLimit(clock, { requestsPerMinute: 60 })
    for (let i = 0; i < 62; i++) await limit.take(wish)
    assert.deepEqual(clock.slept, [1000, 1000])
  })

  test('says how long it would take when that is too long', async () => {
    const clock = testClock()
    const limit = createRateLimit(clock, {})
    limit.pause(5000)
    assert.equal(await limit.take({ ...wish, patience: 2000 }), 5000)
    assert.deepEqual(clock.slept, [])
    assert.equal(await limit.take(wish), 0)
    assert.deepEqual(clock.slept, [5000])
  })

  test('lets urgent requests go first', async () => {
    const limit = createRateLimit(realClock, { requestsPerMinute: 6000 })
    limit.pause(20)
    const order: string[] = []
    await Promise.all([
      limit.take(wish).then(() => order.push('first come')),
      limit.take({ ...wish, urgent: true }).then(() => order.push('urgent')),
    ])
    assert.deepEqual(order, ['urgent', 'first come'])
  })
})

describe('addresses', () => {
  const below = (base: string) => addressBelow(embeddingService, base, 'embeddings').href

  test('are built below the base, however it is written', () => {
    assert.equal(below('http://localhost:11434/v1'), 'http://localhost:11434/v1/embeddings')
    assert.equal(below('http://localhost:11434/v1/'), 'http://localhost:11434/v1/embeddings')
    assert.equal(below('http://localhost:11434'), 'http://localhost:11434/embeddings')
    assert.equal(below('https://x.test/v1/embeddings'), 'https://x.test/v1/embeddings')
    assert.equal(below('https://x.test/v1?version=2'), 'https://x.test/v1/embeddings?version=2')
  })

  test('that are invalid or contain a password are refused, and the message does not repeat them', () => {
    for (const base of ['', 'localhost:11434', 'ftp://x.test', 'http://me:sesame@x.test/v1'])
      assert.throws(
        () => below(base),
        (error: Error & { code: string }) =>
          error.code === 'embedder_url' && !error.message.includes('sesame'),
      )
  })
})
