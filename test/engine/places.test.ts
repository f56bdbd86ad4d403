// Where no engine can be shared, or somebody else has been: each process says so or works alone.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lchownSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { findAddress, prepareAddress } from '../../src/app/engine/address.js'
import { canMount, smallDisk } from '../support/small-disk.js'
import { undo } from '../support/world.js'
import { client, engines, longPath, project, run } from './project.js'

const root = process.getuid?.() === 0
const asRoot = { skip: !root && 'needs root, to be another user' }
const linux = { skip: process.platform !== 'linux' }
const nobody = 65_534

describe('another user of the machine', asRoot, () => {
  test('cannot connect, not even where the folder lets them in', async (t) => {
    const folder = await project(t)
    await client(t, folder)
    for (let at = join(folder, '.carrel'); at !== '/tmp' && at !== '/'; at = dirname(at)) chmodSync(at, 0o755)
    const path = join(folder, '.carrel/engine.sock')
    const connect = `require('net').connect(${JSON.stringify(path)}).on('connect', () => console.log('in')).on('error', (e) => console.log(e.code))`
    const { stdout } = spawnSync(process.execPath, ['-e', connect], { uid: nobody, gid: nobody, cwd: '/' })
    assert.equal(stdout.toString(), 'EACCES\n')
  })

  test('who planted a socket is neither asked nor replaced', async (t) => {
    const folder = await project(t)
    const path = join(folder, '.carrel/engine.sock')
    let requests = 0
    const planted = createServer(() => requests++)
    t.after(() => planted.close())
    await new Promise<void>((resolve) => planted.listen(path, resolve))
    chmodSync(path, 0o600)
    lchownSync(path, nobody, nobody)
    assert.equal(findAddress(join(folder, '.carrel')), null)
    const one = await client(t, folder)
    assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    assert.match(one.errorOutput(), /works alone: .*engine\.sock is not a socket of yours/)
    assert.match(run(folder, 'search', 'lantern').out, /lit at dusk/)
    assert.equal(requests, 0)
  })

  test('who owns the folder for sockets with long paths gets none of ours', async (t) => {
    const { data } = longPath(t)
    const planted = dirname(prepareAddress(data))
    chownSync(planted, nobody, nobody)
    assert.equal(findAddress(data), null)
    assert.throws(() => prepareAddress(data), /is not a folder of yours alone/)
  })
})

describe('clients of a project', linux, () => {
  test('share an engine where the path of its socket would be too long', async (t) => {
    const folder = await project(t, `${'long/'.repeat(24)}end`)
    const clients = [await client(t, folder), await client(t, folder)]
    for (const one of clients)
      assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    assert.equal(engines(clients).length, 1)
    assert.ok(!existsSync(join(folder, '.carrel/engine.sock')))
  })

  test('replace the socket of a dead engine', async (t) => {
    const folder = await project(t)
    const path = join(folder, '.carrel/engine.sock')
    const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', listen])
    assert.ok(existsSync(path))
    chmodSync(path, 0o600)
    const clients = [await client(t, folder), await client(t, folder)]
    for (const one of clients)
      assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    assert.equal(engines(clients).length, 1)
  })

  test('work alone on a data folder that cannot be written', asRoot, async (t) => {
    const folder = await project(t)
    const data = join(folder, '.carrel')
    spawnSync('mount', ['--bind', '-o', 'ro', data, data])
    undo(t, () => spawnSync('umount', ['-l', data]))
    if (canWrite(data)) return t.skip('the folder could not be made read-only')
    const clients = [await client(t, folder), await client(t, folder)]
    for (const one of clients)
      assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    assert.equal(engines(clients).length, 2)
    assert.match(run(folder, 'search', 'lantern').out, /lit at dusk/)
  })

  test('are answered by the engine on a full disk; a write is refused with a sentence', {
    skip: !canMount() && 'needs the right to mount a small file system',
  }, async (t) => {
    const folder = await project(t)
    const data = join(smallDisk(t), 'data')
    run(folder, '--data', data, 'index', '-q')
    const clients = [await client(t, folder, '--data', data), await client(t, folder, '--data', data)]
    fill(join(dirname(data), 'filler'))
    for (const one of clients)
      assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    const record = (name: string) =>
      clients[1]!.call('record_discovery', { type: 'rule', content: name + ' is long.'.repeat(90) })
    let refused: string | null = null
    for (let n = 0; n < 100 && refused === null; n++) {
      const { isError, text } = await record(`Statement ${n}`)
      if (isError) refused = text
    }
    assert.match(String(refused), /disk .*is full/i)
    rmSync(join(dirname(data), 'filler'))
    assert.equal((await record('With space again it')).isError, false)
  })

  test('that start on a full disk say so', {
    skip: !canMount() && 'needs the right to mount a small file system',
  }, async (t) => {
    const folder = await project(t)
    const data = join(smallDisk(t), 'data')
    run(folder, '--data', data, 'index', '-q')
    fill(join(dirname(data), 'filler'))
    await assert.rejects(client(t, folder, '--data', data), /The disk that holds .* is full/)
    rmSync(join(dirname(data), 'filler'))
    const clients = [await client(t, folder, '--data', data), await client(t, folder, '--data', data)]
    for (const one of clients)
      assert.match((await one.call('documents_search', { query: 'lantern' })).text, /lit at dusk/)
    assert.equal(engines(clients).length, 1)
  })
})

/** Takes what is free, to the last page. */
function fill(path: string) {
  for (const size of [65_536, 4_096])
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // Full.
    }
}

function canWrite(folder: string): boolean {
  try {
    writeFileSync(join(folder, 'probe'), '')
    rmSync(join(folder, 'probe'))
    return true
  } catch {
    return false
  }
}
