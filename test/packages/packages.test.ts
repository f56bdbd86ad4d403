import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { listDocuments } from '../../src/services/documents/browse.js'
import { isMiss } from '../../src/services/documents/names.js'
import { readDocument } from '../../src/services/documents/read.js'
import { createSource } from '../../src/services/knowledge/sources.js'
import { addAndSync } from '../../src/services/packages/add.js'
import {
  configuredPackages,
  type PackagePlaces,
  removePackage,
} from '../../src/services/packages/configured.js'
import { syncNewPackages } from '../../src/services/packages/first-sync.js'
import { pack } from '../../src/services/packages/pack.js'
import { type PackageReport, syncPackages } from '../../src/services/packages/sync.js'
import { search } from '../../src/services/search.js'
import { checkOut } from '../../src/sources/package/git.js'
import { readLocation } from '../../src/sources/package/location.js'
import { packTar, unpack } from '../../src/sources/package/tar.js'
import { runOn } from '../cli-stage.js'
import { type Files, openForTest, settingsFor, temporaryFolder, world, write } from '../support/world.js'

async function project(t: TestContext, files: Files, allow = { outside: true, network: false }) {
  const { root, library } = await world(t, files, { sources: [] })
  const places: PackagePlaces = {
    project: join(root, 'context.json'),
    global: join(root, 'own/context.json'),
    allow,
  }
  const sync = (options: Parameters<typeof syncPackages>[2] = {}) => syncPackages(library, places, options)
  const add = (url: string, alias = 'docs') => addAndSync(library, places, { url, alias })
  const ids = async (collection = 'docs') => {
    const list = await listDocuments(library, { collection, offset: 0, limit: 100 })
    return isMiss(list) ? list.miss : list.documents.map(({ path }) => path)
  }
  /** A command line, as somebody types it in the project. */
  const typed = (...argv: string[]) => {
    const settings = { ...library.settings, allow: { ...library.settings.allow, ...allow } }
    return runOn(
      { services: { open: async () => ({ ...library, settings, close: async () => {} }) } },
      ...argv,
    )
  }
  return { root, library, places, sync, add, ids, typed }
}

/** Projects that keep their index in one folder. */
async function sharing(t: TestContext, ...projects: { files: Files; packages: Record<string, string> }[]) {
  const folder = temporaryFolder(t)
  return Promise.all(
    projects.map(async ({ files, packages }, n) => {
      const root = join(folder, `p${n}`)
      const collections = Object.fromEntries(Object.entries(packages).map(([alias, url]) => [alias, { url }]))
      write(root, { ...files, 'context.json': JSON.stringify({ collections }) })
      const library = await openForTest({ ...settingsFor(root), data: join(folder, 'data'), sources: [] })
      t.after(() => library.close())
      const places = {
        project: join(root, 'context.json'),
        global: join(root, 'own/context.json'),
        allow: { outside: true, network: false },
      }
      const names = async () => (await library.store.sources()).map(({ name }) => name).sort()
      const found = async () =>
        (await search(library, { query: 'yak' })).hits
          .map(({ collection, document }) => `${collection}:${document}`)
          .sort()
      return { root, library, places, names, found, sync: () => syncPackages(library, places) }
    }),
  )
}

const manifest = (sources: unknown, more: object = {}) =>
  JSON.stringify({ name: 'handbook', version: '1.0.0', description: 'How we work', sources, ...more })

const counts = ({ added, updated, unchanged, removed }: PackageReport) => [added, updated, unchanged, removed]

describe('a manifest', () => {
  test('takes in what its globs name, without what they exclude', async (t) => {
    const { add, ids, library } = await project(t, {
      'pkg/manifest.json': manifest({ glob: ['**/*.md', '!drafts/**', '!**/secret.md'] }),
      'pkg/a.md': '# A',
      'pkg/deep/b.md': '# B',
      'pkg/deep/secret.md': '# S',
      'pkg/drafts/c.md': '# C',
      'pkg/notes.txt': 'no',
      'pkg/.gitignore': 'a.md',
    })
    assert.deepEqual(counts(await add('pkg/manifest.json')), [2, 0, 0, 0])
    assert.deepEqual(await ids(), ['a.md', 'deep/b.md'])
    const [source] = await library.store.sources()
    assert.deepEqual(
      [source?.name, source?.kind, source?.version, source?.description],
      ['docs', 'package', '1.0.0', 'How we work'],
    )
  })

  test('globs are anchored: a star does not reach into folders', async (t) => {
    const { add, ids } = await project(t, {
      'pkg/manifest.json': manifest({ glob: ['*.md'] }),
      'pkg/a.md': '# A',
      'pkg/deep/b.md': '# B',
    })
    await add('pkg')
    assert.deepEqual(await ids(), ['a.md'])
  })

  test('that lies costs only the files it lies about', async (t) => {
    const hash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
    const files = [
      'a.md',
      { path: 'b.md', hash: hash('# B') },
      { path: 'c.md', hash: hash('something else') },
      { path: 'd.md', hash: 'md5:00' },
      { path: '../outside.md' },
      { path: '/etc/hostname' },
      { path: 'missing.md' },
      { path: 'link.md' },
      'https://example.org/x.md',
    ]
    const { add, ids, root } = await project(t, {
      'outside.md': '# Outside',
      'pkg/manifest.json': manifest({ files }),
      ...{ 'pkg/a.md': '# A', 'pkg/b.md': '# B', 'pkg/c.md': '# C', 'pkg/d.md': '# D' },
    })
    symlinkSync(join(root, 'outside.md'), join(root, 'pkg/link.md'))
    const report = await add('pkg')
    assert.deepEqual(await ids(), ['a.md', 'b.md'])
    assert.deepEqual(Object.fromEntries(report.failed.map(({ path, reason }) => [path, reason])), {
      '../outside.md': 'Its path leaves the package.',
      '/etc/hostname': 'Its path leaves the package.',
      'c.md': 'Its hash is not the one in the manifest.',
      'd.md': 'Its hash is not "sha256:" and 64 hexadecimal digits.',
      'https://example.org/x.md':
        'example.org is a server beyond this machine. A project can name one when you say --allow-network.',
      'link.md': 'The manifest lists it, but it is not there.',
      'missing.md': 'The manifest lists it, but it is not there.',
    })
  })

  test('that cannot be used changes nothing', async (t) => {
    const { add, sync, ids, root } = await project(t, {
      'pkg/manifest.json': manifest({ glob: ['*.md'] }),
      'pkg/a.md': '# A',
    })
    await add('pkg')
    const odd = [
      '{ "sources": ',
      '{ "name": "x", "sources": {} }',
      manifest({ glob: [] }),
      manifest({ glob: ['!a.md'] }),
      manifest({ glob: ['../*.md'] }),
      manifest({ files: 'a.md' }),
    ]
    for (const text of odd) {
      writeFileSync(join(root, 'pkg/manifest.json'), text)
      const [report] = await sync()
      assert.equal(report?.state, 'failed', text)
      assert.match(report?.error ?? '', /^The manifest manifest\.json cannot be used\./)
      assert.deepEqual(await ids(), ['a.md'])
    }
  })
})

test('a manifest lets nobody in where nothing is read: secrets, .git, and links that lead there', async (t) => {
  const hidden = ['.env', '.env.local', '.git/config', 'keys/id_rsa', 'sub/../.env', 'way/config']
  const { add, ids, root, library } = await project(t, {
    'pkg/manifest.json': manifest({ files: ['a.md', ...hidden] }),
    'pkg/a.md': '# A',
    'pkg/.env': 'TOKEN=swordfish',
    'pkg/.env.local': 'TOKEN=swordfish',
    'pkg/.git/config': '[core] swordfish',
    'pkg/keys/id_rsa': 'swordfish',
  })
  symlinkSync('.git', join(root, 'pkg/way'))
  const { failed } = await add('pkg')
  assert.deepEqual(await ids(), ['a.md'])
  assert.deepEqual(
    failed.map(({ path }) => path),
    ['.env', '.env.local', '.git/config', 'keys/id_rsa'],
  )
  const { hits } = await search(library, { query: 'swordfish' })
  assert.deepEqual(hits, [])
})

describe('sync', () => {
  test('adds, updates and removes; a file that fails keeps what was stored', async (t) => {
    const { add, sync, ids, root, library } = await project(t, {
      'pkg/manifest.json': manifest({ files: ['a.md', 'b.md', 'c.md'] }),
      ...{ 'pkg/a.md': '# A', 'pkg/b.md': '# B', 'pkg/c.md': '# C' },
    })
    assert.deepEqual(counts(await add('pkg')), [3, 0, 0, 0])
    write(root, {
      'pkg/a.md': '# A2',
      'pkg/d.md': '# D',
      'pkg/manifest.json': manifest({ files: ['a.md', 'b.md', 'd.md'] }),
    })
    rmSync(join(root, 'pkg/b.md'))
    const [report] = await sync()
    assert.deepEqual(counts(report!), [1, 1, 0, 1])
    assert.deepEqual(
      report?.failed.map(({ path }) => path),
      ['b.md'],
    )
    assert.deepEqual(await ids(), ['a.md', 'b.md', 'd.md'])
    const [source] = await library.store.sources()
    assert.equal((await library.store.document({ source: source!.id, path: 'a.md' }))?.title, 'A2')
  })

  test('drops what context.json no longer names, and what an alias led to before', async (t) => {
    const { add, sync, ids, library, places } = await project(t, { 'one/a.md': '# A', 'two/b.md': '# B' })
    await add('one')
    await add('two')
    assert.deepEqual(await ids(), ['b.md'])
    assert.equal((await library.store.sources()).length, 1)
    writeFileSync(places.project, '{"collections": {}, "other": 1}')
    await sync()
    assert.deepEqual(await library.store.sources(), [])
  })

  test("prefers the project's alias to the user's own", async (t) => {
    const { places, root, sync, ids } = await project(t, { 'one/a.md': '# A', 'two/b.md': '# B' })
    write(root, {
      'context.json': JSON.stringify({ collections: { docs: { url: './one' } } }),
      'own/context.json': JSON.stringify({
        collections: { docs: { url: '../two' }, more: { url: '../two' } },
      }),
    })
    assert.deepEqual(
      configuredPackages(places).map(({ alias, global }) => [alias, global]),
      [
        ['docs', false],
        ['more', true],
      ],
    )
    await sync()
    assert.deepEqual([await ids('docs'), await ids('more')], [['a.md'], ['b.md']])
  })

  test('takes exactly the locked bytes when asked to', async (t) => {
    const { add, sync, root } = await project(t, {
      'pkg/manifest.json': manifest({ glob: ['*.md'] }),
      'pkg/a.md': '# A',
    })
    await add('pkg')
    const lock = JSON.parse(readFileSync(join(root, 'context.lock'), 'utf8'))
    assert.deepEqual(Object.keys(lock.collections.docs.files), ['a.md'])
    assert.deepEqual((await sync({ locked: true }))[0]?.failed, [])
    write(root, { 'pkg/a.md': '# Changed' })
    assert.deepEqual((await sync({ locked: true }))[0]?.failed, [
      { path: 'a.md', reason: 'Its hash is not the one in the lock file.' },
    ])
  })

  test('locked, takes nothing that only a manifest vouches for, and nothing that is not in the lock', async (t) => {
    const { add, sync, root, ids, library, typed } = await project(t, {})
    const listed = (files: Record<string, string>) => {
      const hash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
      const entries = Object.entries(files).map(([path, text]) => ({ path, hash: hash(text) }))
      for (const [path, text] of Object.entries(files)) write(root, { [`pkg/${path}`]: text })
      write(root, { 'pkg/manifest.json': manifest({ files: entries }) })
    }
    listed({ 'a.md': '# A', 'c.md': '# C' })
    await add('pkg')
    listed({ 'a.md': '# A2', 'b.md': '# B' })
    const [report] = await sync({ locked: true })
    assert.deepEqual(Object.fromEntries(report!.failed.map(({ path, reason }) => [path, reason])), {
      'a.md': 'Its hash is not the one in the lock file.',
      'b.md': 'It is not in the lock file.',
      'c.md': 'The lock file lists it, but the package no longer does.',
    })
    assert.deepEqual(
      [counts(report!), await ids()],
      [
        [0, 0, 0, 0],
        ['a.md', 'c.md'],
      ],
    )
    const [source] = await library.store.sources()
    assert.equal((await library.store.document({ source: source!.id, path: 'a.md' }))?.title, 'A')
    const { out, code } = await typed('sync', '--locked')
    assert.match(out, /^docs: 0 added.* 3 failed\.\n {2}b\.md: It is not in the lock file\./)
    assert.equal(code, 1)
    assert.equal((await typed('sync')).code, 0)
    assert.equal((await typed('sync', '--locked')).code, 0)
  })

  test('stays inside the project unless allowed, and keeps context.json when adding fails', async (t) => {
    const outside = temporaryFolder(t)
    write(outside, { 'a.md': '# A' })
    const { add, places } = await project(t, { 'in/b.md': '# B' }, { outside: false, network: false })
    assert.equal((await add('in')).state, 'synced')
    for (const url of [
      outside,
      `file://${outside}`,
      'git+https://example.org/x.git',
      `git+file://${outside}`,
    ]) {
      const report = await add(url)
      assert.match(report.error ?? '', /"docs" (lies outside the project|is on a server beyond this machine)/)
    }
    assert.deepEqual(
      configuredPackages(places).map(({ url }) => url),
      ['in'],
    )
  })

  test('a folder that is taken in where it lies is read again when it changes', async (t) => {
    const { add, library, root } = await project(t, { 'one/a.md': '# A\n\nalpha' })
    await add('one')
    write(root, { 'one/a.md': '# New\n\nomega' })
    const read = await readDocument(library, { collection: 'docs', document: 'a.md' })
    assert.ok(!isMiss(read))
    assert.equal(read.title, 'New')
  })

  test('remove takes everything away', async (t) => {
    const { add, library, places } = await project(t, { 'one/a.md': '# A' })
    await add('one')
    await assert.rejects(removePackage(library, places, 'dosc'), /There is no package "dosc"/)
    await removePackage(library, places, 'docs')
    assert.deepEqual([configuredPackages(places), await library.store.sources()], [[], []])
  })
})

test('an alias that another collection has is refused, in whatever case', async (t) => {
  const { add, sync, root, library, places } = await project(t, { 'h/a.md': '# A' })
  const made = await createSource(library, { title: 'Docs', type: 'upload' })
  const told = { code: 'alias_taken', message: `"docs" is the name of another collection (${made.id}).` }
  await assert.rejects(add('./h'), told)
  assert.deepEqual(configuredPackages(places), [])
  write(root, { 'context.json': JSON.stringify({ collections: { docs: { url: './h' } } }) })
  assert.equal((await sync())[0]?.error?.startsWith(told.message), true)
  assert.deepEqual(
    (await library.store.sources()).map(({ kind }) => kind),
    ['uploads'],
  )
})

describe('two aliases for one package', () => {
  test('the first has it, each time, and the other is told so', async (t) => {
    const { sync, ids, root, library, typed, places } = await project(t, { 'h/a.md': '# A' })
    const collections = { y: { url: 'h/' }, x: { url: './h' } }
    write(root, { 'context.json': JSON.stringify({ collections }) })
    for (const again of [false, true, true]) {
      if (again) await syncNewPackages(library)
      const [x, y] = await sync()
      assert.deepEqual([x?.alias, x?.error], ['x', null])
      assert.match(y?.error ?? '', /^"y" is the package that "x" is already\./)
      assert.deepEqual(await ids('x'), ['a.md'])
    }
    assert.match((await typed('list')).out, /^x {2}1 document .*\ny {2}the same package as x /)
    await removePackage(library, places, 'x')
    assert.equal((await sync())[0]?.error, null)
    assert.deepEqual(await ids('y'), ['a.md'])
  })

  test('a second cannot be added, but a project may have its own for one of the user', async (t) => {
    const { add, ids, library, places, root } = await project(t, { 'h/a.md': '# A' })
    write(root, { 'own/context.json': JSON.stringify({ collections: { a: { url: '../h' } } }) })
    await add('h', 'b')
    await assert.rejects(add('./h', 'c'), { code: 'alias_twice' })
    const wide = { url: join(root, 'h'), alias: 'd', global: true }
    await assert.rejects(addAndSync(library, places, wide), { code: 'alias_twice' })
    assert.deepEqual(
      configuredPackages(places).map(({ alias }) => alias),
      ['b'],
    )
    assert.equal((await add('h', 'b')).error, null)
    assert.deepEqual(await ids('b'), ['a.md'])
  })

  test('one that the user has stays when a project cannot add its own by that alias', async (t) => {
    const { add, sync, ids, root } = await project(t, { 'h/a.md': '# A', 'bad/manifest.json': '{' })
    write(root, { 'own/context.json': JSON.stringify({ collections: { docs: { url: '../h' } } }) })
    await sync()
    assert.equal((await add('bad/manifest.json')).state, 'failed')
    assert.deepEqual(await ids(), ['a.md'])
  })
})

describe('projects that share a data folder', () => {
  const yak = (name: string) => ({ [`h/${name}.md`]: `# ${name}\n\nThe yak.` })

  test('see and forget their own packages only', async (t) => {
    const [one, two] = await sharing(
      t,
      { files: yak('a'), packages: { docs: './h' } },
      { files: yak('b'), packages: { docs: './h', docs2: './h/b.json' } },
    )
    write(two!.root, { 'h/b.json': manifest({ files: ['b.md'] }) })
    await one!.sync()
    assert.deepEqual([await one!.found(), await two!.found()], [['docs:a.md'], []])
    await two!.sync()
    await one!.sync()
    assert.deepEqual([await one!.names(), await two!.names()], [['docs'], ['docs', 'docs2']])
    assert.deepEqual(await one!.found(), ['docs:a.md'])
    await removePackage(two!.library, two!.places, 'docs')
    assert.deepEqual([await one!.found(), await two!.found()], [['docs:a.md'], ['docs2:b.md']])
    await assert.rejects(removePackage(one!.library, one!.places, 'docs2'), /There is no package "docs2"/)
  })

  test('may name one package, each by its own alias, and it stays until the last lets go', async (t) => {
    const [one, two] = await sharing(
      t,
      { files: yak('a'), packages: { docs: './h' } },
      { files: {}, packages: { handbook: '../p0/h' } },
    )
    await one!.sync()
    assert.deepEqual((await two!.sync()).map(counts), [[0, 0, 1, 0]])
    assert.deepEqual([await one!.found(), await two!.found()], [['docs:a.md'], ['handbook:a.md']])
    await removePackage(one!.library, one!.places, 'docs')
    assert.deepEqual([await one!.found(), await two!.found()], [[], ['handbook:a.md']])
    write(two!.root, { 'context.json': '{"collections": {}}' })
    await two!.sync()
    assert.deepEqual(await two!.library.whole.sources(), [])
  })

  test('leave nothing behind when a project is gone', async (t) => {
    const [one, two] = await sharing(
      t,
      { files: yak('a'), packages: { docs: './h' } },
      { files: yak('b'), packages: { docs: './h' } },
    )
    await one!.sync()
    rmSync(one!.root, { recursive: true })
    await two!.sync()
    assert.equal((await two!.library.whole.sources()).length, 1)
    assert.deepEqual(await two!.found(), ['docs:b.md'])
  })
})

describe('a bundle', () => {
  const files = {
    'pkg/manifest.json': manifest({ glob: ['**/*.md'] }),
    'pkg/a.md': '# A\n\nalpha',
    [`pkg/${'long-folder-name/'.repeat(9)}${'ü'.repeat(40)}.md`]: '# Long',
    'pkg/left-out.txt': 'x',
  }

  test('is packed the same each time, and taken in whole', async (t) => {
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

  test('that escapes, lies or explodes is refused, and nothing is written outside', async (t) => {
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
    await refused('text', Buffer.from('no archive'), /cannot be read/)
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

  test('a repository or ref that is not there is told, and changes nothing', async (t) => {
    const { url, commit } = repository(t)
    commit({ 'a.md': '# A' })
    const { add, ids } = await project(t, {})
    await add(url)
    assert.match((await add(`${url}#nowhere`)).error ?? '', /could not be fetched: .*nowhere/)
    assert.match((await add(`${url}x`)).error ?? '', /could not be fetched/)
    assert.match((await add(`${url}?manifest=x`)).error ?? '', /could not be fetched/)
    assert.match((await add(`${url}#main?manifest=../m.json`)).error ?? '', /lies outside the package/)
    assert.match((await add(`${url}#main?manifest=m.json`)).error ?? '', /There is no m\.json in the package/)
    assert.deepEqual(await ids(), ['a.md'])
  })
})

test('an address that could be an option, or is none, is refused', () => {
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

test('a url with a password is refused without telling it, and a user name of ssh is none', async (t) => {
  const { add, sync, root, places } = await project(t, {}, { outside: true, network: true })
  const secret = 'git+https://bob:swordfish@example.org/r.git'
  const told = { code: 'bad_url', message: 'The url of the package holds a user name or password.' }
  for (const url of [
    ...[secret, 'git+https://swordfish@example.org/r.git', 'git+ssh://git:sword@fish@example.org/r.git'],
    'https://bob:swordfish@example.org/manifest.json',
  ])
    await assert.rejects(add(url), told, url)
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
