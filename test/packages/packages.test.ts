import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { configuredPackages } from '../../src/answer/configured-packages.js'
import { isMiss } from '../../src/answer/find-passages.js'
import type { Library } from '../../src/answer/library.js'
import { search } from '../../src/answer/search.js'
import { createSource } from '../../src/answer/source-records.js'
import { readContext } from '../../src/sources/package/context-file.js'
import { readDocument } from '../../src/toolsets/documents/read.js'
import { removeDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { addAndSync } from '../../src/toolsets/packages/add.js'
import { permittedLocation, removePackage } from '../../src/toolsets/packages/configured.js'
import { syncNewPackages } from '../../src/toolsets/packages/first-sync.js'
import { type Files, projectRoot, temporaryFolder, write } from '../support/world.js'
import { counts, manifest, project, sharing } from './package-world.js'

describe('a manifest', () => {
  test('brings documents that are changed where they come from', async (t) => {
    const files = { 'pkg/manifest.json': manifest({ glob: ['*.md'] }), 'pkg/a.md': '# A' }
    const { add, library } = await project(t, files)
    await add('pkg/manifest.json')
    await assert.rejects(removeDocument(library, { document: 'docs:a.md' }), {
      message: '"A" is a document of the package "docs"; it is changed and deleted where that comes from.',
      hint: 'Change it there and run "carrel sync docs".',
    })
  })

  test('adds the files that its globs name, without those that they exclude', async (t) => {
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

  test('that is wrong about some files costs only these files', async (t) => {
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
      manifest({ glob: ['*.md'], files: ['a.md'] }),
      manifest({ glob: ['a.{md'] }),
      '',
      '[]',
      '{ "name": "x", "version": "1" }',
    ]
    for (const text of odd) {
      writeFileSync(join(root, 'pkg/manifest.json'), text)
      const [report] = await sync()
      assert.equal(report?.state, 'failed', text)
      assert.match(
        report?.error ?? '',
        /^The manifest manifest\.json cannot be used\.|Mend that glob of the manifest\.$/,
      )
      assert.doesNotMatch(report?.error ?? '', /✖|→|undefined/)
      assert.deepEqual(await ids(), ['a.md'])
    }
  })

  test('that is gone or empty does not make everything in the folder public', async (t) => {
    const { add, sync, ids, root, library, places } = await project(t, {
      'pkg/manifest.json': manifest({ glob: ['*.md', '!draft.md'] }),
      'pkg/a.md': '# A',
      'pkg/draft.md': '# Draft',
    })
    await add('pkg')
    const lock = readFileSync(join(root, 'context.lock'), 'utf8')
    const spoil = [
      () => write(root, { 'pkg/manifest.json': '' }),
      () => rmSync(join(root, 'pkg/manifest.json')),
    ]
    for (const locked of [false, true])
      for (const one of locked ? spoil.slice(0, 1) : spoil) {
        one()
        const [report] = await sync({ locked })
        assert.match(report?.error ?? '', /manifest\.json/)
        assert.deepEqual([await ids(), readFileSync(join(root, 'context.lock'), 'utf8')], [['a.md'], lock])
        const [source] = await library.store.sources()
        assert.deepEqual([source?.version, source?.description], ['1.0.0', 'How we work'])
      }
    await removePackage(library, places, 'docs')
    rmSync(join(root, 'pkg/manifest.json'))
    assert.equal((await add('pkg')).state, 'synced')
    assert.deepEqual(await ids(), ['a.md', 'draft.md'])
  })
})

test('a manifest opens no files that are never read: secrets, .git, and links to them', async (t) => {
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
  test('adds, updates and removes; a file that fails keeps its stored text', async (t) => {
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

  test('drops packages that context.json no longer names, and the former package of an alias', async (t) => {
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

  test('reads exactly the locked bytes with --locked', async (t) => {
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

  test('with --locked reads nothing that only a manifest names, and nothing outside the lock', async (t) => {
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

  test('a folder that is read in place is read again when it changes', async (t) => {
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

describe('processes that add and remove packages at once lose none of one another', () => {
  const names = ['a', 'b', 'c']
  const numbers = Array.from({ length: 20 }, (_, i) => i)
  const expected = names
    .flatMap((name) => numbers.filter((i) => i % 2 === 0).map((i) => `${name}${i}`))
    .sort()
  const child = join(projectRoot, 'dist/test/packages/child.js')
  const run = (root: string, name: string, ...own: string[]) =>
    promisify(execFile)(process.execPath, [child, root, name, String(numbers.length), ...own])

  test('in one project', async (t) => {
    const { places, root } = await project(t, {})
    await Promise.all(names.map((name) => run(root, name)))
    assert.deepEqual(Object.keys(readContext(places.project)).sort(), expected)
  })

  test("in the user's own file, from projects with data folders of their own", async (t) => {
    const folder = temporaryFolder(t)
    const own = join(folder, 'own/context.json')
    const roots = names.map((name) => join(folder, name))
    for (const root of roots) mkdirSync(root)
    await Promise.all(names.map((name, n) => run(roots[n]!, name, own)))
    assert.deepEqual(Object.keys(readContext(own)).sort(), expected)
  })
})

test('an alias that another collection has is refused, in whatever case', async (t) => {
  const { add, sync, root, library, places } = await project(t, { 'h/a.md': '# A' })
  const made = await createSource(library, { title: 'Docs', type: 'upload' })
  const problem = { code: 'alias_taken', message: `"docs" is the name of another collection (${made.id}).` }
  await assert.rejects(add('./h'), problem)
  await assert.rejects(add('./h', 'Sessions'), { code: 'alias_taken' })
  assert.deepEqual(configuredPackages(places), [])
  write(root, { 'context.json': JSON.stringify({ collections: { docs: { url: './h' } } }) })
  assert.equal((await sync())[0]?.error?.startsWith(problem.message), true)
  assert.deepEqual(
    (await library.store.sources()).map(({ kind }) => kind),
    ['uploads'],
  )
})

describe('a path is the one from where it is typed', () => {
  const typing = async (t: TestContext, files: Files, allow?: { outside: boolean; network: boolean }) => {
    const made = await project(t, files, allow)
    const at = process.cwd()
    t.after(() => process.chdir(at))
    const named = (file: string) =>
      existsSync(file) ? Object.values(readContext(file)).map(({ url }) => url) : null
    const from = (folder: string, ...argv: string[]) => {
      process.chdir(join(made.root, folder))
      return made.typed('add', ...argv, '--as', 'docs')
    }
    return { ...made, named, from }
  }

  test('and context.json has it as seen from there', async (t) => {
    const { from, named, places, ids, root } = await typing(t, {
      'docs/adr/a.md': '# A',
      'docs/x/b.md': '# B',
    })
    const cases: [string, string, string][] = [
      ['docs', './adr', './docs/adr'],
      ['docs/x', '../adr', './docs/adr'],
      ['docs/x', 'file:../adr', './docs/adr'],
      ['docs/adr', '.', './docs/adr'],
      ['', 'docs/adr', 'docs/adr'],
      ['docs', join(root, 'docs/adr'), join(root, 'docs/adr')],
    ]
    for (const [folder, url, expected] of cases) {
      const result = await from(folder, url)
      assert.deepEqual([result.code, named(places.project)], [0, [expected]], result.err)
      assert.deepEqual(await ids(), ['a.md'])
    }
    const away = await from('docs', './docs/adr')
    assert.match(away.err, /There is nothing at \.\/docs\/adr\./)
  })

  test("and absolute in the user's own, whose folder is another", async (t) => {
    const { from, named, places, ids, root } = await typing(t, { 'docs/adr/a.md': '# A' })
    const result = await from('docs', './adr', '--global')
    assert.deepEqual([result.code, named(places.global)], [0, [join(root, 'docs/adr')]], result.err)
    assert.deepEqual([await ids(), named(places.project)], [['a.md'], null])
  })

  test('and a package that cannot be added leaves no context.json behind', async (t) => {
    const { from, named, places } = await typing(
      t,
      { 'docs/bad/manifest.json': '{', 'docs/a.md': '# A' },
      { outside: false, network: false },
    )
    for (const argv of [
      ['./nothing'],
      ['./bad/manifest.json'],
      ['https://docs.example.org/manifest.json'],
      ['./nothing', '--global'],
      ['./bad/manifest.json', '--global'],
    ]) {
      const result = await from('docs', ...argv)
      assert.equal(result.code, 1, result.out)
      assert.deepEqual([named(places.project), named(places.global)], [null, null], result.out)
    }
  })
})

test('a context.json that cannot be written is named', async (t) => {
  const { add, places, library } = await project(t, { 'one/a.md': '# A' })
  mkdirSync(`${places.project}.new-${process.pid}`)
  const problem = { code: 'closed_file', message: /context\.json cannot be written: EEXIST at / }
  await assert.rejects(add('one'), problem)
  assert.deepEqual(await library.store.sources(), [])
})

describe('two aliases for one package', () => {
  test('the first always has it, and the other gets a note', async (t) => {
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

test('a folder is inside its project, even if the project is a whole disk', (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'context.json')
  const places = { project: file, global: file, allow: { outside: false, network: false } }
  const one = { alias: 'docs', url: '.', file, global: false }
  const within = (root: string) => permittedLocation({ settings: { root } } as Library, places, one)
  for (const root of [folder, dirname(folder), parse(folder).root])
    assert.equal(within(root).kind, 'folder', root)
  for (const root of [join(folder, 'a'), `${folder}b`])
    assert.throws(() => within(root), { code: 'not_allowed' }, root)
})
