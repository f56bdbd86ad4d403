import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkOut } from '../../src/sources/package/git.js'
import { readLocation } from '../../src/sources/package/location.js'
import { packTar, unpack } from '../../src/sources/package/tar.js'
import { pack } from '../../src/toolsets/packages/pack.js'
import { type Files, temporaryFolder, write } from '../support/world.js'
import { counts, manifest, project } from './package-world.js'

describe('a bundle', () => {
  const files = {
    'pkg/manifest.json': manifest({ glob: ['**/*.md'] }),
    'pkg/a.md': '# A\n\nalpha',
    [`pkg/${'long-folder-name/'.repeat(9)}${'ü'.repeat(40)}.md`]: '# Long',
    'pkg/left-out.txt': 'x',
  }

  test('is packed the same each time, and added whole', async (t) => {
    const { add, ids, root } = await project(t, files)
    const packed = await pack('pkg', { cwd: root })
    assert.equal(packed.file, join(root, 'handbook-1.0.0.tar.gz'))
    const bytes = readFileSync(packed.file)
    await pack('pkg', { cwd: root })
    assert.ok(bytes.equals(readFileSync(packed.file)))
    assert.deepEqual(counts(await add('handbook-1.0.0.tar.gz')), [2, 0, 0, 0])
    assert.deepEqual(await ids(), ['a.md', `${'long-folder-name/'.repeat(9)}${'ü'.repeat(40)}.md`])
    assert.deepEqual(counts(await add('handbook-1.0.0.tar.gz')), [0, 0, 2, 0])
  })

  test('opens with the tar of the system, and that one opens here', async (t) => {
    const { root, add, ids } = await project(t, files)
    const { file } = await pack('pkg', { cwd: root })
    const listed = spawnSync('tar', ['tzf', file], { encoding: 'utf8' })
    if (listed.error) return t.skip('there is no tar here')
    assert.equal(listed.stdout.trim().split('\n').length, 3)
    assert.equal(spawnSync('tar', ['czf', 'theirs.tgz', 'pkg'], { cwd: root }).status, 0)
    assert.deepEqual(counts(await add('theirs.tgz')), [2, 0, 0, 0])
    assert.equal((await ids()).length, 2)
  })

  test('that escapes its folder, does not match its list or is a zip bomb is refused, and nothing is written outside', async (t) => {
    const folder = temporaryFolder(t)
    const refused = async (
      name: string,
      tar: Buffer,
      reason: RegExp,
      limits?: Parameters<typeof unpack>[2],
    ) => {
      const archive = join(folder, `${name}.tar.gz`)
      writeFileSync(archive, tar)
      mkdirSync(join(folder, name))
      await assert.rejects(unpack(archive, join(folder, name), limits), reason)
    }
    await refused('up', gzipSync(entry('../evil.md', 'x')), /leaves the folder/)
    await refused('absolute', gzipSync(entry('/tmp/evil.md', 'x')), /leaves the folder/)
    await refused('windows', gzipSync(entry('a\\..\\..\\evil.md', 'x')), /leaves the folder/)
    await refused('twice', gzipSync(Buffer.concat([entry('a.md', 'x'), entry('a.md', 'y')])), /EEXIST/)
    await refused('short', gzipSync(entry('a.md', 'x'.repeat(2000)).subarray(0, 1000)), /middle of a file/)
    await refused('sum', gzipSync(entry('a.md', 'x').fill(9, 0, 3)), /checksum/)
    await refused('text', Buffer.from('no archive'), /it is not a \.tar\.gz file/)
    const few = { limits: { entries: 2, fileBytes: 1_000_000, totalBytes: 3_000_000 } }
    await refused('bomb', gzipSync(Buffer.alloc(20_000_000)), /more than 3000000 bytes/, few)
    await refused('large', gzipSync(entry('a.md', 'x'.repeat(1_500_000))), /too large/, few)
    const many = Buffer.concat(['a', 'b', 'c'].map((name) => entry(name, '')))
    await refused('many', gzipSync(many), /more than 2 entries/, few)
    assert.ok(!existsSync(join(folder, 'evil.md')))
  })

  test('is not the locked one once it was packed anew', async (t) => {
    const { add, sync, ids, root } = await project(t, files)
    await pack('pkg', { cwd: root, output: 'h.tar.gz' })
    await add('h.tar.gz')
    const before = await ids()
    assert.deepEqual((await sync({ locked: true })).map(counts), [[0, 0, 2, 0]])
    write(root, { 'pkg/a.md': '# A2', 'pkg/b.md': '# B' })
    await pack('pkg', { cwd: root, output: 'h.tar.gz' })
    assert.match(
      (await sync({ locked: true }))[0]?.error ?? '',
      /^The bundle at .* is not the one in context/,
    )
    assert.deepEqual(await ids(), before)
    assert.deepEqual((await sync()).map(counts), [[1, 1, 1, 0]])
  })

  test('keeps every path whole, however long', async (t) => {
    const folder = temporaryFolder(t)
    const lengths = Array.from({ length: 40 }, (_, n) => 80 + n)
    const paths = lengths.flatMap((n) => [`a/${'b'.repeat(n - 5)}.md`, `ü/${'c'.repeat(n - 6)}.md`])
    writeFileSync(join(folder, 'x.tgz'), packTar(paths.map((path) => ({ path, bytes: Buffer.from(path) }))))
    const out = join(folder, 'out')
    mkdirSync(out)
    assert.deepEqual((await unpack(join(folder, 'x.tgz'), out)).sort(), paths.toSorted())
    for (const path of paths) assert.equal(readFileSync(join(out, path), 'utf8'), path)
  })

  test('leaves links out', async (t) => {
    const folder = temporaryFolder(t)
    const tar = Buffer.concat([
      entry('a.md', '# A'),
      entry('link.md', '', '2', '/etc/passwd'),
      Buffer.alloc(1024),
    ])
    writeFileSync(join(folder, 'x.tgz'), gzipSync(tar))
    mkdirSync(join(folder, 'out'))
    assert.deepEqual(await unpack(join(folder, 'x.tgz'), join(folder, 'out')), ['a.md'])
    assert.ok(!existsSync(join(folder, 'out/link.md')))
  })
})

function entry(name: string, content: string, type = '0', link = ''): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124)
  header.write(`        ${type}${link}`, 148)
  header.write('ustar\x0000', 257)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}

const noScripts = process.platform === 'win32' && 'needs programs that are scripts'
const noGit = spawnSync('git', ['--version']).error ? 'git is not installed' : false

describe('git', { skip: noGit }, () => {
  function repository(t: TestContext) {
    const folder = temporaryFolder(t)
    const git = (...args: string[]) => {
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
      const done = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' })
      assert.equal(done.status, 0, done.stderr)
      return done.stdout.trim()
    }
    git('init', '-q', '-b', 'main')
    const commit = (files: Files) => {
      write(folder, files)
      git('add', '-A')
      git('commit', '-qm', 'x')
      return git('rev-parse', 'HEAD')
    }
    return { folder, git, commit, url: `git+file://${folder}` }
  }

  /** What stands in for git until the test ends. */
  function standIn(t: TestContext, folder: string, script: string) {
    write(folder, { 'bin/git': `#!/bin/sh\n${script}\n` })
    chmodSync(join(folder, 'bin/git'), 0o755)
    const { PATH } = process.env
    t.after(() => {
      process.env.PATH = PATH
    })
    process.env.PATH = `${join(folder, 'bin')}:${PATH}`
  }

  test('takes in a commit by branch, tag and manifest path, and stays there when locked', async (t) => {
    const { commit, git, url } = repository(t)
    const first = commit({
      'docs/manifest.json': manifest({ glob: ['*.md'] }),
      'docs/a.md': '# A',
      'b.md': '# B',
    })
    git('tag', 'v1')
    const { add, sync, ids } = await project(t, {})
    const report = await add(`${url}#main?manifest=docs/manifest.json`)
    assert.deepEqual([report.commit, report.version, report.added], [first, '1.0.0', 1])
    const second = commit({ 'docs/c.md': '# C' })
    assert.equal((await sync({ locked: true }))[0]?.commit, first)
    assert.deepEqual(await ids(), ['a.md'])
    assert.equal((await sync())[0]?.commit, second)
    assert.deepEqual(await ids(), ['a.md', 'c.md'])
    await add(`${url}#v1`, 'all')
    assert.deepEqual(await ids('all'), ['b.md', 'docs/a.md', 'docs/manifest.json'])
  })

  test('runs no hooks and follows no links', async (t) => {
    const { commit, url, folder } = repository(t)
    symlinkSync('/etc/passwd', join(folder, 'link.md'))
    commit({ 'a.md': '# A', '.gitattributes': '* filter=evil' })
    mkdirSync(join(folder, '.git/hooks'), { recursive: true })
    for (const hook of ['post-checkout', 'upload-pack', 'post-merge']) {
      writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${folder}/hooked\n`)
      chmodSync(join(folder, '.git/hooks', hook), 0o755)
    }
    const { add, ids, library } = await project(t, {})
    assert.equal((await add(url)).error, null)
    assert.ok(!existsSync(join(folder, 'hooked')))
    const [source] = await library.store.sources()
    assert.deepEqual(await ids(), ['a.md', 'link.md'])
    assert.equal((await library.store.document({ source: source!.id, path: 'link.md' }))?.text, '/etc/passwd')
  })

  test('is never started in the folder that it fills', { skip: noScripts }, async (t) => {
    const folder = temporaryFolder(t)
    write(folder, { 'package/files/x': '' })
    standIn(t, folder, `pwd >> ${folder}/places`)
    const location = readLocation('git+file:///x', folder)
    assert.ok(location.kind === 'git')
    await checkOut(location, join(folder, 'package/files'))
    const places = readFileSync(join(folder, 'places'), 'utf8').trim().split('\n')
    assert.deepEqual(new Set(places), new Set([join(folder, 'package')]))
  })

  test('that fails gives its reason, without the advice that follows', { skip: noScripts }, async (t) => {
    const folder = temporaryFolder(t)
    const advice = 'Please make sure you have the correct access rights\nand the repository exists.'
    const broken = `fatal: Could not read from remote repository.\n\n${advice}`
    const cases = [
      [
        `fatal: '/x' does not appear to be a git repository\n${broken}`,
        "'/x' does not appear to be a git repository.",
      ],
      [`Warning: x\nERROR: Repository not found.\n${broken}`, 'Repository not found.'],
      [
        `ssh: connect to host x port 22: Connection refused\r\n${broken}`,
        'ssh: connect to host x port 22: Connection refused.',
      ],
      [broken, 'Could not read from remote repository.'],
      ['something odd\n', 'something odd.'],
      ['', 'git ended with code 128.'],
    ]
    const location = readLocation('git+file:///x', folder)
    assert.ok(location.kind === 'git')
    standIn(t, folder, `cat ${folder}/said >&2; exit 128`)
    for (const [stderr, reason] of cases) {
      write(folder, { said: stderr! })
      const message = `file:///x could not be fetched: ${reason}`
      await assert.rejects(checkOut(location, folder), { code: 'git_failed', message })
    }
  })

  test('a server that never answers is given up', async (t) => {
    const folder = temporaryFolder(t)
    const sockets = new Set<Socket>()
    const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
    t.after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const location = readLocation(`git+https://127.0.0.1:${port}/x.git`, folder)
    assert.ok(location.kind === 'git')
    const start = performance.now()
    await assert.rejects(checkOut(location, folder, { timeMs: 700 }), /took too long|could not be fetched/)
    assert.ok(performance.now() - start < 8_000)
  })

  test('an unknown repository or ref is reported, and changes nothing', async (t) => {
    const { url, commit } = repository(t)
    commit({ 'a.md': '# A' })
    const { add, ids } = await project(t, {})
    await add(url)
    assert.match((await add(`${url}#nowhere`)).error ?? '', /could not be fetched: .*nowhere/)
    assert.match(
      (await add(`${url}x`)).error ?? '',
      /could not be fetched: '.*x' does not appear to be a git repository\. Check the path and the ref\.$/,
    )
    assert.match((await add(`${url}#main?manifest=../m.json`)).error ?? '', /lies outside the package/)
    for (const ref of ['', '#', '#main'])
      assert.match(
        (await add(`${url}${ref}?manifest=m.json`)).error ?? '',
        /There is no m\.json in the package/,
      )
    assert.deepEqual(await ids(), ['a.md'])
  })
})

test('a manifest of a repository may be named without a ref', () => {
  const read = (url: string) => readLocation(url, '/')
  for (const place of ['git+https://example.org/x.git', 'git+ssh://git@example.org/x'])
    assert.deepEqual(read(`${place}?manifest=docs/m.json`), read(`${place}#?manifest=docs/m.json`))
  const other = read('git+https://example.org/x?y=manifest#main')
  assert.ok(other.kind === 'git')
  assert.deepEqual([other.url, other.ref, other.manifest], ['https://example.org/x?y=manifest', 'main', null])
})

test('an address that is invalid or could be an option is refused', () => {
  for (const url of [
    ...[
      '--upload-pack=x',
      '-x',
      'git+--upload-pack=x',
      'git+ssh://-oProxyCommand=x/y',
      'git+ssh://a@-oProxyCommand=x/y',
    ],
    ...[
      'git+ext::sh -c x',
      'git+http://example.org/x',
      'git+file:relative',
      'ftp://x/y',
      'javascript:x',
      '',
      ' ',
      'a\nb',
    ],
    ...[
      'git+https://example.org/x#--upload-pack=x',
      'git+https://example.org/x#a..b',
      'git+https://example.org/x#a@{1}',
    ],
    ...['https://example.org/manifest', 'nowhere'],
  ])
    assert.throws(() => readLocation(url, '/'), { name: 'Problem' }, url)
})

test('a url with a password is refused without repeating it; a user name of ssh is no password', async (t) => {
  const { add, sync, root, places } = await project(t, {}, { outside: true, network: true })
  const secret = 'git+https://bob:swordfish@example.org/r.git'
  const problem = { code: 'bad_url', message: 'The url of the package holds a user name or password.' }
  for (const url of [
    ...[secret, 'git+https://swordfish@example.org/r.git', 'git+ssh://git:sword@fish@example.org/r.git'],
    'https://bob:swordfish@example.org/manifest.json',
  ])
    await assert.rejects(add(url), problem, url)
  await assert.rejects(add('git+http://bob:swordfish@example.org/r.git'), (error: Error) => {
    assert.doesNotMatch(error.message, /swordfish/)
    return true
  })
  assert.equal(readLocation('git+ssh://git@example.org/r.git', '/').kind, 'git')
  assert.equal(readLocation('git+https://example.org/@scope/r.git', '/').kind, 'git')
  write(root, { 'context.json': JSON.stringify({ collections: { docs: { url: secret } } }) })
  const [report] = await sync()
  assert.match(report?.error ?? '', /holds a user name or password/)
  assert.doesNotMatch(JSON.stringify(report), /swordfish/)
  assert.ok(!existsSync(join(places.project, '../context.lock')))
})
