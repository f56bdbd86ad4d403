import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { initialize } from '../../../test/surfaces/asking.js'
import { fixtureSurface, stdioFixture } from '../../../test/surfaces/serving.js'
import { serveStdio, stdioWire } from './stdio.js'

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

// A machine with too much to do takes seconds to start a process.
const patience = 30_000

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [stdioFixture], { stdio: 'pipe', env: { ...process.env, ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => {
    output.stdout += bytes
  })
  child.stderr.on('data', (bytes) => {
    output.stderr += bytes
  })
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const send = (...messages: unknown[]) => {
    for (const message of messages)
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }
  const lines = () => output.stdout.split('\n').filter(Boolean)
  const answered = async (id: unknown) => {
    for (const until = performance.now() + patience; performance.now() < until; ) {
      const found = lines().find((line) => JSON.parse(line).id === id && !JSON.parse(line).method)
      if (found) return JSON.parse(found)
      await sleep(10)
    }
    throw new Error(`No answer to ${String(id)}: ${output.stdout.slice(-500)} ${output.stderr.slice(-500)}`)
  }
  return { child, output, exited, send, lines, answered }
}

test('a byte order mark before the first message is passed over', async () => {
  const input = new PassThrough()
  const wire = stdioWire({ input, write: async () => {}, onEnd() {} })
  const got = new Promise((resolve) => {
    wire.onmessage = resolve
  })
  await wire.start()
  input.write(`\ufeff${JSON.stringify(initialized)}\n`)
  assert.deepEqual(await Promise.race([got, sleep(patience, 'nothing', { ref: false })]), initialized)
  await wire.close()
})

describe('a stdio server ends', () => {
  const ways: [string, (child: ReturnType<typeof start>) => void][] = [
    ['when its input ends', ({ child }) => child.stdin.end()],
    ['on SIGTERM', ({ child }) => child.kill('SIGTERM')],
    ['on SIGINT', ({ child }) => child.kill('SIGINT')],
    ['on SIGHUP', ({ child }) => child.kill('SIGHUP')],
    [
      'when nobody reads its output',
      (server) => {
        server.child.stdout.destroy()
        server.send(
          { jsonrpc: '2.0', id: 9, method: 'tools/list' },
          { jsonrpc: '2.0', id: 10, method: 'tools/list' },
        )
      },
    ],
  ]
  for (const [title, end] of ways)
    test(title, async () => {
      const server = start()
      server.send(initialize(), initialized)
      await server.answered(1)
      end(server)
      const code = await Promise.race([server.exited, sleep(patience, 'still there', { ref: false })])
      assert.equal(code, 0)
      assert.match(server.output.stderr, /closed/)
    })

  test('and answers what was under way when the input ended', async () => {
    const server = start()
    server.send(initialize(), initialized, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'wait', arguments: { ms: 200 } },
    })
    server.child.stdin.end()
    assert.deepEqual((await server.answered(2)).result.structuredContent, { waited: 200 })
    assert.equal(await server.exited, 0)
  })

  test('at once when it only reports changes', async () => {
    const input = new PassThrough()
    const ended = new Promise<string>((resolve) => {
      void stdioWire({ input, write: async () => {}, onEnd: resolve, drainMs: 2 ** 30 }).start()
    })
    input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' })}\n`)
    assert.equal(await ended, 'the input ended')
  })

  test('after the changes that have begun', async () => {
    const surface = fixtureSurface()
    const events: string[] = []
    const exit = () => void events.push('ended')
    const { closed, close } = serveStdio(surface, {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      exit,
    })
    const job = { name: 'rename', effect: 'write' } as const
    const renaming = surface.executor.run(job, { client: { id: 'test' } }, async ({ commit }) => {
      commit()
      await sleep(100)
      events.push('renamed')
    })
    await sleep(10)
    close()
    await Promise.all([closed, renaming])
    assert.deepEqual(events, ['renamed', 'ended'])
  })

  test('at once when there never was any input', async () => {
    const server = start()
    server.child.stdin.end()
    assert.equal(await Promise.race([server.exited, sleep(patience, 'still there', { ref: false })]), 0)
  })
})

test('nothing but the protocol is on standard output', async () => {
  const server = start({ FIXTURE_NOISY: '1' })
  server.send(initialize(), initialized, { jsonrpc: '2.0', id: 2, method: 'tools/list' })
  await server.answered(2)
  await sleep(60)
  server.child.stdin.end()
  await server.exited
  for (const line of server.lines()) assert.equal(JSON.parse(line).jsonrpc, '2.0')
  assert.match(server.output.stderr, /^a stray print\n(.*\n)*another stray print/)
})

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
  test(`speaks ${version}`, async () => {
    const server = start()
    server.send(initialize(version), initialized, {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'list_notes', arguments: {} },
    })
    assert.equal((await server.answered(1)).result.protocolVersion, version)
    assert.equal((await server.answered(2)).result.content[0].text, '["welcome","über"]')
    server.child.stdin.end()
    await server.exited
  })

test('a revision from the future is answered with the newest of the old ones', async () => {
  const server = start()
  server.send(initialize('2031-01-01'))
  assert.equal((await server.answered(1)).result.protocolVersion, '2025-11-25')
  server.child.stdin.end()
  await server.exited
})

describe('what cannot be read is answered', () => {
  const tooLong: [string, unknown, string, string][] = [
    ['with its id first', 'd', '{"jsonrpc": "2.0", "id": "d", "method": "m", "params": {"a": "', '"}}'],
    ['with its id last', 7, '{"method":"m","params":{"a":"', '"},"jsonrpc":"2.0","id":7}'],
    ['with its method last', 8, '{"id":8,"params":{"id":1,"a":"', '"},"method":"m"}'],
    ['with an id within', null, '{"method":"m","params":{"id":1,"a":"', '","id":2}}'],
    ['with an id in a text', null, '{"method":"m","params":"', ',\\"id\\":3}"}'],
    ['that answers', null, '{"jsonrpc":"2.0","id":9,"result":{"a":"', '"}}'],
    ['that is a list', null, '[{"id":1,"method":"m","params":["', '"]},{"method":"n","id":2}]'],
  ]
  const cases: [string, string, { id: unknown; code: number }][] = [
    ['no JSON', '{"jsonrpc":', { id: null, code: -32700 }],
    ['no message', '{"jsonrpc":"2.0","id":"a","method":7}', { id: 'a', code: -32600 }],
    ['no version', '{"id":"b","method":"ping"}', { id: 'b', code: -32600 }],
    ['an empty list', '[]', { id: null, code: -32600 }],
    ['a number', '7', { id: null, code: -32600 }],
    [
      'a line too long',
      `{"jsonrpc":"2.0","id":"c","method":"${'x'.repeat(17_000_000)}"}`,
      { id: null, code: -32600 },
    ],
    ...tooLong.map(([title, id, start, end]): (typeof cases)[number] => [
      `a line too long ${title}`,
      `${start}${'x'.repeat(17_000_000)}${end}`,
      { id, code: -32600 },
    ]),
  ]
  test('and the next message is read as if nothing had been', async () => {
    const server = start()
    server.send(initialize(), initialized)
    await server.answered(1)
    for (const [i, [title, line, expected]] of cases.entries()) {
      const before = server.lines().length
      server.send(line, { jsonrpc: '2.0', id: `after ${i}`, method: 'ping' })
      assert.deepEqual((await server.answered(`after ${i}`)).result, {}, title)
      const answers = server
        .lines()
        .slice(before)
        .map((text) => JSON.parse(text))
      const refusal = answers.find(({ error }) => error)
      assert.deepEqual({ id: refusal?.id, code: refusal?.error.code }, expected, title)
    }
    server.child.stdin.end()
    await server.exited
  })
})

test('a line in another encoding is refused, not misread', async () => {
  const server = start()
  server.send(initialize(), initialized)
  await server.answered(1)
  const call = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'read_note', arguments: { name: 'é' } },
  }
  server.child.stdin.write(Buffer.from(`${JSON.stringify(call)}\n`, 'latin1'))
  server.send({ ...call, id: 3 })
  assert.match(JSON.stringify(await server.answered(3)), /Note .{1,3}é.{1,3} not found/)
  const { error } = await server.answered(null)
  assert.deepEqual(error, { code: -32700, message: 'The line is not valid UTF-8.' })
  server.child.stdin.end()
  await server.exited
})

test('a list of messages is taken one by one', async () => {
  const server = start()
  server.send(initialize('2025-03-26'), initialized)
  server.send([
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', id: 'b', method: 'ping' },
  ])
  assert.deepEqual((await server.answered('a')).result, {})
  assert.deepEqual((await server.answered('b')).result, {})
  server.child.stdin.end()
  await server.exited
})

test('a message in pieces, and many in one piece', async () => {
  const server = start()
  const text = `${JSON.stringify(initialize())}\n${JSON.stringify(initialized)}\n`
  for (const byte of Buffer.from(text)) server.child.stdin.write(Buffer.of(byte))
  await server.answered(1)
  const many = Array.from({ length: 200 }, (_, i) =>
    JSON.stringify({ jsonrpc: '2.0', id: `m${i}`, method: 'ping' }),
  )
  server.child.stdin.write(`${many.join('\r\n')}\r\n`)
  assert.deepEqual((await server.answered('m199')).result, {})
  server.child.stdin.end()
  await server.exited
})
