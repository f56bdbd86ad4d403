// Every call is logged as settled: its duration and sizes at level info, contents never.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { projectRoot, temporaryFolder, write } from '../support/world.js'

const bin = join(projectRoot, 'bin/carrel.mjs')

/** What a server wrote on stderr while it answered one call that works and one that does not. */
async function loggedBy(t: TestContext, args: string[], more: Record<string, string> = {}): Promise<string> {
  const root = temporaryFolder(t)
  write(root, { 'notes/a.md': '# Heron\n\nThe heron stands in the reeds.\n' })
  const env = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none', ...more } as Record<string, string>
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', '--root', root, ...args],
    env,
    stderr: 'pipe',
  })
  let output = ''
  transport.stderr?.on('data', (bytes: Buffer) => {
    output += bytes.toString()
  })
  const client = new Client({ name: 'listener', version: '1' })
  await client.connect(transport)
  await client.callTool({ name: 'grep_codebase', arguments: { pattern: 'sesamoid heron', limit: 3 } })
  await client.callTool({ name: 'context_search', arguments: { query: 'qz' } })
  await client.close()
  return output
}

const linesOf = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

for (const [title, args, env] of [
  ['--log-level info', ['--log-level', 'info'], {}],
  ['CARREL_LOG_LEVEL=info', [], { CARREL_LOG_LEVEL: 'info' }],
] as const)
  test(`${title} shows every call with its duration and the size of its result, and no contents`, async (t) => {
    const log = await loggedBy(t, [...args], env)
    const [first, second] = linesOf(log)
    assert.equal(first.tool, 'grep_codebase')
    assert.ok(first.ms > 0 && first.size > 20 && first.results === 0 && first.level === 30)
    assert.deepEqual(first.args, { pattern: '[14 chars]', limit: 3 })
    assert.equal(second.tool, 'context_search')
    assert.doesNotMatch(log, /sesamoid|"qz"/)
  })

test('by default a server on stdio logs no call that works', async (t) => {
  assert.deepEqual(
    linesOf(await loggedBy(t, [])).map(({ tool }) => tool),
    ['context_search'],
  )
})

test('--log-level silent logs nothing, and a level that there is not is refused', async (t) => {
  assert.deepEqual(linesOf(await loggedBy(t, ['--log-level', 'silent'], { CARREL_LOG_LEVEL: 'info' })), [])
  await assert.rejects(loggedBy(t, [], { CARREL_LOG_LEVEL: 'loud' }))
})
