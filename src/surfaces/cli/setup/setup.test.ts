import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { checkGolden } from '../../../../test/tools/golden.js'
import { Problem } from '../../../model/problem.js'
import { clientNames, clients } from './clients.js'
import { changedLines, type SetupOptions, setupClient } from './setup.js'

interface Desk {
  home: string
  cwd: string
  run(client: string, more?: Partial<SetupOptions>): ReturnType<typeof setupClient>
}

function desk(t: { after(fn: () => void): void }, platform: NodeJS.Platform = 'linux'): Desk {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-setup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, 'home'), join(folder, 'project')]
  for (const one of [home, cwd]) mkdirSync(one)
  const run = (client: string, more: Partial<SetupOptions> = {}) =>
    setupClient({ client, home, cwd, command: ['carrel'], platform, env: {}, ...more })
  return { home, cwd, run }
}

const remote = clientNames.filter((client) => !clients[client].noAddress)

describe('each client gets its own form', () => {
  for (const client of clientNames)
    test(client, (t) => {
      const { home, cwd, run } = desk(t)
      const shown = (text: string | null) => (text ?? '').replaceAll(cwd, 'PROJECT').replaceAll(home, 'HOME')
      const place = (file: string) => shown(file).replace(/^(PROJECT|HOME)/, '$1')
      const local = run(client, { dryRun: true })
      const windows = setupClient({
        client,
        home,
        cwd,
        command: ['npx', '-y', 'carrel'],
        platform: 'win32',
        env: {},
        dryRun: true,
      })
      const far = remote.includes(client)
        ? run(client, { dryRun: true, url: 'http://127.0.0.1:7777/mcp', token: true })
        : null
      const parts = [
        `# ${place(local.file)}`,
        shown(local.after),
        `# Windows: ${place(windows.file)}`,
        shown(windows.after),
        ...(far ? ['# At an address', shown(far.after)] : []),
      ]
      checkGolden(`setup/${client}.txt`, parts.join('\n'))
      assert.equal(existsSync(local.file), false, 'a dry run writes nothing')
    })
})

/** Files as users have them, for each format. */
const existing: Record<'json' | 'toml', string[]> = {
  json: [
    '{}',
    '{\n  "theme": "dark"\n}\n',
    '// settings\n{\n\t"a": [1, 2,], // list\n\t/* servers */\n\t"KEY": {\n\t\t"other": { "command": "x", "env": { "A": "b" } }, // keep\n\t},\n}\n',
    '{\r\n    "KEY": {},\r\n    "z": 1\r\n}',
  ],
  toml: [
    '',
    'model = "o3"\n',
    '# mine\n[mcp_servers.other]\ncommand = "x"',
    'text = """\n[mcp_servers.carrel]\n"""\r\n',
  ],
}

describe('setting up and removing leaves the file as it was, to the byte', () => {
  for (const client of clientNames)
    for (const [i, sample] of existing[clients[client].format].entries())
      test(`${client}, file ${i + 1}`, (t) => {
        const { run } = desk(t)
        const { file } = run(client, { dryRun: true })
        const text = sample.replaceAll('KEY', clients[client].container[0]!)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
        const done = run(client)
        assert.equal(done.action, 'changed')
        assert.equal(readFileSync(file, 'utf8'), done.after)
        assert.equal(run(client).action, 'unchanged')
        assert.equal(run(client, { remove: true }).action, 'removed')
        assert.equal(readFileSync(file, 'utf8'), text)
        assert.deepEqual(
          [run(client, { remove: true })].map(({ action, notes }) => [action, notes]),
          [['absent', []]],
        )
        assert.deepEqual(
          readdirSync(dirname(file)),
          [relative(dirname(file), file)],
          'nothing is left lying about',
        )
      })
})

test('removal deletes a file that only we wrote', (t) => {
  for (const client of clientNames) {
    const { run } = desk(t)
    const { file, action } = run(client)
    assert.equal(action, 'created')
    run(client, { remove: true })
    assert.equal(existsSync(file), false, client)
  }
})

test('removal deletes the folders that setup made', (t) => {
  for (const client of clientNames)
    for (const scope of clients[client].project ? (['project', 'user'] as const) : (['user'] as const)) {
      const { home, cwd, run } = desk(t)
      run(client, { scope })
      assert.equal(run(client, { scope, remove: true }).action, 'removed')
      assert.deepEqual([readdirSync(home), readdirSync(cwd)], [[], []], `${client}, ${scope}`)
    }
})

test('removing leaves a folder alone that has other files', (t) => {
  const { cwd, run } = desk(t)
  run('cursor')
  writeFileSync(join(cwd, '.cursor', 'rules.md'), 'mine')
  run('cursor', { remove: true })
  assert.deepEqual(readdirSync(join(cwd, '.cursor')), ['rules.md'])
})

/** Servers by name, with their arguments, in a file of JSON or TOML. */
function serversIn(file: string): Record<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (file.endsWith('.toml')) {
    const tables = text.matchAll(/\[mcp_servers\.([\w-]+)\]\n(?:.+\n)*?args = (.*)/g)
    return Object.fromEntries([...tables].map(([, name, args]) => [name, args]))
  }
  const { mcpServers, context_servers, servers } = JSON.parse(text || '{}')
  const found = Object.entries<{ args?: string[] }>(mcpServers ?? context_servers ?? servers ?? {})
  return Object.fromEntries(found.map(([name, { args }]) => [name, JSON.stringify(args)]))
}

describe("a file of the user's own has one entry for each project", () => {
  const bound = ['claude-desktop', 'windsurf', 'zed', 'cursor', 'vscode'] as const
  for (const client of bound)
    test(client, (t) => {
      const { cwd, run } = desk(t)
      const [first, second, namesake] = ['Alpha Site', 'beta', 'more/beta'].map((name) => {
        const folder = join(cwd, name)
        mkdirSync(folder, { recursive: true })
        return folder
      }) as [string, string, string]
      const { file } = run(client, { scope: 'user', cwd: first })
      for (const folder of [second, namesake, second]) run(client, { scope: 'user', cwd: folder })
      const args = (folder: string) => JSON.stringify(['mcp', '--root', folder])
      const all = {
        'carrel-alpha-site': args(first),
        'carrel-beta': args(second),
        'carrel-beta-2': args(namesake),
      }
      assert.deepEqual(serversIn(file), all)
      assert.equal(run(client, { scope: 'user', cwd: namesake }).action, 'unchanged')

      assert.equal(run(client, { scope: 'user', cwd: second, remove: true }).action, 'removed')
      const { 'carrel-beta': _gone, ...left } = all
      assert.deepEqual(serversIn(file), left)
      const again = run(client, { scope: 'user', cwd: second, remove: true })
      assert.equal(again.action, 'absent')
      assert.match(again.notes.join(' '), /Alpha Site/, 'the note names the projects that are set up')
      for (const folder of [first, namesake]) run(client, { scope: 'user', cwd: folder, remove: true })
      assert.equal(existsSync(file), false)
    })
})

describe("a client that starts in its session's folder has one entry for all projects", () => {
  for (const client of ['codex', 'claude-code', 'gemini', 'opencode'] as const)
    test(client, (t) => {
      const { cwd, run } = desk(t)
      const [one, two] = [join(cwd, 'one'), join(cwd, 'two')]
      for (const folder of [one, two]) mkdirSync(folder)
      const { after, file, notes } = run(client, { scope: 'user', cwd: one })
      assert.doesNotMatch(after ?? '', /--root/)
      assert.match(notes.join(' '), /every project/)
      assert.equal(run(client, { scope: 'user', cwd: two }).action, 'unchanged')

      // Options are for the project they were given in: they get an entry of their own.
      run(client, { scope: 'user', cwd: two, words: ['--allow-outside'] })
      const both = readFileSync(file, 'utf8')
      assert.match(both, /carrel-two/)
      assert.ok(both.includes(JSON.stringify(two)) && !both.includes(JSON.stringify(one)), both)
      run(client, { scope: 'user', cwd: two, remove: true })
      assert.equal(readFileSync(file, 'utf8'), after, 'the entry of the project goes first')
      run(client, { scope: 'user', cwd: two, remove: true })
      assert.equal(existsSync(file), false)
    })
})

test('an entry that an older version wrote for another project is left alone', (t) => {
  const { home, cwd, run } = desk(t)
  const file = join(home, '.codex', 'config.toml')
  mkdirSync(dirname(file))
  const old = '[mcp_servers.carrel]\ncommand = "carrel"\nargs = ["mcp", "--root", "/projects/other"]\n'
  writeFileSync(file, old)
  run('codex')
  assert.deepEqual(serversIn(file), {
    carrel: '["mcp", "--root", "/projects/other"]',
    'carrel-project': JSON.stringify(['mcp', '--root', cwd]).replaceAll(',', ', '),
  })
  run('codex', { remove: true })
  assert.equal(readFileSync(file, 'utf8'), old)
  assert.equal(run('codex', { remove: true }).action, 'absent')
  assert.equal(run('codex', { remove: true, cwd: '/projects/other' }).action, 'removed')
})

test("a variable of the user's own in our entry is not taken for an address", (t) => {
  const { home, run } = desk(t)
  run('codex')
  const file = join(home, '.codex', 'config.toml')
  const more = '\n[mcp_servers.carrel.env]\nCARREL_RERANK_BASE_URL = "http://127.0.0.1:9"\n'
  writeFileSync(file, readFileSync(file, 'utf8') + more)
  assert.equal(run('codex').action, 'unchanged')
  assert.deepEqual(Object.keys(serversIn(file)), ['carrel'])
})

test('the backup is of the file before any project was set up', (t) => {
  const { cwd, run } = desk(t)
  const [one, two] = [join(cwd, 'one'), join(cwd, 'two')]
  const { file } = run('windsurf', { dryRun: true })
  mkdirSync(dirname(file), { recursive: true })
  const original = '{ "mcpServers": {} }\n'
  writeFileSync(file, original)
  for (const folder of [one, two]) run('windsurf', { cwd: folder })
  for (const folder of [one, two]) run('windsurf', { cwd: folder, remove: true })
  assert.equal(readFileSync(file, 'utf8'), original)
  assert.deepEqual(readdirSync(dirname(file)), [relative(dirname(file), file)])
})

test('a running server is an entry of its own in a file of the user, found by its address', (t) => {
  const { cwd, run } = desk(t)
  const [one, two] = [join(cwd, 'one'), join(cwd, 'two')]
  const url = 'http://127.0.0.1:7777/mcp'
  const { file } = run('windsurf', { cwd: one })
  run('windsurf', { cwd: two, url })
  assert.deepEqual(Object.keys(serversIn(file)), ['carrel-one', 'carrel-two'])
  assert.equal(run('windsurf', { cwd: one, url }).action, 'unchanged')
  run('windsurf', { cwd: two, remove: true })
  assert.deepEqual(Object.keys(serversIn(file)), ['carrel-one'])
})

test("removal keeps the user's later changes", (t) => {
  const { run } = desk(t)
  const { file } = run('cursor', { dryRun: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n')
  run('cursor')
  const changed = readFileSync(file, 'utf8').replace('"a": {},', '"a": {"command": "x"}, // new')
  writeFileSync(file, changed)
  run('cursor', { remove: true })
  assert.equal(readFileSync(file, 'utf8'), '{\n  "mcpServers": {\n    "a": {"command": "x"} // new\n  }\n}\n')
})

test("setup keeps the user's additions to our entry, and can change how the server is reached", (t) => {
  const { run } = desk(t)
  const { file } = run('cursor')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      '"args":',
      '"env": { "CARREL_LOG": "info" }, // louder\n      "args":',
    ),
  )
  run('cursor', { url: 'http://127.0.0.1:7777/mcp' })
  assert.equal(
    readFileSync(file, 'utf8'),
    '{\n  "mcpServers": {\n    "carrel": {\n      "env": { "CARREL_LOG": "info" }, // louder\n      "url": "http://127.0.0.1:7777/mcp"\n    }\n  }\n}\n',
  )
})

test('rights and links are kept', {
  skip: process.platform === 'win32' ? 'no such rights there' : false,
}, (t) => {
  const { home, run } = desk(t)
  const real = join(home, 'dotfiles.json')
  writeFileSync(real, '{\n}\n')
  chmodSync(real, 0o600)
  const { file } = run('gemini', { dryRun: true, scope: 'user' })
  mkdirSync(dirname(file), { recursive: true })
  symlinkSync(real, file)
  run('gemini', { scope: 'user' })
  assert.ok(lstatSync(file).isSymbolicLink())
  assert.equal(statSync(real).mode & 0o777, 0o600)
  assert.match(readFileSync(real, 'utf8'), /carrel/)
})

test("a project's file is not written through a link that leads out of the project", {
  skip: process.platform === 'win32' ? 'makes links' : false,
}, (t) => {
  const { home, cwd, run } = desk(t)
  const other = join(home, 'settings.json')
  writeFileSync(other, '{}\n')
  symlinkSync(other, join(cwd, '.mcp.json'))
  symlinkSync(home, join(cwd, '.cursor'))
  symlinkSync(join(home, 'nowhere.json'), join(cwd, 'opencode.json'))
  for (const client of ['claude-code', 'cursor', 'opencode'])
    assert.throws(
      () => run(client),
      (e) => e instanceof Problem && /leads out of the project by a link/.test(e.message),
      client,
    )
  assert.equal(readFileSync(other, 'utf8'), '{}\n')
  assert.deepEqual(readdirSync(home), ['settings.json'])
})

test('a broken file is named and not touched', (t) => {
  const { run } = desk(t)
  const { file } = run('vscode', { dryRun: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{"servers": {"a": 1,, }}')
  assert.throws(
    () => run('vscode'),
    (e) => e instanceof Problem && e.message.includes(file) && /line 1/.test(e.message),
  )
  assert.equal(readFileSync(file, 'utf8'), '{"servers": {"a": 1,, }}')
})

test('names a file that cannot be read or written, with the reason', (t) => {
  const { home, cwd, run } = desk(t)
  const refuses = (client: string, message: RegExp) =>
    assert.throws(
      () => run(client),
      (e) => e instanceof Problem && e.code === 'closed_file' && message.test(e.message),
    )
  writeFileSync(join(home, '.codeium'), 'a file, not a folder')
  refuses('windsurf', /^\S+\/\.codeium\/windsurf\/mcp_config\.json cannot be changed: \w+ at \S+\.$/)
  mkdirSync(join(cwd, '.mcp.json'))
  refuses('claude-code', /\.mcp\.json cannot be changed: EISDIR/)
})

test('a file of the project that leads out of it by a link is not touched', {
  skip: process.platform === 'win32' ? 'links need rights there' : false,
}, (t) => {
  const { home, cwd, run } = desk(t)
  const elsewhere = join(home, 'theirs.json')
  writeFileSync(elsewhere, '{}')
  symlinkSync(elsewhere, join(cwd, '.mcp.json'))
  symlinkSync(home, join(cwd, '.cursor'))
  for (const client of ['claude-code', 'cursor'])
    assert.throws(
      () => run(client),
      (e) => e instanceof Problem && /leads out of the project by a link/.test(e.message),
    )
  assert.equal(readFileSync(elsewhere, 'utf8'), '{}')
  assert.deepEqual(readdirSync(home), ['theirs.json'])
  // A link that stays inside is followed.
  writeFileSync(join(cwd, 'servers.json'), '{}')
  mkdirSync(join(cwd, '.vscode'))
  symlinkSync(join(cwd, 'servers.json'), join(cwd, '.vscode', 'mcp.json'))
  assert.equal(run('vscode').action, 'changed')
})

test('a pipe in place of a file is not waited for', {
  skip: process.platform === 'win32' ? 'no such files there' : false,
}, (t) => {
  const { cwd, run } = desk(t)
  execFileSync('mkfifo', [join(cwd, '.mcp.json')])
  assert.throws(() => run('claude-code'), /It is not a regular file\./)
})

test('ignores a variable that is no absolute path, so that nothing is written into the current folder', (t) => {
  const { home, run } = desk(t)
  for (const client of clientNames)
    for (const folder of ['', '.', 'conf']) {
      const env = { XDG_CONFIG_HOME: folder, CODEX_HOME: folder }
      const { file } = run(client, { dryRun: true, scope: 'user', env })
      assert.ok(file.startsWith(home), `${client}: ${file}`)
    }
})

test('opencode files of the second version keep their servers where they are', (t) => {
  const { run } = desk(t)
  const { file } = run('opencode', { dryRun: true })
  writeFileSync(file, '{\n  "mcp": {\n    "servers": {}\n  }\n}\n')
  assert.match(run('opencode').after ?? '', /"servers": \{\n {6}"carrel"/)
})

test('refuses an impossible setup with a hint', (t) => {
  const { run } = desk(t)
  const refuses = (client: string, more: Partial<SetupOptions>, hint: RegExp) =>
    assert.throws(
      () => run(client, more),
      (e) => e instanceof Problem && hint.test(e.hint ?? ''),
    )
  refuses('curser', {}, /Did you mean "cursor"/)
  refuses('claude-desktop', { url: 'http://x/mcp' }, /Connectors/)
  refuses('windsurf', { scope: 'project' }, /--scope user/)
  refuses('cursor', { name: 'a b' }, /letters/)
  for (const url of ['nope', '', 'ftp://desk.example/mcp', 'http://', '127.0.0.1:7373'])
    refuses('cursor', { url }, /carrel serve/)
})

test('the client starts the server with the given options', (t) => {
  const { cwd, run } = desk(t)
  const [sibling, inside] = [join(dirname(cwd), 'index'), join(cwd, 'conf', 'x.json')]
  const given = { paths: { '--data': sibling, '--config': inside }, words: ['--set', 'watch=off'] }
  const argsOf = (client: string, more: Partial<SetupOptions> = {}) => {
    const { mcpServers } = JSON.parse(run(client, { dryRun: true, ...given, ...more }).after!)
    return (mcpServers.carrel ?? mcpServers['carrel-project']).args
  }
  const words = (config: string) => ['--data', sibling, '--config', config, '--set', 'watch=off']
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the folder in
  const folder = '${workspaceFolder}'
  assert.deepEqual(argsOf('cursor'), ['mcp', '--root', folder, ...words(`${folder}/conf/x.json`)])
  assert.deepEqual(argsOf('cursor', { scope: 'user' }), ['mcp', '--root', cwd, ...words(inside)])
  assert.deepEqual(argsOf('claude-code'), ['mcp', ...words('conf/x.json')])
  const { notes } = run('cursor', { dryRun: true, ...given, url: 'http://127.0.0.1:7373/mcp' })
  assert.match(notes.join(' '), /its own configuration; --data is not written down/)
})

test("a project's own copy is named from the project's folder, in files of the project only", (t) => {
  const { cwd, run } = desk(t)
  const launcher = join(cwd, 'node_modules/carrel/bin/carrel.mjs')
  const given = { command: ['/usr/bin/node', launcher], portableCommand: ['node', launcher], dryRun: true }
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the folder in
  const folder = '${workspaceFolder}'
  const entry = (client: string, scope: 'project' | 'user') => {
    const { after } = run(client, { ...given, scope })
    return Object.values<{ command: string; args: string[] }>(JSON.parse(after!).mcpServers)[0]!
  }
  const { command, args } = entry('claude-code', 'project')
  assert.deepEqual([command, ...args], ['node', 'node_modules/carrel/bin/carrel.mjs', 'mcp'])
  assert.equal(entry('cursor', 'project').args[0], `${folder}/node_modules/carrel/bin/carrel.mjs`)
  assert.equal(entry('claude-code', 'user').command, '/usr/bin/node')
  assert.equal(entry('claude-code', 'user').args[0], launcher)
  const { notes } = run('claude-code', { dryRun: true, command: ['/usr/bin/node', '/opt/carrel.mjs'] })
  assert.match(notes.join(' '), /path on this machine/)
})

test('the changed lines can be shown', (t) => {
  const { run } = desk(t)
  const { file } = run('cursor', { dryRun: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n')
  const shown = changedLines(run('cursor', { dryRun: true }))
  assert.match(shown, /^- {5}"a": \{\}\n\+ {5}"a": \{\},\n\+ {5}"carrel": \{\n/)
})

test('shows only the changed part of a long line', (t) => {
  const { run } = desk(t)
  const { file } = run('cursor', { dryRun: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `{"key":"${'k'.repeat(300)}","mcpServers":{"a":{}}}`)
  const shown = changedLines(run('cursor', { dryRun: true }))
  assert.match(shown, /"carrel"/)
  assert.doesNotMatch(shown, /kkk/)
})

test('a backup has no wider permissions than the file, whose permissions stay', (t) => {
  for (const rights of [0o600, 0o664]) {
    const { run } = desk(t)
    const { file } = run('cursor', { dryRun: true })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{}\n')
    chmodSync(file, rights)
    run('cursor')
    for (const one of [file, `${file}.carrel-backup`]) assert.equal(statSync(one).mode & 0o777, rights, one)
  }
})

test('a file that is not UTF-8 is left as it is', (t) => {
  const { run } = desk(t)
  const { file } = run('cursor', { dryRun: true })
  mkdirSync(dirname(file), { recursive: true })
  const bytes = Buffer.from('{"a": "caf\xe9"}\n', 'latin1')
  writeFileSync(file, bytes)
  assert.throws(() => run('cursor'), /cannot be changed\. It is not UTF-8\./)
  assert.deepEqual(readFileSync(file), bytes)
})
