import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { referenceLeases } from '../../test/support/reference-store/records.js'
import { createLocalMutex, createMutex } from './mutex.js'

type Lock = (work: () => Promise<unknown>) => Promise<unknown>

const locks: [string, () => [Lock, Lock]][] = [
  [
    'a mutex of one process',
    () => {
      const lock = createLocalMutex()
      return [lock, lock]
    },
  ],
  [
    'a mutex of a store',
    () => {
      const mutex = createMutex(referenceLeases(() => performance.now()))
      const lock: Lock = (work) => mutex.withLock('a', work)
      return [lock, lock]
    },
  ],
  [
    'two mutexes of one store',
    () => {
      const leases = referenceLeases(() => performance.now())
      return [
        (work) => createMutex(leases).withLock('a', work),
        (work) => createMutex(leases).withLock('a', work),
      ]
    },
  ],
]

for (const [name, open] of locks)
  test(`${name} does one piece of work at a time, and goes on after a failure`, async () => {
    const [first, second] = open()
    const seen: string[] = []
    const work =
      (id: string, fails = false) =>
      async () => {
        seen.push(`${id} begins`)
        await sleep(5)
        seen.push(`${id} ends`)
        if (fails) throw new Error(id)
      }
    const [failed, done] = await Promise.allSettled([first(work('a', true)), second(work('b'))])
    assert.deepEqual([failed!.status, done!.status], ['rejected', 'fulfilled'])
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends'])
  })

test('work under different names runs at the same time, and an aborted wait does nothing', async () => {
  const { withLock } = createMutex(referenceLeases(() => performance.now()))
  let release = () => {}
  const held = withLock(
    'a',
    () =>
      new Promise<void>((resolve) => {
        release = resolve
      }),
  )
  assert.equal(await withLock('b', async () => 'b'), 'b')
  const stop = new AbortController()
  const waiting = withLock('a', async () => assert.fail(), { signal: stop.signal })
  stop.abort(new Error('enough'))
  release()
  await held
  await assert.rejects(waiting, /enough/)
})
