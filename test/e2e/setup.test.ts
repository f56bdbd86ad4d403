// What `carrel setup` writes is started as a client would start it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { setup } from '../../src/app/setup.js'
import { copyNotes, projectRoot, temporaryFolder } from '../support/world.js'

const bin = join(projectRoot, 'bin/carrel.mjs')
const env = { ...process.env, CARREL_EMBEDDING_PROVIDER: 'none', NO_COLOR: '1' } as Record<string, string>
const clients = [
  ...['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex'],
  ...['gemini', 'windsurf', 'zed', 'opencode'],
]

test('every client is given one command for one folder', async (t) => {
  const [home, root] = [temporaryFolder(t), copyNotes(t)]
  const before = { ...process.env }
  t.after(() => {
    process.env = before
  })
  Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: join(home, '.config') })
  for (const client of clients) {
    const { changedLines, result } = await setup({ client, dryRun: true, root })
    assert.ok(result.file.startsWith(home) || result.file.startsWith(root), result.file)
    assert.equal(changedLines.match(/"mcp"/g)?.length, client === 'opencode' ? 2 : 1, changedLines)
    assert.ok((changedLines.match(/--root/g)?.length ?? 0) <= 1, changedLines)
  }
})

test('a folder that there is not is refused, and one below the root means the root', async (t) => {
  const root = copyNotes(t)
  await assert.rejects(setup({ client: 'cursor', root: join(root, 'new') }), { code: 'usage' })
  assert.equal(existsSync(join(root, 'new')), false)
  writeFileSync(join(root, 'carrel.json'), '{}')
  mkdirSync(join(root, 'deep/down'), { recursive: true })
  const at = process.cwd()
  t.after(() => process.chdir(at))
  process.chdir(join(root, 'deep/down'))
  const { result } = await setup({ client: 'claude-code', dryRun: true })
  assert.equal(result.file, join(root, '.mcp.json'))
  const user = await setup({ client: 'claude-code', dryRun: true, scope: 'user' })
  assert.ok(!user.changedLines.includes('--root'), 'Claude Code starts in the folder of its session')
  const bound = await setup({ client: 'cursor', dryRun: true, scope: 'user' })
  assert.ok(bound.changedLines.includes(`"${root}"`), bound.changedLines)
})

const desk = '"--profile", "desk"'

test('a project inside another is the one that is served', async (t) => {
  const outer = copyNotes(t)
  const root = join(outer, 'own')
  mkdirSync(root)
  writeFileSync(join(outer, 'carrel.json'), '{}')
  const args = async (client: string, folder: string) =>
    /"mcp"(?:, )?(.*)\]/.exec((await setup({ client, dryRun: true, root: folder })).changedLines)?.[1]
  for (const client of ['claude-code', 'gemini', 'opencode']) {
    assert.equal(await args(client, root), `"--root", ".", ${desk}`, client)
    assert.equal(await args(client, outer), desk, client)
  }
  writeFileSync(join(root, 'context.json'), '{}')
  assert.equal(await args('claude-code', root), desk)
})

test('the options of the command line are written down, once they can work', async (t) => {
  const root = copyNotes(t)
  const given = { client: 'claude-code', dryRun: true, root, data: join(root, 'x'), allowOutside: true }
  const { changedLines } = await setup({ ...given, set: ['watch=off'] })
  for (const word of ['--data', 'x', '--set', 'watch=off', '--allow-outside'])
    assert.ok(changedLines.includes(`"${word}"`), changedLines)
  await assert.rejects(setup({ ...given, set: ['wacth=off'] }), { code: 'usage' })
  await assert.rejects(setup({ ...given, config: join(root, 'none.json') }), { code: 'usage' })
})

test('a client that was set up for another folder reaches that one', async (t) => {
  const [home, root] = [temporaryFolder(t), copyNotes(t)]
  const elsewhere = join(home, 'elsewhere')
  mkdirSync(elsewhere)
  const args = [bin, 'setup', '--client', 'cursor', '--scope', 'user', '--root', root, '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: elsewhere,
    env: { ...env, HOME: home },
    encoding: 'utf8',
  })
  assert.match(stdout, /"file"/, stderr)
  const { file } = JSON.parse(stdout) as { file: string }
  assert.ok(file.startsWith(home), file)
  const written = JSON.parse(readFileSync(file, 'utf8')) as {
    mcpServers: Record<string, { command: string; args: string[] }>
  }
  const { command, args: words } = Object.values(written.mcpServers)[0]!
  const client = new Client({ name: 'setup', version: '1' })
  await client.connect(
    new StdioClientTransport({ command, args: words, cwd: elsewhere, env, stderr: 'ignore' }),
  )
  t.after(() => client.close())
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'find'))
  assert.ok(words.includes(root))
})

test('an invalid home is ignored, and the report is about the entry, not the file', async (t) => {
  const root = copyNotes(t)
  const typed = (...words: string[]) => {
    const args = [bin, 'setup', '--root', '.', ...words]
    return spawnSync(process.execPath, args, { cwd: root, env: { ...env, HOME: '' }, encoding: 'utf8' })
  }
  const away = typed('--client', 'windsurf', '--dry-run')
  assert.match(away.stdout, /^\/\S*\.codeium\/windsurf\/mcp_config\.json: /, away.stderr)
  assert.ok(!away.stdout.startsWith(root), away.stdout)

  writeFileSync(join(root, '.mcp.json'), '{ "mcpServers": { "other": { "command": "x" } } }')
  assert.match(typed('--client', 'claude-code').stdout, /^\S+\.mcp\.json: The file is changed\.\n/)
  assert.match(typed('--client', 'claude-code').stdout, /Carrel is in the file already; nothing changes\.\n$/)
  const out = typed('--client', 'claude-code', '--remove', '--dry-run')
  assert.match(out.stdout, /^\S+\.mcp\.json: The entry would be removed\.\n/)
  assert.match(typed('--client', 'claude-code', '--remove').stdout, /: The entry is removed\.\n/)
  assert.ok(existsSync(join(root, '.mcp.json')))
})
