// read_file, called as every surface calls it.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { documentIdOf } from '../../src/answer/addresses.js'
import { grep } from '../../src/sources/grep.js'
import { recordDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { type FileAnswer, reading } from './reading.js'

const sample = await toolsetWorld(reading, { embedding: false })
const project = await toolsetWorld(reading, {
  embedding: false,
  files: {
    'src/auth/service.ts':
      "import { token } from './token.js'\nimport type { User } from '../users/user.js'\nimport fs from 'node:fs'\nexport const a = token\n",
    'src/auth/token.ts': 'export const token = 1\n',
    'src/users/user.ts': 'export interface User {}\n',
    'src/broken.ts': "import { token } from './auth/token.js'\nconst = {{{ (\n",
    'src/crlf.txt': 'one\r\ntwo\r\nthree\r\n',
    'src/empty.ts': '',
    'src/script': '#!/usr/bin/env python3\nimport os\n',
    'src/blob.bin': new Uint8Array([0, 1, 2, 3, 0]),
    'src/latin.txt': Buffer.from('caf\xe9 au lait', 'latin1'),
    'src/large.ts': `// ${'x'.repeat(1_048_600)}\n`,
    'src/fits.txt': 'y'.repeat(1_048_576),
    'README.md': '# Readme\n',
    '.github/workflows/ci.yml': 'on: push\n',
    '.gitignore': 'dist\n',
    '.environment': 'not secret\n',
    '.env': 'SECRET=1\n',
    'docs/guide.md': '# Guide\n',
    'docs/node_modules.md': 'about node_modules\n',
    'wide/index.ts': `${Array.from({ length: 60 }, (_, i) => `import './part-${i}.js'`).join('\n')}\n`,
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`wide/part-${i}.ts`, `// ${'z'.repeat(5_000)}\n`]),
    ),
  },
  folders: { all: { path: '.' }, docs: { path: 'docs' } },
})
after(() => Promise.all([sample.close(), project.close()]))

const read = (path: string, more: object = {}) => project.ask<FileAnswer>('read_file', { path, ...more })
const refused = async (path: string, more: object = {}) => {
  const answer = await project.call('read_file', { path, ...more })
  assert.equal(answer.isError, true, `${path} should be refused`)
  return answer.value as { error: string; path: string; suggestion: string }
}

describe('a file that can be read', () => {
  test('comes with its size, lines, language, module, role and imports', async () => {
    const { file, dependencies, metadata, ...rest } = await read('src/auth/service.ts')
    assert.deepEqual(
      { ...file, content: file.content.length },
      { path: 'src/auth/service.ts', content: 128, size: 128, lines: 4, language: 'typescript' },
    )
    assert.deepEqual(dependencies, [
      { path: 'src/auth/token.ts', type: 'import', level: 1 },
      { path: 'src/users/user.ts', type: 'type-import', level: 1 },
    ])
    assert.equal(metadata.module, 'auth')
    assert.equal(metadata.role, 'core')
    assert.match(metadata.lastModified, /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.deepEqual(rest, {})
  })

  test('has the content of its dependencies on request', async () => {
    const { dependencies } = await read('src/auth/service.ts', { includeDeps: true })
    assert.deepEqual(
      dependencies.map(({ content }) => content),
      ['export const token = 1\n', 'export interface User {}\n'],
    )
  })

  test('has no dependencies at depth 0', async () => {
    assert.deepEqual((await read('src/auth/service.ts', { maxDepth: 0, includeDeps: true })).dependencies, [])
  })

  test('sees a dependency as soon as its file is there, and no longer than it is', async () => {
    const file = join(project.root, 'src/auth/late.ts')
    writeFileSync(join(project.root, 'src/auth/early.ts'), "import './late.js'\n")
    assert.deepEqual((await read('src/auth/early.ts')).dependencies, [])
    writeFileSync(file, '')
    assert.deepEqual(
      (await read('src/auth/early.ts')).dependencies.map(({ path }) => path),
      ['src/auth/late.ts'],
    )
    rmSync(file)
    assert.deepEqual((await read('src/auth/early.ts')).dependencies, [])
  })

  test('is whole although its imports cannot be parsed', async () => {
    const { file, dependencyError, dependencies } = await read('src/broken.ts')
    assert.match(file.content, /\{\{\{/)
    assert.equal(dependencyError, 'Failed to parse imports: Syntax error at line 2.')
    assert.deepEqual(
      dependencies.map(({ path }) => path),
      ['src/auth/token.ts'],
    )
  })

  test('comes in part by its lines', async () => {
    const { file } = await read('src/crlf.txt', { start_line: 2, end_line: 2 })
    assert.deepEqual([file.content, file.startLine, file.endLine, file.lines], ['two\r\n', 2, 2, 3])
    assert.equal((await read('src/crlf.txt', { start_line: 2 })).file.content, 'two\r\nthree\r\n')
    assert.equal((await read('src/crlf.txt', { end_line: 99 })).file.endLine, 3)
    assert.equal((await read('src/empty.ts', { start_line: 1 })).file.content, '')
  })

  test('may be empty, a script without ending, of another encoding, or just within the limit', async () => {
    assert.deepEqual(
      [(await read('src/empty.ts')).file.lines, (await read('src/empty.ts')).file.size],
      [0, 0],
    )
    assert.equal((await read('src/script')).file.language, 'python')
    const latin = await read('src/latin.txt')
    assert.deepEqual([latin.file.content, latin.file.size], ['café au lait', 12])
    assert.match(latin.note!, /Windows-1252/)
    assert.equal((await read('src/fits.txt')).file.size, 1_048_576)
  })

  test('is not denied for a name that only looks like a denied one', async () => {
    for (const path of ['.github/workflows/ci.yml', '.gitignore', '.environment', 'docs/node_modules.md'])
      assert.equal((await read(path)).file.path, path)
    assert.equal((await read('README.md')).metadata.module, 'root')
  })

  test('is found by every address that tools return', async () => {
    for (const path of [
      'docs/guide.md',
      './docs/guide.md',
      'docs\\guide.md',
      'guide.md',
      'docs:guide.md',
      'all:docs/guide.md',
    ])
      assert.equal((await read(path)).file.path, 'docs/guide.md', path)
    const id = project.library.sources[1]!.id
    assert.equal((await read(`${id}:guide.md`)).file.path, 'docs/guide.md')
    assert.equal((await read(documentIdOf({ source: id, path: 'guide.md' }))).file.path, 'docs/guide.md')
    assert.equal((await refused(documentIdOf({ source: id, path: 'nowhere.md' }))).error, 'File not found')
  })

  test('may be a document that is only in the index, by its id', async () => {
    const statement = { type: 'rule', content: 'Trim every wick before noon' } as const
    const { discovery } = await recordDiscovery(project.library, { ...statement, from: { by: 'command' } })
    const { file } = await read(documentIdOf({ source: 'discoveries', path: `${discovery.id}.md` }))
    assert.deepEqual([file.path, file.content], [`discoveries:${discovery.id}.md`, statement.content])
  })

  test('has its real path through a link that stays inside', async () => {
    symlinkSync('src/auth', join(project.root, 'short'))
    symlinkSync('auth/token.ts', join(project.root, 'src/link.ts'))
    assert.equal((await read('short/token.ts')).file.path, 'src/auth/token.ts')
    assert.equal((await read('src/link.ts')).file.path, 'src/auth/token.ts')
  })

  test('has no more content of dependencies than fits, and says so', async () => {
    const { dependencies, note } = await read('wide/index.ts', { includeDeps: true })
    assert.equal(dependencies.length, 60)
    const contents = dependencies.flatMap(({ content }) => content ?? [])
    assert.ok(contents.join('').length <= 200_000 && contents.length > 30)
    assert.match(note!, /^2\d dependencies come without content .*: read them by their path\.$/)
  })

  test('is answered to many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => read('src/auth/service.ts')))
    for (const { dependencies } of answers) assert.equal(dependencies.length, 2)
  })
})

test('a manifest that crashes the resolver costs the dependencies and nothing else', async () => {
  const nested = `{"name":"x","exports":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`
  mkdirSync(join(project.root, 'trap'))
  writeFileSync(join(project.root, 'trap/package.json'), nested)
  writeFileSync(join(project.root, 'trap/a.ts'), "import './b'\nimport 'x/a'\n")
  writeFileSync(join(project.root, 'trap/b.ts'), '')
  const { file, dependencyError } = await read('trap/a.ts')
  assert.equal(file.lines, 2)
  assert.match(dependencyError!, /^Failed to parse imports: Reading it stopped the parser\./)
  assert.equal((await read('src/auth/service.ts')).dependencies.length, 2)
})

describe('files that cannot be read', () => {
  test('is not found, with the closest name', async () => {
    assert.deepEqual(await refused('src/auth/servcie.ts'), {
      error: 'File not found',
      path: 'src/auth/servcie.ts',
      suggestion: 'Did you mean "src/auth/service.ts"?',
    })
    assert.match((await refused('lib/token.ts')).suggestion, /src\/auth\/token\.ts/)
    assert.match((await refused('qqqqqqqqqqqqqq/zzzzzzzzzzzzzz')).suggestion, /grep_codebase/)
  })

  test('is denied with the rule', async () => {
    assert.deepEqual(await refused('.env'), {
      error: 'Permission denied',
      path: '.env',
      suggestion: 'Nothing in ".env" is read.',
    })
    assert.deepEqual(await refused('src/auth/server.key'), {
      error: 'Permission denied',
      path: 'src/auth/server.key',
      suggestion: 'Nothing in "*.key" is read.',
    })
    assert.match((await refused('../x')).suggestion, /upwards/)
    assert.match((await refused('/etc/passwd')).suggestion, /relative to the project root/)
  })

  test('is a folder, a binary, too large, or lines that are not there', async () => {
    const folder = await refused('src/auth')
    assert.equal(folder.error, 'Not a file but a folder')
    assert.match(folder.suggestion, /src\/auth\/service\.ts/)
    assert.match((await refused('src/blob.bin')).error, /binary/)
    assert.match((await refused('src/large.ts')).error, /too large/)
    assert.match((await refused('src/crlf.txt', { start_line: 4 })).suggestion, /3 lines/)
    assert.match((await refused('src/crlf.txt', { start_line: 3, end_line: 2 })).error, /No such lines/)
  })

  test('is too large: its size, and whether its lines can be searched', async () => {
    const line = 'a line of it\n'
    const text = line.repeat(Math.ceil(1_048_577 / line.length))
    const searched = ['src/[id] {a}.txt', 'docs/large.txt']
    const excludedPaths = ['dist/large.txt', '.carrel/large.txt', 'docs/ignored/large.txt']
    for (const path of [...searched, ...excludedPaths]) {
      mkdirSync(join(project.root, path, '..'), { recursive: true })
      writeFileSync(join(project.root, path), text)
    }
    writeFileSync(join(project.root, 'docs/.gitignore'), 'ignored\n')
    writeFileSync(join(project.root, 'src/large.bin'), new Uint8Array(2_000_000))
    writeFileSync(join(project.root, 'src/just.txt'), text.slice(0, 1_048_577))
    symlinkSync(join(project.root, 'src/just.txt'), join(project.root, 'src/to-just.txt'))
    for (const path of [...searched, 'docs:large.txt', 'src/just.txt', 'src/to-just.txt'])
      assert.match((await refused(path)).suggestion, / grep_codebase finds lines in it\.$/, path)
    for (const path of [...excludedPaths, 'src/large.bin'])
      assert.match((await refused(path)).suggestion, / grep_codebase does not look into it, either\.$/, path)
    assert.match((await refused('src/large.bin')).suggestion, /^It has 1\.9 MB, and the limit is 1 MB\. /)
    const bytes = /^It has 1,048,577 bytes, and the limit is 1,048,576\. /
    assert.match((await refused('src/just.txt')).suggestion, bytes)
  })

  test('is a secret, as for the index, the search and uploads, whatever leads there', async () => {
    const secrets = ['.aws/credentials', 'src/id_rsa', 'src/Prod.ENV', '.kube/config', 'deep/a/secrets.yml']
    secrets.push(
      'src/.env~',
      'src/server.key.bak',
      '.kube/config.old',
      'src/credentials (1).json',
      'ops/kubeconfig',
    )
    for (const path of secrets) {
      mkdirSync(join(project.root, path, '..'), { recursive: true })
      writeFileSync(join(project.root, path), 'token = sesame-0815\n')
      symlinkSync(join(project.root, path), join(project.root, `${path.replaceAll(/\W/g, '-')}-link.txt`))
      for (const name of [path, `${path.replaceAll(/\W/g, '-')}-link.txt`]) {
        const { error, suggestion } = await refused(name)
        assert.equal(error, 'Permission denied', name)
        assert.match(suggestion, /^Nothing in ".+" is read\.$/)
      }
    }
    assert.doesNotMatch(JSON.stringify(await refused('.kube')), /config/)
    const query = { root: project.root, pattern: 'sesame-0815', caseSensitive: true, limit: 10 }
    assert.equal((await grep(query)).matches, 0)
  })

  test('never shows a denied name among those it suggests', async () => {
    mkdirSync(join(project.root, 'near'))
    writeFileSync(join(project.root, 'near/.env.local'), 'SECRET=2\n')
    assert.doesNotMatch(JSON.stringify(await refused('near/.envlocal')), /\.env\.local/)
    assert.doesNotMatch(JSON.stringify(await refused('near')), /\.env\.local/)
  })
})

test('code of every language in the sample library finds its neighbours', async () => {
  const check = async (path: string, expected: string[]) => {
    const { dependencies, dependencyError } = await sample.ask<FileAnswer>('read_file', { path })
    assert.deepEqual(
      dependencies.map((one) => `${one.type} ${one.path}`),
      expected,
      path,
    )
    assert.equal(dependencyError, undefined, path)
  }
  await check('code/wick/wick.c', ['include code/wick/wick.h'])
  await check('code/dispatcher/src/main.rs', [
    'module code/dispatcher/src/backoff.rs',
    'module code/dispatcher/src/outbox.rs',
  ])
  await check('code/sdk-python/lantern_sdk/__init__.py', [
    'import code/sdk-python/lantern_sdk/client.py',
    'import code/sdk-python/lantern_sdk/signing.py',
  ])
  await check('code/scheduler/main.go', [
    'import code/scheduler/internal/lease/lease.go',
    'import code/scheduler/internal/tick/tick.go',
  ])
})
