import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixtureToolsets, type Shelf, shelf } from '../../test/surfaces/fixture.js'
import { Problem } from '../model/problem.js'
import { errorShapes } from './error-shapes.js'
import { type Caller, type ExecutorOptions, executor } from './executor.js'
import type { Failure } from './failure.js'
import type { Log } from './log.js'
import { registry } from './registry.js'

function setUp(options: ExecutorOptions = {}, services: Shelf = shelf()) {
  const run = executor({ checkOutput: true, ...options })
  const tools = registry(fixtureToolsets, services)
  const call = (name: string, args: unknown = {}, caller: Partial<Caller> = {}) =>
    run.call(tools.tool(name), services, args, { client: { id: 'test' }, ...caller })
  return { run, call, services }
}

describe('a call', () => {
  test('gives the view of the result, as a value and as text', async () => {
    const { call } = setUp()
    assert.deepEqual(await call('read_note', { name: 'welcome' }), {
      value: { name: 'welcome', text: 'Welcome to the shelf.', length: 21 },
      text: '{"name":"welcome","text":"Welcome to the shelf.","length":21}',
      isError: false,
    })
    assert.equal((await call('read_note', { name: 'x' })).text, 'Note "x" not found.')
  })

  test('with wrong arguments is answered in the shape of its toolset', async () => {
    const { call } = setUp()
    const sentence = await call('read_note', { nam: 'x' })
    assert.equal(sentence.isError, true)
    assert.match(sentence.text, /^name: expected text.*nam is not an argument; did you mean "name"\?/)
    const graph = await call('write_note', { name: 'a b', text: '' })
    assert.deepEqual((graph.value as { error: { code: string } }).error.code, 'INVALID_PARAMS')
  })

  test('that cannot be met gives the problem with its hint', async () => {
    const { call } = setUp()
    const answer = await call('write_note', { name: 'locked', text: 'x' })
    assert.deepEqual(answer.value, {
      error: { code: 'NODE_EXISTS', message: 'The note "locked" cannot be replaced. Use another name.' },
    })
  })

  test('that hits a bug is logged whole and answered plainly', async () => {
    const lines: object[] = []
    const log: Log = { debug() {}, info() {}, warn() {}, error: (facts) => lines.push(facts) }
    const services = { ...shelf(), failing: true }
    const { call } = setUp({ log }, services)
    const answer = await call('fetch_note', { url: 'https://example.org/' })
    assert.equal(answer.isError, true)
    assert.ok(!/secret insides|ECONNREFUSED|at /.test(answer.text), answer.text)
    assert.match(String((lines[0] as { err: Error }).err.stack), /secret insides/)
  })
})

describe('the time limit', () => {
  test('stops the work, not only the waiting', async () => {
    const { call, services } = setUp({ mostTimeMs: 40 })
    const answer = await call('wait', { ms: 5_000, label: 'slow' })
    assert.equal(answer.failure?.kind, 'timeout')
    await sleep(5)
    assert.deepEqual(services.stopped, ['slow'])
  })

  test('does not stop work that has committed itself, nor does cancelling', async () => {
    const { run } = setUp()
    const job = { name: 'rename', effect: 'write', timeMs: 20 } as const
    const cancel = new AbortController()
    const caller = { client: { id: 'test' }, signal: cancel.signal }
    const outcome = await run.run(job, caller, async ({ commit, signal }) => {
      commit()
      cancel.abort()
      await sleep(60)
      return { stopped: signal.aborted }
    })
    assert.deepEqual(outcome, { stopped: false })
  })

  test('keeps work that was stopped from committing itself', async () => {
    const { run } = setUp()
    const job = { name: 'rename', effect: 'write', timeMs: 20 } as const
    let tried: Promise<void> | undefined
    const running = run.run(job, { client: { id: 'test' } }, ({ commit }) => {
      tried = sleep(60).then(commit)
      return tried
    })
    await assert.rejects(running, /stopped after 0.02 s/)
    await assert.rejects(tried!, /stopped after 0.02 s/)
  })

  test('says of work that never got its turn that it waited', async () => {
    const { run } = setUp()
    const job = { name: 'rename', effect: 'write', timeMs: 20 } as const
    const waiting = run.run(job, { client: { id: 'test' } }, async ({ inLine, signal }) => {
      inLine(true)
      await sleep(5_000, undefined, { signal })
    })
    await assert.rejects(waiting, /waited 0.02 s for other changes .* Nothing was changed/)
    const begun = run.run(job, { client: { id: 'test' } }, async ({ inLine, signal }) => {
      inLine(true)
      inLine(false)
      await sleep(5_000, undefined, { signal })
    })
    await assert.rejects(begun, /stopped after 0.02 s/)
  })

  test('is the tool’s own limit or the maximum, whichever is smaller', async () => {
    const { call } = setUp({ timeMs: 20 })
    assert.deepEqual((await call('wait', { ms: 60 })).value, { waited: 60 }, 'the tool asks for 2 s')
  })
})

test('cancelling reaches the work, running or waiting in line', async () => {
  const { call, services, run } = setUp({ places: 1 })
  const [first, second] = [new AbortController(), new AbortController()]
  const running = call('wait', { ms: 5_000, label: 'first' }, { signal: first.signal })
  const waiting = call('wait', { ms: 5_000, label: 'second' }, { signal: second.signal })
  await sleep(5)
  assert.deepEqual(run.load(), { running: 1, waiting: 1 })
  second.abort()
  assert.equal((await waiting).failure?.kind, 'cancelled')
  first.abort()
  assert.equal((await running).failure?.kind, 'cancelled')
  await sleep(5)
  assert.deepEqual(services.stopped, ['first'])
  assert.deepEqual(run.load(), { running: 0, waiting: 0 })
})

test('no more run at once than there are places, and everybody gets a turn', async () => {
  const { call, run } = setUp({ places: 3 })
  let most = 0
  const progress = () => {
    most = Math.max(most, run.load().running)
  }
  const answers = await Promise.all(Array.from({ length: 30 }, () => call('wait', { ms: 4 }, { progress })))
  assert.ok(answers.every((answer) => !answer.isError))
  assert.equal(most, 3)
})

test('changes that wait for one another do not block reading', async () => {
  const { run } = setUp({ places: 2 })
  const turn = new AbortController()
  const caller = { client: { id: 'test' } }
  const changes = Array.from({ length: 5 }, () =>
    run.run({ name: 'change', effect: 'write' }, caller, () =>
      sleep(5_000, undefined, { signal: turn.signal }).catch(() => 'changed'),
    ),
  )
  assert.equal(await run.run({ name: 'read', effect: 'read', timeMs: 500 }, caller, () => 'read'), 'read')
  assert.equal(run.load().waiting, 3)
  turn.abort()
  assert.deepEqual(await Promise.all(changes), Array(5).fill('changed'))
})

test('a line that is full turns callers away at once', async () => {
  const { call } = setUp({ places: 1, line: 2 })
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('wait', { ms: 10 })))
  assert.deepEqual(
    answers.map((answer) => answer.failure?.kind ?? 'ok'),
    ['ok', 'ok', 'ok', 'busy', 'busy'],
  )
})

describe('rate limits', () => {
  test('are exact under parallel calls and count each client by itself', async () => {
    const { call } = setUp({ rates: { list_notes: 10 } })
    const one = await Promise.all(Array.from({ length: 25 }, () => call('list_notes')))
    assert.equal(one.filter((answer) => !answer.isError).length, 10)
    assert.equal((await call('list_notes', {}, { client: { id: 'other' } })).isError, false)
  })

  test('name the wait', async () => {
    const { call } = setUp({ rates: { list_notes: 1 }, now: () => 5_000 })
    await call('list_notes')
    const { text, failure } = await call('list_notes')
    assert.equal(
      text,
      'Rate limit exceeded for list_notes: 1 calls a minute. Wait 60 s before calling it again.',
    )
    assert.equal(failure?.retryAfterMs, 60_000)
  })

  test('do not count calls with invalid arguments', async () => {
    const { call } = setUp({ rates: { list_notes: 1 } })
    await call('list_notes', { limit: 'many' })
    assert.equal((await call('list_notes')).isError, false)
  })

  test('can be switched off, for one tool or for all', async () => {
    for (const rates of [false, { list_notes: false }] as const) {
      const { call } = setUp({ rates })
      const answers = await Promise.all(Array.from({ length: 200 }, () => call('list_notes')))
      assert.ok(answers.every((answer) => !answer.isError))
    }
  })
})

test('a tool whose outside fails again and again rests, then is tried once more', async () => {
  const services = { ...shelf(), failing: true }
  const { call } = setUp({ breaker: { failures: 3, restMs: 600 } }, services)
  const fetch = async () => (await call('fetch_note', { url: 'https://example.org/' })).failure?.kind ?? 'ok'
  assert.deepEqual(
    [await fetch(), await fetch(), await fetch(), await fetch()],
    ['bug', 'bug', 'bug', 'unavailable'],
  )
  services.failing = false
  assert.equal(await fetch(), 'unavailable')
  await sleep(700)
  assert.equal(await fetch(), 'ok')
})

test('statistics tell answers, failures, timeouts and refusals apart', async () => {
  const { call, run } = setUp({ mostTimeMs: 20, rates: { list_notes: 1 } })
  await call('list_notes')
  await call('list_notes')
  await call('wait', { ms: 1_000 })
  await call('read_note', {})
  const counts = Object.fromEntries(
    run.statistics.own().map((one) => [one.tool, [one.calls, one.failures, one.timeouts, one.rateLimited]]),
  )
  assert.deepEqual(counts, { list_notes: [2, 0, 0, 1], read_note: [1, 1, 0, 0], wait: [1, 1, 1, 0] })
})

test('logs hold names, counts and durations, and neither contents nor secrets', async () => {
  const lines: { args?: unknown; ms?: number; size?: number; results?: number }[] = []
  const log: Log = { debug() {}, warn() {}, error() {}, info: (facts) => lines.push(facts) }
  const { call } = setUp({ log })
  const secret = `ghp_${'a1B2'.repeat(10)}`
  await call('write_note', { name: 'n', text: `${secret} ${'long '.repeat(100)}` })
  assert.deepEqual(lines[0]?.args, { name: 'n', text: '[545 chars]' })
  await call('write_note', { name: secret, text: 'x' })
  assert.deepEqual(lines[1]?.args, { name: '[redacted GitHub token]', text: '[1 chars]' })
  await call('list_notes', {})
  assert.ok(lines[2]!.ms! >= 0 && lines[2]!.size! > 0 && lines[2]!.results! >= 0)
})

test('the log of a failed call is short and contains no secrets', async () => {
  const lines: string[] = []
  const log: Log = {
    debug() {},
    info() {},
    error() {},
    warn: (facts, message) => lines.push(JSON.stringify([facts, message])),
  }
  const { call } = setUp({ log })
  const short = `ghp_${'a1B2'.repeat(9)}`
  const long = `github_pat_${'a1B2c3D4e5'.repeat(8)}`
  for (const secret of [short, long]) {
    await call('list_notes', { limit: secret })
    await call('list_notes', { [secret]: 1 })
  }
  assert.equal(lines.length, 4)
  for (const line of lines) {
    assert.doesNotMatch(line, /a1B2/)
    assert.match(line, /"(limit: expected|\[redacted GitHub)/)
  }
  await call(
    'list_notes',
    Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${'k'.repeat(900)}${i}`, 1])),
  )
  assert.ok(lines[4]!.length < 5_000, `${lines[4]!.length}`)
})

describe('every toolset words the same failure its own way', () => {
  const failure: Failure = {
    kind: 'refused',
    code: 'not_found',
    tool: 'get',
    message: 'No document at "x".',
    hint: 'Try y.',
    details: { path: 'x' },
  }
  const bodies: [keyof typeof errorShapes, unknown][] = [
    ['documents', { body: 'No document at "x". Try y.', isError: true }],
    [
      'graph',
      { body: { error: { code: 'NODE_NOT_FOUND', message: 'No document at "x". Try y.' } }, isError: true },
    ],
    ['context', { body: { error: 'No document at "x".', path: 'x', suggestion: 'Try y.' }, isError: true }],
    [
      'architecture',
      {
        body: {
          error: {
            code: -32602,
            message: 'No document at "x".',
            data: { tool: 'get', reason: 'not_found', hint: 'Try y.', path: 'x' },
          },
        },
        isError: true,
      },
    ],
    [
      'knowledge',
      { body: { success: false, error: 'No document at "x".', suggestion: 'Try y.' }, isError: false },
    ],
  ]
  for (const [name, expected] of bodies)
    test(name, () => assert.deepEqual(errorShapes[name](failure), expected))

  test('architecture keeps its codes', () => {
    const code = (kind: Failure['kind'], code: string = kind) =>
      (errorShapes.architecture({ ...failure, kind, code }).body as { error: { code: number } }).error.code
    assert.deepEqual(
      [code('invalid'), code('refused', 'unknown_tool'), code('refused'), code('timeout'), code('bug')],
      [-32602, -32001, -32002, -32003, -32603],
    )
  })
})

test('a Problem with details carries them into the failure', async () => {
  const services = shelf()
  const problem = new Problem('denied', 'Permission denied', undefined, { details: { path: '.env' } })
  services.notes.get = () => {
    throw problem
  }
  const { call } = setUp({}, services)
  assert.deepEqual((await call('read_note', { name: '.env' })).failure?.details, { path: '.env' })
})
