import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sharedScans } from './shared-scan.js'

/** Scans that find their own queries, and nothing useful where one of them is "common". They last a turn. */
function recorded() {
  const runs: string[] = []
  const signals: AbortSignal[] = []
  const scans = sharedScans<string, string>(async (queries, signal) => {
    runs.push(queries.join(' '))
    signals.push(signal)
    await nextTurn()
    if (queries.includes('broken')) throw new Error('no such pattern')
    return queries.includes('common') ? null : queries.join(' ')
  })
  return { runs, signals, join: (query: string, key = 'folder') => scans.join(key, query) }
}

test('searches that wait together share one scan', async () => {
  const { runs, join } = recorded()
  const searches = ['a', 'b', 'c'].map((query) => join(query))
  const found = await Promise.all(searches.map((search) => search.found()))
  assert.deepEqual(runs, ['a b c'])
  assert.deepEqual(found, ['a b c', 'a b c', 'a b c'])
})

test('a search that comes while a scan runs waits for the next one', async () => {
  const { runs, join } = recorded()
  const [a, b] = [join('a'), join('b')]
  const first = a.found()
  const [c, d] = [join('c'), join('d')]
  assert.deepEqual(
    [await first, await b.found(), await c.found(), await d.found()],
    [...['a b', 'a b'], ...['c d', 'c d']],
  )
  assert.deepEqual(runs, ['a b', 'c d'])
})

test('a search alone, in its folder or at its time, scans by itself', async () => {
  const { runs, join } = recorded()
  const [a, b] = [join('a', 'one'), join('b', 'other')]
  assert.deepEqual([await a.found(), await b.found()], [null, null])
  assert.deepEqual(runs, [])
})

test('one common pattern does not spoil the scan of the others', async () => {
  const { runs, join } = recorded()
  const searches = ['a', 'common', 'c', 'd'].map((query) => join(query))
  const found = await Promise.all(searches.map((search) => search.found()))
  assert.deepEqual(found, [null, null, 'c d', 'c d'])
  assert.deepEqual(runs, ['a common c d', 'a common', 'c d'])
})

test('when a scan fails, each search scans by itself', async () => {
  const { runs, join } = recorded()
  const searches = ['a', 'broken', 'c'].map((query) => join(query))
  const found = await Promise.all(searches.map((search) => search.found()))
  assert.deepEqual([found, runs], [[null, null, null], ['a broken c']])
})

test('a search that left is not scanned for, and a scan that all have left is aborted', async () => {
  const { runs, signals, join } = recorded()
  const [a, b, c] = [join('a'), join('b'), join('c')]
  b.leave()
  const found = [a.found(), c.found()]
  a.leave()
  assert.equal(signals[0]!.aborted, false)
  c.leave()
  assert.equal(signals[0]!.aborted, true)
  await Promise.all(found)
  assert.deepEqual(runs, ['a c'])
})

test('a scan is for fifty searches at most', async () => {
  const { runs, join } = recorded()
  const searches = Array.from({ length: 120 }, (_, i) => join(`q${i}`))
  await Promise.all(searches.map((search) => search.found()))
  assert.deepEqual(
    runs.map((queries) => queries.split(' ').length),
    [50, 50, 20],
  )
})
