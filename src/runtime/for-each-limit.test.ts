import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { forEachLimit, mapLimit } from './for-each-limit.js'

test('works at so many items at a time and gives the results in order', async () => {
  let running = 0
  let most = 0
  const work = async (n: number) => {
    most = Math.max(most, ++running)
    await sleep(5 - n)
    running--
    return n * 2
  }
  assert.deepEqual(await mapLimit([0, 1, 2, 3, 4], work, 2), [0, 2, 4, 6, 8])
  assert.equal(most, 2)
  assert.deepEqual(await mapLimit([], work, 2), [])
})

test('rejects with the first failure and begins no further item', async () => {
  const begun: number[] = []
  const work = async (n: number) => {
    begun.push(n)
    if (n === 1) throw new Error('no')
    await sleep(5)
  }
  await assert.rejects(forEachLimit([0, 1, 2, 3], work, 2), /no/)
  await sleep(20)
  assert.deepEqual(begun, [0, 1])
})
