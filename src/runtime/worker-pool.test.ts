import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { standStill } from '../../test/support/stand-still.js'
import { type PoolWorker, workerPool } from './worker-pool.js'

/** One that answers as soon as the process comes to hear it, or never. */
function hand(answers: boolean): PoolWorker {
  let hear = (_: unknown) => {}
  return {
    postMessage: (message) => {
      const { id, task } = message as { id: number; task: string }
      if (answers) setImmediate(() => hear({ id, answer: task }))
    },
    on: (event, listener) => {
      if (event === 'message') hear = listener
    },
    ref() {},
    unref() {},
    terminate() {},
  }
}

const poolOf = (answers: boolean) =>
  workerPool<string, string>({
    start: () => hand(answers),
    size: 1,
    taskMs: 200,
    lost: ({ why }) => why,
  })

test('a task that takes too long is lost, and one that is at work when the pool closes', async () => {
  assert.equal(await poolOf(false).run('a'), 'late')
  const pool = poolOf(false)
  const running = pool.run('a')
  await pool.close()
  assert.deepEqual([await running, await pool.run('b')], ['closed', 'closed'])
})

test('while the process stands still, no time passes for a task', async (t) => {
  const pool = poolOf(true)
  t.after(() => pool.close())
  await nextTurn()
  const running = pool.run('a')
  standStill(1_500)
  assert.equal(await running, 'a')
})
