import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createPool, type Pool } from './pool.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-pool-'))
const opened: Pool<string, string>[] = []
after(async () => {
  await Promise.all(opened.map((pool) => pool.close()))
  rmSync(folder, { recursive: true })
})

// A worker whose tasks say what it should do. Every start leaves a line in a file, which numbers the workers.
const entry = pathToFileURL(join(folder, 'worker.mjs'))
writeFileSync(
  entry,
  `
import { appendFileSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '${new URL('./serve.js', import.meta.url)}'
import { Problem } from '${new URL('../../model/problem.js', import.meta.url)}'
serve(async ({ load, starts }) => {
  appendFileSync(starts, '.')
  const number = readFileSync(starts).length
  if (load === 'problem') throw new Problem('embedder_weights', 'The weights are gone.', 'Install again.')
  if (load === 'die') process.exit(3)
  if (load === 'second fails' && number > 1) throw new Problem('embedder_weights', 'No room for another.')
  return {
    about: { number },
    async perform(task) {
      if (task === 'die' || (task === 'die once' && number === 1)) process.kill(process.pid, 'SIGKILL')
      if (task === 'throw') setTimeout(() => { throw new Error('out of the blue') })
      if (task === 'when') return String(Date.now())
      if (task === 'pid') return String(process.pid)
      if (task === 'priority') return String(getPriority())
      if (task === 'refuse') throw new Problem('embedder_answer', 'Not this one.')
      await sleep(task.startsWith('slow') || task === 'throw' ? 30 : 1)
      return task + ' by ' + number
    },
  }
})`,
)

let count = 0

function open(
  options: {
    load?: string
    workers?: number
    retryLoadAfter?: number
    ahead?: number
    niceness?: number
  } = {},
) {
  const starts = join(folder, `starts-${count++}`)
  const { load, workers = 1, ...rest } = options
  const pool = createPool<string, string>({ entry, data: { load, starts }, workers, ...rest })
  opened.push(pool)
  return { pool, started: () => (existsSync(starts) ? readFileSync(starts).length : 0) }
}

const slow = (count: number) => Array.from({ length: count }, (_, i) => `slow ${i}`)

describe('work', () => {
  test('finds the worker there that was asked for before', async () => {
    const { pool, started } = open()
    pool.load()
    pool.load()
    assert.deepEqual(await pool.run(['one']), ['one by 1'])
    assert.equal(started(), 1)
  })

  test('gives way to others from the first task on that is not urgent', async () => {
    const { pool } = open({ niceness: 19 })
    const own = getPriority()
    assert.deepEqual(await pool.run(['priority'], { urgent: true }), [String(own)])
    assert.deepEqual(await pool.run(['priority']), ['19'])
    assert.deepEqual(await pool.run(['priority'], { urgent: true }), ['19'])
  })

  test('starts nothing before it is needed, nor for an empty request', async () => {
    const { pool, started } = open()
    assert.deepEqual(await pool.run([]), [])
    assert.equal(started(), 0)
    assert.equal(pool.about(), undefined)
    assert.deepEqual(await pool.run(['a', 'b']), ['a by 1', 'b by 1'])
    assert.deepEqual(pool.about(), { number: 1 })
  })

  test('several of them share one request and keep its order', async () => {
    const { pool } = open({ workers: 2 })
    const names = new Set<string>()
    // The second worker starts while the first is at work, which takes as long as the machine likes.
    for (let round = 0; round < 50 && names.size < 2; round++) {
      const results = (await pool.run(slow(12))).map((result) => result.split(' by ') as [string, string])
      assert.deepEqual(
        results.map(([task]) => task),
        slow(12),
      )
      for (const [, name] of results) names.add(name)
    }
    assert.deepEqual([...names].sort(), ['1', '2'])
  })

  test('an urgent request goes ahead of waiting ones', async () => {
    const { pool } = open()
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    await Promise.all([
      pool.run(slow(5)).then(note('first')),
      pool.run(slow(5)).then(note('second')),
      pool.run(['query'], { urgent: true }).then(note('urgent')),
    ])
    assert.deepEqual(order, ['urgent', 'first', 'second'])
  })

  test('each result is reported as it comes, and none after the request was given up', async () => {
    const { pool } = open({ ahead: 2 })
    const reported: string[] = []
    const onResult = (index: number, result: string) => void reported.push(`${index}: ${result}`)
    await pool.run(['a', 'b', 'c'], { urgent: true, onResult })
    assert.deepEqual(reported, ['0: a by 1', '1: b by 1', '2: c by 1'])
    const gone = new AbortController()
    const waiting = pool.run(slow(4), { urgent: true, signal: gone.signal, onResult })
    gone.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    await pool.run(slow(1))
    assert.equal(reported.length, 3)
  })

  test('urgent tasks wait at a worker that is at one, and go on while the owner is busy', async () => {
    const { pool } = open({ ahead: 3 })
    await pool.run(['load'])
    const work = pool.run(['when', 'when', 'when', 'when'], { urgent: true })
    const busyUntil = Date.now() + 400
    while (Date.now() < busyUntil);
    assert.ok((await work).every((when) => Number(when) < busyUntil))
  })

  test('urgent tasks do not wait at a worker that is at a long one', async () => {
    const { pool } = open({ ahead: 3 })
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    await Promise.all([
      pool.run(slow(2)).then(note('first')),
      pool.run(['a', 'b', 'c', 'd', 'e', 'f'], { urgent: true }).then(note('urgent')),
    ])
    assert.deepEqual(order, ['urgent', 'first'])
  })
})

describe('giving up', () => {
  test('a request that was given up leaves the queue at once', async () => {
    const { pool } = open()
    const gone = new AbortController()
    const waiting = pool.run(slow(500), { signal: gone.signal })
    const other = pool.run(['other'])
    gone.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    assert.deepEqual(await other, ['other by 1'])
  })

  test('a signal that was already given stops everything', async () => {
    const { pool, started } = open()
    await assert.rejects(pool.run(['a'], { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.equal(started(), 0)
  })

  test('closing fails waiting requests and refuses new ones', async () => {
    const { pool } = open()
    const waiting = pool.run(slow(3))
    const failed = assert.rejects(waiting, { name: 'Problem', code: 'embedder_closed' })
    await pool.close()
    await failed
    await assert.rejects(pool.run(['a']), { code: 'embedder_closed' })
    await pool.close()
  })
})

describe('failures', () => {
  test('a task that fails takes its own request with it and no other', async () => {
    const { pool } = open()
    const [bad, good] = await Promise.allSettled([pool.run(['refuse', 'x']), pool.run(['a'])])
    assert.equal(bad.status === 'rejected' && bad.reason.code, 'embedder_answer')
    assert.deepEqual(good.status === 'fulfilled' && good.value, ['a by 1'])
  })

  test('a worker that dies is replaced and its task tried once more', async () => {
    const { pool } = open()
    assert.deepEqual(await pool.run(['a', 'die once', 'b']), ['a by 1', 'die once by 2', 'b by 2'])
  })

  test('tasks that waited at a worker when it died are done by the next', async () => {
    const { pool, started } = open({ ahead: 3 })
    const all = ['a', 'die once', 'b', 'c', 'd', 'e']
    const expected = ['a by 1', 'die once by 2', 'b by 2', 'c by 2', 'd by 2', 'e by 2']
    assert.deepEqual(await pool.run(all, { urgent: true }), expected)
    assert.equal(started(), 2)
  })

  test('a task that kills two workers does no harm to those that wait behind it', async () => {
    const { pool } = open({ ahead: 3 })
    await pool.run(['load'])
    const [bad, ...good] = await Promise.allSettled(
      ['die', 'a', 'b'].map((task) => pool.run([task], { urgent: true })),
    )
    assert.equal(bad!.status === 'rejected' && bad!.reason.code, 'embedder_died')
    assert.deepEqual(
      good.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    )
  })

  test('a task that kills two workers fails alone', async () => {
    const { pool, started } = open()
    const [bad, good] = await Promise.allSettled([pool.run(['die']), pool.run(['a'])])
    assert.equal(bad.status === 'rejected' && bad.reason.code, 'embedder_died')
    assert.equal(good.status, 'fulfilled')
    assert.equal(started(), 3)
  })

  test('the error names the reason of a death', async () => {
    const { pool } = open()
    await assert.rejects(pool.run(['throw']), { code: 'embedder_died', message: /out of the blue/ })
  })

  test('a model that cannot be loaded fails every request, and is not tried again at once', async () => {
    const { pool, started } = open({ load: 'problem', retryLoadAfter: 600 })
    const problem = { name: 'Problem', code: 'embedder_weights', hint: 'Install again.' }
    await Promise.all([assert.rejects(pool.run(['a']), problem), assert.rejects(pool.run(['b']), problem)])
    await assert.rejects(pool.run(['c']), problem)
    assert.equal(started(), 1)
    await new Promise((resolve) => setTimeout(resolve, 650))
    await assert.rejects(pool.run(['d']), problem)
    assert.equal(started(), 2)
  })

  test('a worker that dies while loading has another error than a slow one', async () => {
    await assert.rejects(open({ load: 'die' }).pool.run(['a']), { code: 'embedder_died', message: /loaded/ })
  })

  test('a second thread that cannot start leaves the work to the first', async () => {
    const { pool, started } = open({ load: 'second fails', workers: 2 })
    for (let round = 0; round < 50 && started() < 2; round++) {
      const results = await pool.run(slow(8))
      assert.ok(results.every((result) => result.endsWith('by 1')))
    }
    assert.equal(started(), 2)
    assert.deepEqual(await pool.run(['more']), ['more by 1'])
  })
})

describe('the owner', () => {
  const program = (ending: string) => `
import { createPool } from '${new URL('./pool.js', import.meta.url)}'
const data = { starts: '${join(folder, 'owner')}' }
const pool = createPool({ entry: new URL('${entry}'), data, workers: 1 })
${ending}`

  test('can end while its workers idle, and not while they work', () => {
    const code = program("pool.run(['slow one']).then(([answer]) => console.log(answer.slice(0, 8)))")
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    })
    assert.deepEqual([stdout.trim(), status], ['slow one', 0])
  })

  test('closes whatever a worker still says', () => {
    const code = program(`await pool.run(['warm'])
const stop = new AbortController()
const given = pool.run(['slow one', 'another'], { signal: stop.signal }).catch(() => {})
await new Promise((resolve) => setTimeout(resolve, 20))
stop.abort()
await given
// Its answer is in the pipe by then.
for (const since = Date.now(); Date.now() - since < 200; );
await pool.close()
console.log('closed')`)
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    })
    assert.deepEqual([stdout.trim(), status], ['closed', 0])
  })

  test('takes its workers with it when it is killed', async () => {
    const code = program("pool.run(['pid']).then(([pid]) => console.log(pid)); setInterval(() => {}, 1000)")
    const owner = spawn(process.execPath, ['--input-type=module', '-e', code])
    const [pid] = await once(owner.stdout, 'data')
    owner.kill('SIGKILL')
    const gone = () => {
      try {
        return !process.kill(Number(pid), 0)
      } catch {
        return true
      }
    }
    for (let i = 0; i < 100 && !gone(); i++) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.ok(gone())
  })
})
