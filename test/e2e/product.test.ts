// The product as a client meets it: real processes, real client libraries, the sample library.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { copyNotes, copySample, projectRoot } from '../support/world.js'

const bin = join(projectRoot, 'bin/carrel.mjs')
// Words are enough here; the model has tests of its own.
const env = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none', NO_COLOR: '1' } as Record<string, string>

async function connected(
  t: TestContext,
  transport: ConstructorParameters<typeof StdioClientTransport>[0] | URL,
  pin?: string,
) {
  const client = new Client(
    { name: 'e2e', version: '1' },
    pin ? { versionNegotiation: { mode: { pin } } } : {},
  )
  await client.connect(
    transport instanceof URL
      ? new StreamableHTTPClientTransport(transport)
      : new StdioClientTransport(transport),
  )
  t.after(() => client.close())
  return client
}

/** The answer's first passage names what was asked for. */
async function asks(client: Client) {
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'documents_search'))
  const answer = await client.callTool({
    name: 'documents_search',
    arguments: { query: 'LNT-4031 quiet hours', limit: 2 },
  })
  const [{ text }] = answer.content as unknown as [{ text: string }]
  const [first] = JSON.parse(text) as { documentId: string; relevanceScore: number }[]
  assert.equal(first!.documentId, 'guides/troubleshooting.md')
  assert.deepEqual(answer.structuredContent, { result: JSON.parse(text) })
}

describe('carrel mcp', () => {
  for (const pin of [undefined, '2026-07-28'])
    test(`answers ${pin ?? 'an older client'} at once, and while it still indexes`, async (t) => {
      const root = copyNotes(t, 'guides')
      const client = await connected(
        t,
        { command: process.execPath, args: [bin, 'mcp', '--root', root], env, stderr: 'inherit' },
        pin,
      )
      assert.match(client.getInstructions() ?? '', /Carrel looks things up/)
      const until = Date.now() + 20_000
      for (;;) {
        const { content } = await client.callTool({ name: 'documents_list_collections', arguments: {} })
        const [{ text }] = content as unknown as [{ text: string }]
        // Before the first source is known, the answer is a sentence.
        const listed = text.startsWith('[') ? (JSON.parse(text) as { documentCount: number }[]) : []
        if (listed[0]?.documentCount === 44 || Date.now() > until) break
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      await asks(client)
    })

  test('ends with its client and leaves no lease behind', async (t) => {
    const root = copyNotes(t)
    const child = spawn(process.execPath, [bin, 'mcp', '--root', root], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.write(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n',
    )
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    assert.equal(
      (JSON.parse(line) as { result: { serverInfo: { name: string } } }).result.serverInfo.name,
      'carrel',
    )
    child.stdin.end()
    const [code] = (await once(child, 'exit')) as [number]
    assert.equal(code, 0)
    const again = spawn(process.execPath, [bin, 'index', '--root', root, '--json', '--words-only'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [done] = (await once(again, 'exit')) as [number]
    assert.equal(done, 0)
  })
})

describe('carrel serve', () => {
  test('prints its address, serves clients of both eras and each toolset, and stops on request', async (t) => {
    const root = copySample(t)
    const child = spawn(
      process.execPath,
      [bin, 'serve', '--port', '0', '--json', '--quiet', '--root', root],
      { env, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    t.after(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { url, mcp } = JSON.parse(line) as { url: string; mcp: string }
    await asks(await connected(t, new URL(mcp)))
    await asks(await connected(t, new URL(mcp), '2026-07-28'))
    const few = await connected(t, new URL(`${mcp}/graph`))
    assert.ok((await few.listTools()).tools.every(({ name }) => !name.startsWith('documents_')))
    const status = (await (await fetch(`${url}/api/status`)).json()) as { documents: number }
    assert.equal(status.documents, 106)
    assert.match(
      await (await fetch(`${url}/metrics`)).text(),
      /carrel_tool_calls_total\{tool="documents_search"\} [1-9]/,
    )
    const denied = await fetch(`${url}/api/status`, { headers: { origin: 'http://evil.example' } })
    assert.equal(denied.status, 403)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number]
    assert.equal(code, 143)
  })

  test('stops in order when its terminal closes, even if the signal comes twice', async (t) => {
    const args = ['serve', '--port', '0', '--json', '--quiet', '--root', copyNotes(t)]
    const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => void child.kill('SIGKILL'))
    await once(createInterface({ input: child.stdout }), 'line')
    child.kill('SIGHUP')
    child.kill('SIGHUP')
    assert.deepEqual(await once(child, 'exit'), [129, null])
  })

  test('asks for the token of CARREL_TOKEN where there is one, and other commands do not mind it', async (t) => {
    const root = copyNotes(t)
    const token = 'a-token-that-is-long-enough'
    const args = ['serve', '--port', '0', '--json', '--quiet', '--root', root]
    const child = spawn(process.execPath, [bin, ...args], {
      env: { ...env, CARREL_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const status = (authorization: string) => fetch(`${url}/api/status`, { headers: { authorization } })
    assert.equal((await status('')).status, 401)
    assert.equal((await status(`Bearer ${token}`)).status, 200)
    const statusCall = spawn(process.execPath, [bin, 'status', '--root', root], {
      env: { ...env, CARREL_TOKEN: token },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(statusCall, 'exit')) as [number]
    assert.equal(code, 0)
  })

  const held = process.platform === 'win32' && 'Windows keeps open files in place'
  test('ends on request, even if nothing can be saved any more', {
    skip: held,
    timeout: 60_000,
  }, async (t) => {
    const root = copyNotes(t)
    const args = ['serve', '--port', '0', '--json', '--quiet', '--root', root]
    const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    t.after(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { url } = JSON.parse(line) as { url: string }
    const call = (name: string, body: object) =>
      fetch(`${url}/api/tools/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    // A session is open now that the end of the server has to save.
    const recorded = await call('record_discovery', { type: 'decision', content: 'Oil comes from the north' })
    assert.equal(recorded.status, 200)
    const data = join(root, '.carrel')
    const index = openSync(join(data, 'index.sqlite'), 'r+')
    writeSync(index, Buffer.alloc(fstatSync(index).size, 'x'))
    closeSync(index)
    await call('documents_search', { query: 'oil' })
    rmSync(data, { recursive: true, force: true })
    child.kill('SIGTERM')
    const waiting = new AbortController()
    const code = await Promise.race([
      once(child, 'exit').then(([code]) => code),
      sleep(20_000, 'it did not end', { signal: waiting.signal }),
    ])
    waiting.abort()
    assert.equal(code, 143)
  })

  test('refuses an address beyond this machine without a token, and says how', async (t) => {
    const root = copyNotes(t)
    const child = spawn(
      process.execPath,
      [bin, 'serve', '--host', '0.0.0.0', '--port', '0', '--root', root],
      { env, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let output = ''
    child.stderr.on('data', (data) => {
      output += data
    })
    const [code] = (await once(child, 'exit')) as [number]
    assert.equal(code, 2)
    assert.match(output, /token/i)
    assert.doesNotMatch(output, /\n\s+at /)
    assert.ok(existsSync(root))
  })
})

test('a note with a thousand brackets in its frontmatter is written, and the process lives', async (t) => {
  const root = copyNotes(t)
  const child = spawn(process.execPath, [bin, 'tool', 'create_node', '-', '--root', root], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (data) => {
    output += data
  })
  child.stdin.end(JSON.stringify({ title: 'Deep', content: `---\na: ${'{a: '.repeat(1000)}\n---\nbody` }))
  await once(child, 'close')
  assert.equal(child.signalCode, null)
  assert.doesNotMatch(output, /FATAL/)
  assert.ok(existsSync(join(root, 'deep.md')))
})
