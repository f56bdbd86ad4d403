// A server with --read-only takes in new packages of this machine, and asks no other server for one.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBackgroundWork } from '../../src/app/background.js'
import { openForTest, settingsFor, temporaryFolder, write } from '../support/world.js'
import { manifest } from './package-world.js'

async function desk(t: TestContext) {
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(req.url!)
    const isManifest = req.url === '/manifest.json'
    res.end(isManifest ? manifest({ files: ['remote.md'] }) : '# Remote\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const root = temporaryFolder(t)
  const collections = {
    web: { url: `${url}/manifest.json` },
    mixed: { url: './mixed/manifest.json' },
    local: { url: './local' },
  }
  write(root, {
    'context.json': JSON.stringify({ collections }),
    'local/a.md': '# A',
    'mixed/b.md': '# B',
    'mixed/manifest.json': manifest({ files: ['b.md', { url: `${url}/page.md` }] }),
  })
  const settings = { ...settingsFor(root), sources: [], data: join(root, '.carrel') }
  const allow = { outside: false, network: true, privateNetwork: true }
  const library = await openForTest({ ...settings, allow })
  t.after(() => library.close())
  const serve = async (network: boolean) => {
    const notes: string[] = []
    const live = runBackgroundWork(library, { network, onTrouble: (note) => notes.push(note) })
    await live.indexed
    // The notes come last, when every package had its turn.
    for (let i = 0; i < 500 && notes.length === 0 && requests.length === 0; i++) await sleep(20)
    await live.close()
    const names = (await library.store.sources()).map(({ name }) => name)
    return { notes, names: names.filter((name) => name in collections).sort() }
  }
  return { requests, serve }
}

test('a server that only reads syncs no packages from the network', async (t) => {
  const { requests, serve } = await desk(t)
  const { notes, names } = await serve(false)
  assert.deepEqual(requests, [])
  assert.deepEqual(names, ['local', 'mixed'])
  assert.match(notes.join('\n'), /"web" comes from the network.*carrel sync web/)
})
