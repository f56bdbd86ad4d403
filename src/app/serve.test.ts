import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { copyNotes } from '../../test/support/world.js'
import type { Serving } from '../surfaces/cli/context.js'
import { snippets } from '../surfaces/cli/paste.js'
import { closeEach } from './closing.js'
import { loadSettings } from './config/load.js'
import { type ServeOptions, serve } from './serve.js'

/** A server over a few notes, without a process of its own. */
async function start(t: TestContext, options: Partial<ServeOptions> = {}) {
  // Hooks run in the order they were given: the server is closed before its folder goes.
  let serving: Serving | undefined
  t.after(() => serving?.close())
  const root = copyNotes(t)
  const { settings } = await loadSettings({
    flags: { root },
    env: { CARREL_EMBEDDING_PROVIDER: 'none', CARREL_LIMITS_WORKERS: '1' },
    cwd: root,
    home: root,
  })
  serving = await serve(settings, { version: '0.0.0', signal: new AbortController().signal, ...options })
  return { ...serving, root }
}

async function takenPort(t: TestContext): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => void other.close())
  await once(other, 'listening')
  return (other.address() as AddressInfo).port
}

test('if the usual port is in use, a free one is used; a requested port in use is an error', async (t) => {
  const port = await takenPort(t)
  const serving = await start(t, { port, anyPort: true })
  assert.notEqual(new URL(serving.url).port, String(port))
  assert.equal((await fetch(`${serving.url}/healthz`)).status, 200)
  await assert.rejects(start(t, { port }), { code: 'port_in_use' })
})

test('a browser gets the page, a program the API, and both say how to connect', async (t) => {
  const { url } = await start(t, { port: 0 })
  const page = await fetch(`${url}/?q=anything`)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const [, script] = /<script type="module" src="([^"]+)"/.exec(await page.text()) ?? []
  assert.equal((await fetch(url + script)).status, 200)
  const status = (await (await fetch(`${url}/api/status`)).json()) as Record<string, unknown>
  assert.equal(status.url, url)
  assert.deepEqual(status.connect, snippets(url, { token: false }))
})

test('a missing project or data folder is reported as missing, and none is created', async (t) => {
  const { url, root, indexed } = await start(t)
  await indexed
  const call = async (tool: string, args: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/tools/${tool}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(args),
    })
    return `${answer.status} ${await answer.text()}`
  }
  const upload = (title: string) => call('manage_document', { action: 'create', title, content: 'words' })
  const discovery = { type: 'rule', content: 'Lamps are lit before dusk, never after.' }
  assert.match(await upload('First'), /"success":true/)

  renameSync(root, `${root}-away`)
  for (const [tool, args] of [
    ['read_file', { path: 'notes/a.md' }],
    ['grep_codebase', { pattern: 'lamp' }],
    ['create_node', { title: 'New', content: 'x' }],
    ['record_discovery', discovery],
  ] as const)
    assert.match(await call(tool, args), /^503 .*There is no folder at /, tool)
  assert.match(await upload('Second'), /"success":false,"error":"There is no folder at /)
  assert.equal(existsSync(root), false)
  writeFileSync(root, 'a file')
  assert.match(await call('grep_codebase', { pattern: 'lamp' }), /^503 .*There is no folder at /)
  assert.match(await call('read_file', { path: 'a.md' }), /^503 .*There is no folder at /)
  rmSync(root)
  renameSync(`${root}-away`, root)
  assert.match(await upload('Third'), /"success":true/)

  renameSync(join(root, '.carrel'), join(root, 'moved'))
  assert.match(await upload('Fourth'), /"success":false,"error":"The data folder .* is gone\./)
  assert.equal(existsSync(join(root, '.carrel')), false)
  renameSync(join(root, 'moved'), join(root, '.carrel'))
  assert.match(await call('record_discovery', discovery), /^200 /)
})

test('a part that fails to close is reported, and the others close all the same', async () => {
  const closed: number[] = []
  const step =
    (n: number, fails = false) =>
    async () => {
      closed.push(n)
      if (fails) throw new Error(`${n} failed`)
    }
  await assert.rejects(
    closeEach(step(1), step(2, true), () => undefined, step(3, true), step(4)),
    /2 failed/,
  )
  assert.deepEqual(closed, [1, 2, 3, 4])
})
