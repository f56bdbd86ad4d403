import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSemaphore } from './semaphore.js'

test('runs so many at once, in the order in which they came', async () => {
  const two = createSemaphore({ places: 2 })
  const [begun, ends]: [number[], (() => void)[]] = [[], []]
  const all = [0, 1, 2, 3].map((i) =>
    two.run(() => {
      begun.push(i)
      return new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  await nextTurn()
  assert.deepEqual(begun, [0, 1])
  ends[1]!()
  await nextTurn()
  assert.deepEqual(begun, [0, 1, 2])
  ends[0]!()
  ends[2]!()
  await nextTurn()
  ends[3]!()
  await Promise.all(all)
})

test('goes on after a failure, and without one that gave up waiting', async () => {
  const one = createSemaphore({ places: 1 })
  const stop = new AbortController()
  const first = one.run(async () => {
    await nextTurn()
    throw new Error('no')
  })
  const second = one.run(async () => 'never', stop.signal)
  const third = one.run(async () => 'third')
  stop.abort()
  await Promise.all([assert.rejects(first, /no/), assert.rejects(second, { name: 'AbortError' })])
  assert.equal(await third, 'third')
})
