// The memory of a project across real server processes: one that ends with its client, one that is killed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { copyNotes, projectRoot } from '../support/world.js'

const env = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none' } as Record<string, string>

async function serve(t: TestContext, root: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(projectRoot, 'bin/carrel.mjs'), 'mcp', '--root', root],
    env,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'sitter', version: '1' })
  await client.connect(transport)
  t.after(() => client.close())
  return {
    pid: transport.pid!,
    close: () => client.close(),
    async ask<T>(name: string, args: object): Promise<T> {
      const { content } = await client.callTool({ name, arguments: args as never })
      return JSON.parse((content as { text: string }[])[0]!.text) as T
    },
    async sessions() {
      const { contents } = await client.readResource({ uri: 'context://sessions/recent' })
      const { text } = contents[0] as { text: string }
      return (JSON.parse(text) as { sessions: { id: string; ended: string | null; client: string }[] })
        .sessions
    },
  }
}

async function until<T>(look: () => Promise<T>, done: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + 20_000
  for (;;) {
    const seen = await look()
    if (done(seen) || Date.now() > end) return seen
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('discoveries of one client are found by the next, with the session that it ended or lost', async (t) => {
  const root = copyNotes(t)
  const first = await serve(t, root)
  const { session_id: ended } = await first.ask<{ session_id: string }>('record_discovery', {
    type: 'decision',
    content: 'The lamp oil is ordered from the northern depot',
  })
  await first.close()

  const second = await serve(t, root)
  const { results } = await second.ask<{ results: { content: string; session: string }[] }>(
    'context_search',
    {
      query: 'where is the lamp oil ordered',
      type: 'decision',
    },
  )
  assert.deepEqual(
    [results[0]?.content, results[0]?.session],
    ['The lamp oil is ordered from the northern depot', ended],
  )
  const known = await second.sessions()
  assert.equal(known.find(({ id }) => id === ended)?.ended, 'disconnect')
  assert.equal(known.find(({ id }) => id === ended)?.client, 'sitter')
  const open = known.find(({ ended: how }) => how === null)!.id
  process.kill(second.pid, 'SIGKILL')

  const third = await serve(t, root)
  const after = await until(
    () => third.sessions(),
    (all) => all.some(({ ended: how }) => how === 'crash'),
  )
  assert.equal(after.find(({ id }) => id === open)?.ended, 'crash')
})

test('a session that is killed after its first calls is there at the next start, under the name it was given', async (t) => {
  const root = copyNotes(t)
  const first = await serve(t, root)
  await first.ask('read_file', { path: 'notes/glossary.md', session_id: 'my-session-1' })
  const statement = { type: 'rule', content: 'The lamp is lit before the fog comes in' }
  const { session_id } = await first.ask<{ session_id: string }>('record_discovery', statement)
  process.kill(first.pid, 'SIGKILL')

  const second = await serve(t, root)
  const after = await until(
    () => second.sessions(),
    (all) => all.filter(({ ended }) => ended === 'crash').length === 2,
  )
  const crashed = after.filter(({ ended }) => ended === 'crash').map(({ id }) => id)
  assert.deepEqual(crashed.sort(), ['my-session-1', session_id].sort())
})

test('over HTTP a session ends when its client does', async (t) => {
  const args = ['serve', '--root', copyNotes(t), '--port', '0', '--json', '--quiet']
  const server = spawn(process.execPath, [join(projectRoot, 'bin/carrel.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  })
  t.after(() => void server.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  const { mcp } = JSON.parse(line) as { mcp: string }
  const sit = async (name: string) => {
    const transport = new StreamableHTTPClientTransport(new URL(mcp))
    const client = new Client({ name, version: '1' })
    await client.connect(transport)
    t.after(() => client.close())
    const list = async () => {
      const { contents } = await client.readResource({ uri: 'context://sessions/recent' })
      const { sessions } = JSON.parse((contents[0] as { text: string }).text) as {
        sessions: { client: string; ended: string | null }[]
      }
      return sessions
    }
    return { client, transport, list }
  }
  const [leaving, staying] = [await sit('leaving'), await sit('staying')]
  for (const { client } of [leaving, staying])
    await client.callTool({ name: 'grep_codebase', arguments: { pattern: 'lantern' } })
  await leaving.transport.terminateSession()
  const seen = await until(staying.list, (all) => all.some(({ ended }) => ended !== null))
  assert.deepEqual(Object.fromEntries(seen.map(({ client, ended }) => [client, ended])), {
    leaving: 'disconnect',
    staying: null,
  })
})
