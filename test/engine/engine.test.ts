import assert from 'node:assert/strict'
import { chmodSync, existsSync, lstatSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findAddress, prepareAddress } from '../../src/app/engine/address.js'
import { connectToEngine } from '../../src/app/engine/client.js'
import { frameReader, send } from '../../src/app/engine/frames.js'
import { temporaryFolder } from '../support/world.js'
import { type Client, client, engines, longPath, project, run } from './project.js'
import { soak } from './soak.js'

const unix = { skip: process.platform === 'win32' }
const linux = { skip: process.platform !== 'linux' }

/** What the engine prints for a command line; the test's own environment is that of its clients. */
async function askEngine(root: string, ...argv: string[]) {
  process.env.CARREL_EMBEDDING_PROVIDER = 'none'
  const whole = ['--root', root, ...argv]
  const engine = await connectToEngine(join(root, '.carrel'), { argv: whole, waitMs: 5_000 })
  if (engine === null || engine === 'alone') return engine
  let out = ''
  await engine.receive((kind, payload) => {
    if (kind === 'out') out += payload
  })
  return out
}

describe('commands through the engine', () => {
  test('print the same bytes as commands that work alone', async (t) => {
    const root = await project(t)
    await client(t, root)
    const commands = [
      ['find', 'when is the lantern lit'],
      ['uses', 'lightLamp'],
      ['read', 'src/lamp.ts:1-3', 'docs/guide.md#Retries'],
      ['grep', 'lightLamp'],
      ['outline', 'src'],
      ['search', 'retries'],
      ['search', '--json', 'nothing like this xyzzy'],
      ['tool', 'documents_search', '{"query": "lantern"}'],
      ['tool', 'documents_search', '{"query": 7}'],
      ['tool'],
      ['find'],
    ]
    for (const argv of commands) {
      const alone = run(root, '--no-share', ...argv)
      assert.deepEqual(run(root, ...argv), alone, argv.join(' '))
      assert.equal(await askEngine(root, ...argv), alone.out, `in the engine: ${argv.join(' ')}`)
    }
  })

  test('find a file that was written a moment before', async (t) => {
    const root = await project(t)
    const first = await client(t, root)
    await first.call('documents_search', { query: 'lantern' })
    for (let i = 0; i < 5; i++) {
      writeFileSync(join(root, `docs/new-${i}.md`), `# New\n\nThe word of this page is quokka${i}.\n`)
      const { hits, notes } = JSON.parse(
        String(await askEngine(root, 'search', '--mode', 'text', '--json', `quokka${i}`)),
      )
      assert.deepEqual([hits[0]?.document, notes], [`docs/new-${i}.md`, []])
    }
  })

  test('are left to clients with another version, other settings or another command', async (t) => {
    const root = await project(t)
    await client(t, root)
    assert.equal(await askEngine(root, '--set', 'limits.fileSeconds=7', 'search', 'lantern'), 'alone')
    assert.equal(await askEngine(root, 'index'), 'alone')
    const address = findAddress(join(root, '.carrel'))!
    assert.equal(await firstAnswer(address, JSON.stringify({ build: '0.0.1', argv: ['search'] })), 'alone')
    // The engine survives what is not its language.
    assert.equal(await firstAnswer(address, 'not JSON'), 'closed')
    assert.match(String(await askEngine(root, 'search', 'lantern')), /lit at dusk/)
  })

  test('work alone beside an engine that does not answer', unix, async (t) => {
    const root = await project(t)
    const silent = createServer(() => {})
    t.after(() => silent.close())
    const path = join(root, '.carrel', 'engine.sock')
    await new Promise<void>((resolve) => silent.listen(path, resolve))
    chmodSync(path, 0o600)
    assert.match(run(root, 'search', 'lantern').out, /lit at dusk/)
  })
})

function firstAnswer(address: string, hello: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection(address, () => void send(socket, 'hello', hello))
    socket.on(
      'data',
      frameReader((kind) => resolve(kind)),
    )
    socket.on('error', () => {})
    socket.on('close', () => resolve('closed'))
  })
}

describe('the socket', unix, () => {
  test('is for its user alone, and goes with the engine', async (t) => {
    const root = await project(t)
    const first = await client(t, root)
    const { mode } = lstatSync(join(root, '.carrel', 'engine.sock'))
    assert.equal(mode & 0o777, 0o600)
    await first.leave()
    assert.ok(!existsSync(join(root, '.carrel', 'engine.sock')))
  })

  test('is not used when it is a link, a file, or open to others', async (t) => {
    const data = temporaryFolder(t)
    const [path, elsewhere] = [join(data, 'engine.sock'), join(data, 'elsewhere.sock')]
    const server = createServer(() => {})
    t.after(() => server.close())
    await new Promise<void>((resolve) => server.listen(elsewhere, resolve))
    chmodSync(elsewhere, 0o600)
    symlinkSync(elsewhere, path)
    assert.equal(findAddress(data), null)
    assert.throws(() => prepareAddress(data), /not a socket of yours/)
    rmSync(path)
    writeFileSync(path, '')
    assert.equal(findAddress(data), null)
    assert.throws(() => prepareAddress(data), /not a socket of yours/)
    rmSync(path)
    const own = createServer(() => {})
    t.after(() => own.close())
    await new Promise<void>((resolve) => own.listen(path, resolve))
    chmodSync(path, 0o666)
    assert.equal(findAddress(data), null)
    chmodSync(path, 0o600)
    assert.equal(findAddress(data), path)
  })

  test('lies in a folder of the user when its path would be too long', async (t) => {
    const { runtime, data } = longPath(t)
    const address = prepareAddress(data)
    assert.ok(address.startsWith(runtime) && address.length < 100)
    chmodSync(join(address, '..'), 0o755)
    assert.throws(() => prepareAddress(data), /not a folder of yours alone/)
  })

  test('in the place of which something else lies: the server says so and works alone', async (t) => {
    const root = await project(t)
    writeFileSync(join(root, '.carrel', 'engine.sock'), 'planted')
    const first = await client(t, root)
    assert.match((await first.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    assert.match(first.errorOutput(), /works alone/)
  })
})

describe('several clients of a project', linux, () => {
  test('share one engine, each with its own tools, and one of them takes its place when it is killed', async (t) => {
    const root = await project(t)
    const clients = [
      await client(t, root),
      await client(t, root, '--read-only'),
      ...(await Promise.all([client(t, root), client(t, root), client(t, root, '--profile', 'desk')])),
    ]
    await search(clients.slice(0, 4))
    assert.match((await clients[4]!.call('grep', { pattern: 'lightLamp' })).text, /lamp\.ts/)
    assert.deepEqual(engines(clients), [clients[0]])
    await assert.rejects(clients[1]!.call('record_discovery', statement('no')), /record_discovery/)
    // A read-only client that became the engine would serve no client that writes.
    await clients[1]!.leave()

    clients[0]!.process.kill('SIGKILL')
    await search(clients.slice(2, 4))
    const [next, ...others] = engines(clients)
    assert.ok(next && others.length === 0, 'exactly one of them is the engine')
    assert.equal((await clients[2]!.call('record_discovery', statement('yes'))).isError, false)

    // In good order: nothing is lost, not even a call that writes.
    const rest = clients.slice(2).filter((one) => one !== next)
    const [, written] = await Promise.all([
      next.leave(),
      rest[0]!.call('record_discovery', statement('while the engine leaves')),
    ])
    assert.equal(written.isError, false, written.text)
    await search(rest.filter((one) => one !== clients[4]))
  })

  test('started at the same moment have one engine', async (t) => {
    const root = await project(t)
    const clients = await Promise.all(Array.from({ length: 4 }, () => client(t, root)))
    await search(clients)
    assert.equal(engines(clients).length, 1)
  })

  test('with --no-share each work alone', async (t) => {
    const root = await project(t)
    const clients = [await client(t, root, '--no-share'), await client(t, root, '--no-share')]
    await search(clients)
    assert.equal(engines(clients).length, 2)
    assert.ok(!existsSync(join(root, '.carrel', 'engine.sock')))
  })
})

async function search(clients: readonly Client[]) {
  for (const { text } of await Promise.all(
    clients.map((one) => one.call('documents_search', { query: 'lantern' })),
  ))
    assert.match(text, /lit at dusk/)
}

function statement(text: string) {
  return { type: 'rule', content: `Statement number ${text} of the test.` }
}

const seconds = Number(process.env.CARREL_ENGINE_SECONDS ?? 8)

test(
  'the engine is killed at random under eight clients: no acknowledged write is lost, none runs twice, all go on',
  linux,
  async (t) => {
    const { kills, reads, writes, unsure } = await soak(t, { seconds, clients: 8 })
    assert.ok(
      kills >= 3 && reads > 50,
      `${kills} kills, ${reads} reads, ${writes} writes, ${unsure} in doubt`,
    )
  },
)
