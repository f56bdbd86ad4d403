// Wrong command lines: every command answers in a sentence, with the right exit code, and never with a stack trace.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { loadSettings } from '../../src/app/config/load.js'
import { services } from '../../src/app/main.js'
import { pack } from '../../src/toolsets/packages/pack.js'
import { runOn } from '../cli-stage.js'
import { temporaryFolder, write } from '../support/world.js'

const env = { CARREL_EMBEDDING_PROVIDER: 'none', NO_COLOR: '1' }

/** A project, its parent as the user's home, and a way to type in it. */
function desk(t: TestContext) {
  const home = realpathSync(temporaryFolder(t))
  const root = join(home, 'project')
  write(root, { 'docs/keys.md': '# Keys\n\nWe rotate keys every quarter.\n', 'empty.md': '' })
  for (const folder of ['.git', 'bare']) mkdirSync(join(root, folder))
  const at = process.cwd()
  t.after(() => process.chdir(at))
  process.chdir(root)
  const settings: Parameters<typeof runOn>[0]['settings'] = (flags) =>
    loadSettings({ flags, env, cwd: process.cwd(), home })
  const typed = (...argv: string[]) => runOn({ settings, services, env }, ...argv)
  return { home, root, typed }
}

type Case = [argv: string[], code: 0 | 1 | 2, said: RegExp]

const folderNotFile = /is a folder, not a file\./
const noPath = /The path of a file is expected\./

const cases: Case[] = [
  [['nope'], 2, /Unknown command 'nope'/],
  [['nope', '--help'], 2, /Unknown command 'nope'/],
  [['help', 'nope'], 2, /Unknown command 'nope'/],
  [['graph', 'nope'], 2, /Unknown command 'nope'/],
  [['graph', 'nope', '--help'], 2, /Unknown command 'nope'/],
  [['--root', 'gone', 'status'], 2, /There is no folder \S+\/gone/],
  [['--root', 'docs/keys.md', 'status'], 2, /is a file, not a folder/],
  [['--data', 'docs/keys.md', 'status'], 2, /data folder \S+keys\.md is a file, not a folder/],
  [['--config', 'gone.json', 'status'], 2, /There is no configuration file/],
  [['--config', 'docs/keys.md', 'status'], 2, /is not valid JSON/],
  [['--set', 'nope', 'status'], 2, /has no "="/],
  [['search'], 2, /Missing required argument 'QUERY'/],
  [['search', ' '], 2, /The question is empty/],
  [['search', 'keys', '--limit', '0'], 2, /from 1 to 1,000/],
  [['search', 'keys', '--collection', 'nope'], 1, /no collection "nope"/],
  [['remember'], 2, /Missing required argument 'TEXT'/],
  [['remember', 'x'], 2, /10 to 1,000 characters/],
  [['remember', ''], 2, /10 to 1,000 characters/],
  [['remember', 'we keep it '.repeat(100)], 2, /10 to 1,000 characters/],
  [['add', 'gone', '--as', 'x'], 1, /There is nothing at gone/],
  [['add', 'docs'], 2, /--as/],
  [['add', 'docs/keys.md', '--as', 'x'], 2, /is not the address of a package/],
  [['remove', 'nope'], 1, /There is no package "nope"/],
  [['sync', 'nope'], 1, /There is no package "nope"/],
  [['pack', 'gone'], 1, /There is nothing at gone/],
  [['pack', ''], 2, /The path of a folder is expected/],
  [['pack', 'docs'], 1, /There is no manifest\.json/],
  [['export', 'nope', 'x.gz'], 1, /There is no source nope/],
  [['export', 'Uploads', ''], 2, noPath],
  [['import', ''], 2, noPath],
  [['import', 'gone.gz'], 1, /There is no file \S+gone\.gz/],
  [['import', 'bare'], 1, folderNotFile],
  [['import', 'empty.md'], 1, /it is empty or cut short/],
  [['import', 'docs/keys.md'], 1, /it is not a \.tar\.gz file.*\n.*carrel import notes FILE/],
  [['import', 'notes', ''], 2, noPath],
  [['import', 'notes', 'gone.md'], 1, /There is no file at gone\.md/],
  [['import', 'notes', 'bare'], 1, folderNotFile],
  [['import', 'notes', 'empty.md'], 0, /no statements found/],
  [['import', 'transcript', 'bare'], 1, folderNotFile],
  [['import', 'transcript', 'empty.md'], 1, /is no transcript/],
  [['crawl'], 2, /A URL to start from is missing/],
  [['crawl', 'nope'], 2, /must start with http/],
  [['crawl', 'http://10.0.0.1/'], 1, /--allow-private-network/],
  [['check', 'nope'], 2, /Too many arguments/],
  [['setup'], 2, /The client is missing/],
  [['eval', ''], 2, /The path of a folder is expected/],
  [['eval', 'bare'], 1, /There is no corpus\.jsonl/],
  [['serve', '--port', 'x'], 2, /from 0 to 65,535/],
  [['tool', 'nope'], 2, /There is no tool "nope"/],
  [['tool', 'read_file', '{'], 2, /not valid JSON/],
  [['tool', 'read_file', '[]'], 2, /./],
]

test('a wrong command line is answered in a sentence, with 1 or 2', async (t) => {
  const { typed } = desk(t)
  for (const [argv, code, expected] of cases) {
    const result = await typed(...argv)
    const all = result.out + result.err
    assert.equal(result.code, code, `${argv.join(' ')}: ${all}`)
    assert.match(all, expected, argv.join(' '))
    assert.doesNotMatch(all, /\n\s+at |inside Carrel|undefined|\bE[A-Z]{4,}\b|Z_[A-Z]+/, argv.join(' '))
  }
})

test('a pipe in place of a package is refused, not waited for', {
  skip: process.platform === 'win32' ? 'no such files there' : false,
}, async (t) => {
  const { root, typed } = desk(t)
  for (const name of ['p.tar.gz', 'p.json']) {
    execFileSync('mkfifo', [join(root, name)])
    const result = await typed('add', name, '--as', 'x')
    assert.deepEqual([result.code, /is not the address of a package/.test(result.err)], [2, true], result.err)
  }
  write(root, { 'context.json': '{"collections": {"x": {"url": "p.tar.gz"}}}' })
  assert.match((await typed('sync')).out, /is not the address of a package/)
})

test('a bundle can be written only where there is a folder for it', async (t) => {
  const { typed } = desk(t)
  await typed('tool', 'manage_document', '{"action": "create", "title": "A", "content": "# A\\n\\nText."}')
  const errorFor = async (file: string) => (await typed('export', 'Uploads', file)).err
  assert.match(await errorFor('bare'), /bare is a folder, not a file\./)
  assert.match(await errorFor('gone/x.gz'), /There is no folder \S+\/gone\./)
  assert.match(await errorFor('empty.md/x.gz'), /empty\.md is not a folder\./)
})

describe('a file that is no bundle says so in words', () => {
  let bundle: Buffer
  before(async () => {
    bundle = gzipSync(Buffer.from('not a tar archive'))
  })
  const check = (title: string, bytes: () => Buffer, expected: RegExp) =>
    test(title, async (t) => {
      const { root, typed } = desk(t)
      writeFileSync(join(root, 'x.tar.gz'), bytes())
      for (const argv of [
        ['import', 'x.tar.gz'],
        ['add', 'x.tar.gz', '--as', 'x'],
      ]) {
        const result = await typed(...argv)
        assert.deepEqual(
          [result.code, expected.test(result.out + result.err)],
          [1, true],
          result.out + result.err,
        )
        assert.doesNotMatch(result.out + result.err, /Z_[A-Z]+/)
      }
    })
  check('text', () => Buffer.from('# Notes'), /it is not a \.tar\.gz file/)
  check('nothing', () => Buffer.alloc(0), /it is empty or cut short/)
  check('a file cut short', () => bundle.subarray(0, 20), /it is empty or cut short/)
  check('damaged bytes', () => damaged(bundle), /its bytes are damaged/)
  check('another archive', () => bundle, /it is not a tar archive/)
})

test('a project with uploads alone gets no advice to index its empty folder', async (t) => {
  const home = realpathSync(temporaryFolder(t))
  const root = join(home, 'project')
  for (const folder of ['.git', '.cursor']) mkdirSync(join(root, folder), { recursive: true })
  const at = process.cwd()
  t.after(() => process.chdir(at))
  process.chdir(root)
  const settings: Parameters<typeof runOn>[0]['settings'] = (flags) =>
    loadSettings({ flags, env, cwd: root, home })
  const typed = (...argv: string[]) => runOn({ settings, services, env }, ...argv)
  const upload = { action: 'create', title: 'Yaks', content: '# Yaks\n\nYaks graze on high pastures.' }
  assert.equal((await typed('tool', 'manage_document', JSON.stringify(upload))).code, 0)
  for (const argv of [['search', 'yaks'], ['search', 'okapi'], ['status'], ['doctor'], ['list']]) {
    const result = await typed(...argv)
    assert.doesNotMatch(result.out + result.err, /carrel index|never indexed/i, argv.join(' '))
  }
  writeFileSync(join(root, 'note.md'), '# Okapi\n')
  assert.match((await typed('search', 'yaks')).err, /run "carrel index"/)
})

test('a bundle of "carrel pack" can be added after all of that', async (t) => {
  const { root, typed } = desk(t)
  write(root, { 'half/manifest.json': '{"name": "h", "version": "1.0.0"}' })
  assert.match((await typed('pack', 'half')).err, /manifest\.json in \S+half has no "sources"\./)
  write(root, {
    'hand/manifest.json': '{"name": "h", "version": "1.0.0", "sources": {"glob": ["*.md"]}}',
    'hand/a.md': '# A',
  })
  await pack('hand', { cwd: root, output: 'h.tar.gz' })
  assert.equal((await typed('add', 'h.tar.gz', '--as', 'h')).code, 0)
  for (const [output, expected] of [
    ['bare', /bare is a folder/],
    ['gone/x.tar.gz', /There is no folder/],
  ] as const)
    assert.match((await typed('pack', 'hand', '-o', output)).err, expected)
})

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - 6]! ^= 0xff
  return copy
}

test('a folder that was deleted under the shell is named', {
  skip: process.platform === 'win32' ? 'such a folder cannot be deleted there' : false,
}, async (t) => {
  const { root, typed } = desk(t)
  const gone = join(root, 'gone')
  mkdirSync(gone)
  process.chdir(gone)
  rmdirSync(gone)
  for (const argv of [['status'], ['index'], ['pack', 'x']]) {
    const result = await typed(...argv)
    assert.deepEqual(
      [result.code, result.err.split('\n')[0]],
      [2, 'error: The current folder does not exist any more.'],
    )
  }
})
