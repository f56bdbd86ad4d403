import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  mergeCounts,
  type StatisticsKeeper,
  statistics,
  summarize,
  type ToolCounts,
  timeBounds,
} from './statistics.js'

function memoryKeeper(): StatisticsKeeper & { fail: boolean } {
  const saved = new Map<string, ToolCounts>()
  return {
    fail: false,
    async load() {
      return structuredClone([...saved.values()])
    },
    async add(delta) {
      if (this.fail) throw new Error('locked')
      for (const counts of delta) {
        const known = saved.get(counts.tool)
        if (known) mergeCounts(known, counts)
        else saved.set(counts.tool, structuredClone(counts))
      }
    },
  }
}

describe('statistics', () => {
  test('count calls by their outcome', () => {
    const stats = statistics()
    stats.record('a', 'answered', 2, 100)
    stats.record('a', 'failed', 4, 50)
    stats.record('a', 'timeout', 10_000, 10)
    stats.record('a', 'rate_limited', 0, 0)
    const [a] = stats.own().map(summarize)
    assert.deepEqual(
      { calls: a?.calls, failures: a?.failures, timeouts: a?.timeouts, rateLimited: a?.rateLimited },
      { calls: 4, failures: 2, timeouts: 1, rateLimited: 1 },
    )
    assert.equal(a?.largestSize, 100)
    assert.equal(a?.averageSize, 53)
  })

  test('a quantile is never too low and at most a quarter too high', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.1, max: 50_000, noNaN: true }), { minLength: 1, maxLength: 300 }),
        (times) => {
          const stats = statistics()
          for (const ms of times) stats.record('t', 'answered', ms, 0)
          const { p95 } = summarize(stats.own()[0]!)
          const exact = [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!
          assert.ok(p95 >= exact - 0.51 && p95 <= exact * 1.25 + 0.51, `${p95} for ${exact}`)
        },
      ),
      { seed: 7, numRuns: 100 },
    )
  })

  test('two processes that share a keeper add up', async () => {
    const keeper = memoryKeeper()
    const [one, two] = [statistics({ keeper }), statistics({ keeper })]
    for (let i = 0; i < 10; i++) one.record('t', 'answered', 1, 10)
    for (let i = 0; i < 5; i++) two.record('t', 'failed', 100, 20)
    await one.flush()
    const [all] = (await two.all()).map(summarize)
    assert.equal(all?.calls, 15)
    assert.equal(all?.failures, 5)
    assert.equal(all?.largestSize, 20)
    await Promise.all([one.close(), two.close()])
  })

  test('a keeper that fails for a while loses nothing and doubles nothing', async () => {
    const keeper = memoryKeeper()
    const stats = statistics({ keeper })
    stats.record('t', 'answered', 1, 1)
    keeper.fail = true
    await assert.rejects(stats.flush())
    stats.record('t', 'answered', 1, 1)
    assert.equal((await stats.all())[0]?.calls, 2)
    keeper.fail = false
    await Promise.all([stats.flush(), stats.flush(), stats.flush()])
    assert.equal((await keeper.load())[0]?.calls, 2)
    await stats.close()
  })

  test('a call slower than the last bound counts in the last bucket', () => {
    const stats = statistics()
    stats.record('t', 'answered', 1e9, 0)
    assert.equal(stats.own()[0]?.times[timeBounds.length], 1)
  })
})
