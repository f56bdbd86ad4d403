import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { standStill } from '../../test/support/stand-still.js'
import { type PoolOptions, type PoolWorker, type WorkerMessage, workerPool } from './worker-pool.js'

interface FakeWorker extends PoolWorker {
  say(message: WorkerMessage<string>): void
  crash(): void
  readonly received: { id: number; task: unknown }[]
  ended: boolean
}

/** A worker that answers with its task on the next turn of the event loop, or only when the test makes it. */
function fakeWorker(answers: boolean): FakeWorker {
  const events = new EventEmitter()
  const received: { id: number; task: unknown }[] = []
  return {
    received,
    ended: false,
    say: (message) => events.emit('message', message),
    crash: () => events.emit('exit'),
    postMessage({ id, task }) {
      received.push({ id, task })
      if (answers) setImmediate(() => events.emit('message', { id, answer: task }))
    },
    on: (event, listener) => events.on(event, listener),
    ref() {},
    unref() {},
    terminate() {
      this.ended = true
    },
  }
}

function poolOf(answers: boolean, options: Partial<PoolOptions<string>> = {}) {
  const workers: FakeWorker[] = []
  const pool = workerPool<string, string>({
    start() {
      const worker = fakeWorker(answers)
      workers.push(worker)
      return worker
    },
    size: 1,
    taskMs: 200,
    lost: ({ why, started }) => (started ? why : `${why} at its start`),
    ...options,
  })
  return { ...pool, workers }
}

test('a task that takes too long is lost, and one that is at work when the pool closes', async () => {
  assert.equal(await poolOf(false).run('a'), 'late')
  const pool = poolOf(false)
  const running = pool.run('a')
  await pool.close()
  assert.deepEqual([await running, await pool.run('b')], ['closed', 'closed'])
})

test('while the process is suspended, no time passes for a task', async (t) => {
  const pool = poolOf(true)
  t.after(() => pool.close())
  await nextTurn()
  const running = pool.run('a')
  standStill(1_500)
  assert.equal(await running, 'a')
})

test('a worker that crashes costs the task at work; those sent ahead go to another', async (t) => {
  const pool = poolOf(false, { prefetch: 2, taskMs: 10_000 })
  t.after(() => pool.close())
  const running = [pool.run('a'), pool.run('b'), pool.run('c')]
  assert.deepEqual(
    pool.workers[0]!.received.map(({ task }) => task),
    ['a', 'b'],
  )
  pool.workers[0]!.crash()
  const [first, second] = pool.workers
  assert.deepEqual(
    second!.received.map(({ task }) => task),
    ['b', 'c'],
  )
  first!.say({ id: 1, answer: 'from the dead' })
  for (const { id } of second!.received) second!.say({ id, answer: `${id}` })
  assert.deepEqual(await Promise.all(running), ['broken', '1', '2'])
})

test('an aborted task leaves the queue; at work, it ends its worker and the next gets a new one', async (t) => {
  const pool = poolOf(false, { taskMs: 10_000 })
  t.after(() => pool.close())
  const [first, second] = [new AbortController(), new AbortController()]
  const atWork = pool.run('a', { signal: first.signal })
  const queued = pool.run('b', { signal: second.signal })
  const last = pool.run('c')
  second.abort(new Error('second'))
  await assert.rejects(queued, /second/)
  assert.equal(pool.workers[0]!.ended, false)
  first.abort(new Error('first'))
  await assert.rejects(atWork, /first/)
  assert.equal(pool.workers[0]!.ended, true)
  const [{ id, task }] = pool.workers[1]!.received as [{ id: number; task: string }]
  pool.workers[1]!.say({ id, answer: task })
  assert.equal(await last, 'c')
  await assert.rejects(pool.run('d', { signal: first.signal }), /first/)
})

test('a worker is ended after its last answer, and tasks that were sent ahead go to another', async (t) => {
  const pool = poolOf(false, { prefetch: 2, taskMs: 10_000 })
  t.after(() => pool.close())
  const running = [pool.run('a'), pool.run('b')]
  pool.workers[0]!.say({ id: 0, answer: 'a', last: true })
  assert.equal(pool.workers[0]!.ended, true)
  pool.workers[1]!.say({ id: 1, answer: 'b' })
  assert.deepEqual(await Promise.all(running), ['a', 'b'])
})

test('the time for a task runs from when its worker is ready, and a worker may be too slow to start', async (t) => {
  assert.equal(await poolOf(false, { startMs: 50 }).run('a'), 'late at its start')
  const pool = poolOf(false, { startMs: 60_000, taskMs: 50 })
  t.after(() => pool.close())
  const running = pool.run('a')
  pool.workers[0]!.say('ready')
  assert.equal(await running, 'late')
})

test('a pool whose `lost` throws rejects', async () => {
  const lost = () => {
    throw new Error('lost')
  }
  await assert.rejects(poolOf(false, { lost, taskMs: 20 }).run('a'), /lost/)
})
