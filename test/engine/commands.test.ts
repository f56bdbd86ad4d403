import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { askEngine } from '../../src/app/engine/client.js'
import { projectRoot, temporaryFolder, write } from '../support/world.js'
import { client, project, run, runWith } from './project.js'

const unix = { skip: process.platform === 'win32' }

/** A project whose commands start an engine that ends after some idle minutes. */
async function shared(t: TestContext, minutes: number) {
  const root = await project(t)
  const data = join(root, '.carrel')
  const variables = { CARREL_ENGINE_IDLE_MINUTES: String(minutes) }
  t.after(() => run(root, 'engine', '--stop'))
  return {
    root,
    data,
    run: (...argv: string[]) => runWith(variables, root, ...argv),
    about: () => askEngine(data, 'about'),
    started: () => until(() => askEngine(data, 'about')),
    gone: () => until(async () => (await askEngine(data, 'about')) === null),
  }
}

async function until<T>(look: () => Promise<T>): Promise<NonNullable<T>> {
  for (let i = 0; i < 400; i++) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('It did not happen within 20 s.')
}

// As in a container: the command is the first process of its namespace, and all others end with it.
const asFirst = ['--pid', '--fork', '--mount-proc']
const canBeFirst = spawnSync('unshare', [...asFirst, 'true']).status === 0

describe('carrel index', unix, () => {
  const withModel = { CARREL_EMBEDDING_PROVIDER: '', CARREL_ENGINE_IDLE_MINUTES: '5' }
  const behind = /\nVectors of \d chunks follow in the background; `carrel status` shows how far\.\n$/
  const waited = /\n\d chunks embedded in [^\n]+\.\n$/
  const index = (root: string, variables: NodeJS.ProcessEnv = {}, ...argv: string[]) =>
    runWith({ ...withModel, ...variables }, root, 'index', ...argv)

  async function fresh(t: TestContext): Promise<string> {
    const root = await project(t)
    t.after(() => run(root, 'engine', '--stop'))
    return root
  }

  test('ends when words can be found; an engine embeds behind it, and ends when nobody needs it', async (t) => {
    const root = await fresh(t)
    const variables = { CARREL_ENGINE_IDLE_MINUTES: '0.001' }
    assert.match(index(root, variables).out, behind)
    const { pid } = await until(() => askEngine(join(root, '.carrel'), 'about'))
    await until(async () => !isRunning(pid))
    const { chunks, vectors } = JSON.parse(runWith(withModel, root, 'status', '--json').out)
    assert.deepEqual(vectors, [{ model: 'all-MiniLM-L6-v2@6638f625/int8', count: chunks }])
    assert.doesNotMatch(index(root).out, /Vectors|embedded/)
    assert.equal(await askEngine(join(root, '.carrel'), 'about'), null)
  })

  test('leaves the vectors to the engine that runs, if that has the same model', async (t) => {
    const root = await fresh(t)
    assert.match(index(root).out, behind)
    const { pid, model } = await until(() => askEngine(join(root, '.carrel'), 'about'))
    assert.match(model!, /MiniLM/)
    write(root, { 'docs/new.md': '# New\n\nA second lantern.\n' })
    // Its watcher may have stored the file already.
    assert.match(index(root).out, /^5 files .* 0 failed\./)
    await until(async () => {
      const { chunks, vectors } = JSON.parse(runWith(withModel, root, 'status', '--json').out)
      return chunks > 4 && vectors[0]?.count === chunks
    })
    assert.equal((await askEngine(join(root, '.carrel'), 'about'))?.pid, pid)
  })

  test('waits for the vectors where it is asked to, and where no engine goes on', async (t) => {
    for (const [variables, ...argv] of [
      [{}, '--wait'],
      [{}, '--no-share'],
      [{ CARREL_ENGINE_IDLE_MINUTES: '0' }],
      [{ CI: 'woodpecker', CARREL_ENGINE_IDLE_MINUTES: '' }],
    ] as [NodeJS.ProcessEnv, ...string[]][]) {
      const root = await project(t)
      assert.match(index(root, variables, ...argv).out, waited, argv.join(' '))
      assert.equal(await askEngine(join(root, '.carrel'), 'about'), null)
    }
    const root = await project(t)
    if (canBeFirst) {
      const env = { ...process.env, ...withModel }
      const command = [
        process.execPath,
        join(projectRoot, 'bin/carrel.mjs'),
        'index',
        '--root',
        root,
        '--force',
      ]
      assert.match(String(spawnSync('unshare', [...asFirst, ...command], { env }).stdout), waited)
      rmSync(join(root, '.carrel'), { recursive: true })
      run(root, 'index')
    }
    const withoutModel = await client(t, root)
    assert.match(index(root).out, waited)
    await withoutModel.leave()
  })
})

describe('an engine that a command started', unix, () => {
  test('answers the next commands with the same bytes, is shown by status and doctor, and can be stopped', async (t) => {
    const { root, data, run, started } = await shared(t, 5)
    const alone = run('search', 'lantern')
    assert.match(alone.out, /lit at dusk/)
    const { pid, kind } = await started()
    assert.equal(kind, 'commands')
    assert.deepEqual(run('search', 'lantern'), alone)
    assert.equal((await askEngine(data, 'about'))?.pid, pid)
    assert.match(run('status').out, new RegExp(`engine +${pid}, started by the command line, 0 clients`))
    assert.match(run('doctor').out, new RegExp(`engine +Process ${pid}, started by the command line`))
    assert.equal(JSON.parse(run('engine', '--json').out).engine.pid, pid)
    assert.equal(run('engine', '--stop').out, `Process ${pid} was stopped.\n`)
    assert.throws(() => process.kill(pid, 0))
    assert.equal(run('engine').out, 'No engine runs.\n')
    assert.ok(!existsSync(join(root, '.carrel/engine.sock')))
  })

  test('ends when nobody has asked anything for as long as the setting says', async (t) => {
    const { run, started, gone } = await shared(t, 0.02)
    run('search', 'lantern')
    const { pid } = await started()
    await gone()
    await until(async () => !isRunning(pid))
  })

  test('ends when its data folder is gone', async (t) => {
    const { data, run, started } = await shared(t, 5)
    run('search', 'lantern')
    const { pid } = await started()
    rmSync(data, { recursive: true, force: true })
    await until(async () => !isRunning(pid))
  })

  test('is not started with 0 minutes, in CI, with --no-share, by other commands, or without an index', async (t) => {
    const { root, data, about } = await shared(t, 5)
    const without = join(temporaryFolder(t), 'empty')
    write(without, { 'a.md': '# A\n' })
    const five = { CARREL_ENGINE_IDLE_MINUTES: '5' }
    const answers = [
      runWith({ CARREL_ENGINE_IDLE_MINUTES: '0' }, root, 'search', 'lantern'),
      // An empty variable is none: the default counts.
      runWith({ CI: 'woodpecker', CARREL_ENGINE_IDLE_MINUTES: '' }, root, 'search', 'lantern'),
      runWith(five, root, '--no-share', 'search', 'lantern'),
    ]
    for (const { out } of answers) assert.match(out, /lit at dusk/)
    runWith(five, root, 'status')
    runWith(five, without, 'search', 'lantern')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    assert.equal(await about(), null)
    assert.ok(!existsSync(join(data, 'engine.sock')) && !existsSync(join(without, '.carrel')))
  })

  test('makes room for other settings and for a repair', async (t) => {
    const { root, run, started } = await shared(t, 5)
    run('search', 'lantern')
    const first = await started()
    writeFileSync(join(root, 'carrel.json'), '{ "limits": { "fileSeconds": 7 } }')
    assert.match(run('search', 'lantern').out, /lit at dusk/)
    await until(async () => !isRunning(first.pid))
    run('search', 'lantern')
    const second = await started()
    assert.notEqual(second.pid, first.pid)
    assert.match(
      run('doctor', '--repair').out,
      new RegExp(`Process ${second.pid} was stopped for the repair`),
    )
    assert.ok(!isRunning(second.pid))
  })

  test('that is killed is replaced by the next command, which answers', async (t) => {
    const { run, started } = await shared(t, 5)
    const alone = run('search', 'lantern')
    const { pid } = await started()
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(run('search', 'lantern'), alone)
    assert.notEqual((await started()).pid, pid)
  })

  test('serves MCP clients, too, and stays while they are there', async (t) => {
    const { root, run, started } = await shared(t, 0.02)
    run('search', 'lantern')
    const { pid } = await started()
    const one = await client(t, root)
    assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    assert.ok(isRunning(pid))
    assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    await one.leave()
    await until(async () => !isRunning(pid))
  })

  test('is not stopped where it is the server of a client', async (t) => {
    const root = await project(t)
    const one = await client(t, root)
    const { code, err } = run(root, 'engine', '--stop')
    assert.equal(code, 1)
    assert.match(err, new RegExp(`Process ${one.process.pid} is a server \\(carrel mcp\\)`))
    assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
