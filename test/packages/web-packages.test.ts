// Packages on the web, from servers of the test's own on loopback.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { configuredPackages } from '../../src/answer/configured-packages.js'
import type { Library } from '../../src/answer/library.js'
import { runBackgroundWork } from '../../src/app/background.js'
import { readDocument } from '../../src/toolsets/documents/read.js'
import { addAndSync } from '../../src/toolsets/packages/add.js'
import { removePackage } from '../../src/toolsets/packages/configured.js'
import { syncNewPackages } from '../../src/toolsets/packages/first-sync.js'
import { pack } from '../../src/toolsets/packages/pack.js'
import { type PackageReport, syncPackages } from '../../src/toolsets/packages/sync.js'
import { write } from '../support/world.js'
import { manifest, type Page, project, site } from './web-world.js'

const hash = (text: string | Buffer) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const counts = ({ added, updated, unchanged, removed }: PackageReport) => [added, updated, unchanged, removed]
const failures = ({ failed }: PackageReport) =>
  Object.fromEntries(failed.map(({ path, reason }) => [path, reason]))

describe('a manifest on the web', () => {
  test('brings its files; a second sync fetches only the changed ones', async (t) => {
    const web = await site(t, { '/docs/a.md': '# A', '/docs/deep/b%20%C3%BC.md': '# B', '/else/c.md': '# C' })
    web.pages['/docs/manifest.json'] = manifest(['a.md', 'deep/b ü.md', { url: `${web.at}/else/c.md` }])
    const { add, sync, ids, title, lock } = await project(t)
    const url = `${web.at}/docs/manifest.json`
    const added = await add(url)
    assert.deepEqual([counts(added), added.failed, added.version], [[3, 0, 0, 0], [], '2.0.0'])
    assert.deepEqual(await ids(), ['a.md', 'deep/b ü.md', `${web.at}/else/c.md`])
    assert.equal(await title(`${web.at}/else/c.md`), 'C')
    const locked = lock()
    assert.deepEqual(Object.keys(locked.files), ['a.md', 'deep/b ü.md', `${web.at}/else/c.md`])
    assert.match(locked.etag, /^"[0-9a-f]{8}"$/)
    assert.equal(locked.hash, hash(web.pages['/docs/manifest.json'] as string))
    web.takeLog()

    assert.deepEqual(counts(await sync()), [0, 0, 3, 0])
    assert.deepEqual(web.takeLog(), [
      '/docs/a.md 304',
      '/docs/deep/b%20%C3%BC.md 304',
      '/docs/manifest.json 304',
      '/else/c.md 304',
    ])

    Object.assign(web.pages, { '/docs/a.md': '# A2', '/docs/d.md': '# D' })
    web.pages['/docs/manifest.json'] = manifest(['a.md', 'deep/b ü.md', 'd.md'])
    assert.deepEqual(counts(await sync()), [1, 1, 1, 1])
    assert.deepEqual(await ids(), ['a.md', 'd.md', 'deep/b ü.md'])
    assert.equal(await title('a.md'), 'A2')
  })

  test('with hashes: known files are not fetched, and a wrong hash is an error of that file', async (t) => {
    const web = await site(t, { '/a.md': '# A', '/b.md': '# B' })
    web.pages['/manifest.json'] = manifest([
      { path: 'a.md', hash: hash('# A') },
      { path: 'b.md', hash: hash('# something else') },
    ])
    const { add, sync, ids } = await project(t)
    const report = await add(`${web.at}/manifest.json`)
    assert.deepEqual(
      [counts(report), failures(report)],
      [[1, 0, 0, 0], { 'b.md': 'Its hash is not the one in the manifest.' }],
    )
    web.takeLog()
    await sync()
    assert.deepEqual(web.takeLog(), ['/b.md 304', '/manifest.json 304'])
    assert.deepEqual(await ids(), ['a.md'])
  })

  test('a file that fails is reported and its text kept; a manifest that fails changes nothing', async (t) => {
    const web = await site(t, { '/a.md': '# A', '/b.md': '# B' })
    web.pages['/manifest.json'] = manifest(['a.md', 'b.md'])
    const { add, sync, ids, title } = await project(t)
    await add(`${web.at}/manifest.json`)
    web.pages['/b.md'] = (_, response) => response.writeHead(500).end()
    const partly = await sync()
    assert.deepEqual(
      [counts(partly), failures(partly)],
      [[0, 0, 1, 0], { 'b.md': 'The server answered 500 (an error of its own).' }],
    )
    assert.equal(await title('b.md'), 'B')

    for (const bad of [
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(404).end(),
      '<html>Sign in</html>',
      '{"name": "x"}',
      JSON.stringify({ name: 'x', version: '1', sources: { glob: ['**/*.md'] } }),
      manifest(['a.md'], { baseUrl: 'file:///etc/' }),
      (_: IncomingMessage, response: ServerResponse) =>
        response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      (_: IncomingMessage, response: ServerResponse) => response.socket?.destroy(),
    ] as Page[]) {
      web.pages['/manifest.json'] = bad
      const report = await sync()
      assert.equal(report.state, 'failed')
      assert.match(report.error ?? '', /manifest\.json (could not be fetched|cannot be used)\. ./)
      assert.deepEqual(await ids(), ['a.md', 'b.md'])
    }
  })

  test('that is wrong about some files costs only these files', async (t) => {
    const web = await site(t, {
      '/a.md': '# A',
      '/loop.md': (_, response) => response.writeHead(302, { location: '/loop.md' }).end(),
      '/away.md': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/meta.md': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      '/secret': 'no',
    })
    web.pages['/docs/manifest.json'] = manifest([
      { url: '/a.md' },
      { path: '../secret' },
      { path: 'gone.md' },
      {},
      { url: 'file:///etc/passwd' },
      { url: 'http://user:pass@127.0.0.1/x.md' },
      { url: 'http://169.254.169.254/x.md' },
      { url: `${web.at}/loop.md` },
      { url: `${web.at}/away.md` },
      { url: `${web.at}/meta.md` },
      { path: 'x.md', hash: 'sha256:zz' },
    ])
    const { add, ids } = await project(t, {}, { privateNetwork: true })
    const failed = failures(await add(`${web.at}/docs/manifest.json`))
    assert.deepEqual(await ids(), [`${web.at}/a.md`])
    assert.deepEqual(failed, {
      '': 'It has neither a path nor a url.',
      '../secret': 'Its path leaves the package.',
      'file:///etc/passwd': 'Its url is not an address on the web.',
      'gone.md': 'The server answered 404 (not found).',
      'http://169.254.169.254/x.md':
        '169.254.169.254 is a server beyond this machine. A project can name one when you say --allow-network.',
      [`${web.at}/away.md`]:
        '10.0.0.1 is a server beyond this machine. A project can name one when you say --allow-network.',
      [`${web.at}/loop.md`]: 'Its redirects lead back to themselves.',
      [`${web.at}/meta.md`]: '169.254.169.254 is a link-local address. Those are never asked.',
      'http://user:pass@127.0.0.1/x.md': 'The url holds a user name or password; those are not sent.',
      'x.md': 'Its hash is not "sha256:" and 64 hexadecimal digits.',
    })
  })

  test('has its paths below its baseUrl', async (t) => {
    const web = await site(t, { '/cdn/v2/a.md': '# A' })
    web.pages['/manifest.json'] = manifest(['a.md'], { baseUrl: '/cdn/v2' })
    const { add, ids } = await project(t)
    assert.deepEqual((await add(`${web.at}/manifest.json`)).failed, [])
    assert.deepEqual(await ids(), ['a.md'])
  })

  test('pages without a file name are read by their content type', async (t) => {
    const typed = (type: string, body: string) => (_: IncomingMessage, response: ServerResponse) =>
      void response.setHeader('content-type', type).end(body)
    const web = await site(t, {
      '/docs/': typed('text/html; charset=utf-8', '<title>Page</title><h1>Docs</h1><p>hello</p>'),
      '/wiki/Node.js': typed('text/html', '<title>Node</title><h1>Node</h1><p>hello</p>'),
      '/plain': typed('text/plain', 'just words'),
      '/README.md': typed('text/plain', '# Read me'),
      '/movie': typed('video/mp4', 'x'),
      '/docs/?page=2': typed('text/markdown', '# Two'),
    })
    web.pages['/manifest.json'] = manifest(Object.keys(web.pages).map((path) => ({ url: web.at + path })))
    const { add, ids, title } = await project(t)
    const report = await add(`${web.at}/manifest.json`)
    assert.deepEqual(
      report.skipped.map(({ path }) => path),
      [`${web.at}/movie`],
    )
    assert.equal((await ids()).length, 5)
    for (const [path, expected] of [
      ['/wiki/Node.js', 'Node'],
      ['/README.md', 'Read me'],
      ['/docs/?page=2', 'Two'],
    ])
      assert.equal(await title(web.at + path), expected)
  })

  test('reads exactly the locked bytes with --locked', async (t) => {
    const web = await site(t, { '/a.md': '# A' })
    web.pages['/manifest.json'] = manifest(['a.md'])
    const { add, sync, title } = await project(t)
    await add(`${web.at}/manifest.json`)
    web.takeLog()
    web.pages['/a.md'] = '# Changed'
    assert.deepEqual(
      [(await sync({ locked: true })).failed, await title('a.md'), web.takeLog()],
      [[], 'A', []],
    )
    web.pages['/manifest.json'] = manifest(['a.md', 'b.md'])
    assert.deepEqual((await sync({ locked: true })).failed, [])
  })

  test('another machine with the lock file refuses other bytes', async (t) => {
    const web = await site(t, { '/a.md': '# A' })
    web.pages['/manifest.json'] = manifest(['a.md'])
    const first = await project(t)
    await first.add(`${web.at}/manifest.json`)
    const second = await project(t)
    for (const name of ['context.json', 'context.lock'])
      writeFileSync(join(second.root, name), readFileSync(join(first.root, name)))
    assert.deepEqual(counts(await second.sync({ locked: true })), [1, 0, 0, 0])
    rmSync(join(second.library.settings.data, 'packages'), { recursive: true })
    web.pages['/a.md'] = '# Changed'
    assert.deepEqual(failures(await second.sync({ locked: true })), {
      'a.md': 'Its hash is not the one in the lock file.',
    })
    rmSync(join(second.library.settings.data, 'packages'), { recursive: true })
    web.pages['/manifest.json'] = manifest(['a.md', 'b.md'])
    assert.match((await second.sync({ locked: true })).error ?? '', /is not the one in context\.lock/)
  })

  test('a file that fails for a moment stays in the lock', async (t) => {
    const web = await site(t, { '/a.md': '# A', '/b.md': '# B' })
    web.pages['/manifest.json'] = manifest(['a.md', 'b.md'])
    const { add, sync, title, lock } = await project(t)
    await add(`${web.at}/manifest.json`)
    const locked = lock().files
    web.pages['/a.md'] = (_request, response) => void response.writeHead(500).end()
    assert.deepEqual(Object.keys(failures(await sync())), ['a.md'])
    assert.deepEqual(lock().files, locked)
    web.pages['/a.md'] = '# Other'
    assert.deepEqual(failures(await sync({ locked: true })), {
      'a.md': 'Its hash is not the one in the lock file.',
    })
    assert.equal(await title('a.md'), 'A')
  })

  test('a damaged copy of ours is fetched anew', async (t) => {
    const web = await site(t, { '/a.md': '# A' })
    web.pages['/manifest.json'] = manifest(['a.md'])
    const { add, sync, library } = await project(t)
    await add(`${web.at}/manifest.json`)
    web.takeLog()
    const packages = join(library.settings.data, 'packages')
    const { readdirSync } = await import('node:fs')
    for (const entry of readdirSync(packages, { recursive: true, encoding: 'utf8' }))
      if (entry.endsWith('.md')) writeFileSync(join(packages, entry), '# Tampered')
    await sync()
    assert.deepEqual(web.takeLog(), ['/a.md 200', '/manifest.json 304'])
  })
})

describe('servers that do not behave', () => {
  test('one that never answers is given up on, for the rest of the files too', async (t) => {
    const web = await site(t, { '/silent.md': () => {} })
    const silent = await site(t, {})
    const names = Array.from({ length: 40 }, (_, i) => `/silent-${i}.md`)
    for (const name of names) silent.pages[name] = () => {}
    web.pages['/a.md'] = '# A'
    web.pages['/manifest.json'] = manifest([
      { url: '/a.md' },
      ...names.map((name) => ({ url: silent.at + name })),
    ])
    const { add, ids } = await project(t, {}, { limits: { answerMs: 1_500 } })
    const report = await add(`${web.at}/manifest.json`)
    assert.equal(report.failed.length, 40)
    assert.ok(silent.log.length < 12, `${silent.log.length} were asked`)
    assert.match(report.failed.at(-1)!.reason, /did not answer or was busy before, so it was not asked/)
    assert.deepEqual(await ids(), [`${web.at}/a.md`])
  })

  test('one that stays busy is not waited for with every file', async (t) => {
    const names = Array.from({ length: 40 }, (_, i) => `busy-${i}.md`)
    const busy: Page = (_, response) => void response.writeHead(429, { 'retry-after': '0' }).end()
    const web = await site(t, Object.fromEntries(names.map((name) => [`/${name}`, busy])))
    web.pages['/manifest.json'] = manifest(names)
    const { add } = await project(t)
    const report = await add(`${web.at}/manifest.json`)
    assert.equal(report.failed.length, 40)
    assert.ok(web.log.length < 20, `${web.log.length} were asked`)
  })

  test('a busy one gets one more request', async (t) => {
    let requests = 0
    const web = await site(t, {
      '/a.md': (_, response) => {
        requests++
        if (requests > 1) response.end('# A')
        else response.writeHead(503, { 'retry-after': '0' }).end()
      },
    })
    web.pages['/manifest.json'] = manifest(['a.md'])
    const { add } = await project(t)
    assert.deepEqual(counts(await add(`${web.at}/manifest.json`)), [1, 0, 0, 0])
  })

  test('a sync can be interrupted while it waits', async (t) => {
    const web = await site(t, { '/manifest.json': () => {} })
    const { library, places, root } = await project(t)
    write(root, {
      'context.json': JSON.stringify({ collections: { docs: { url: `${web.at}/manifest.json` } } }),
    })
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await assert.rejects(syncPackages(library, places, { signal: stop.signal }), /enough/)
  })
})

describe('fetched files', () => {
  const foldersOf = (library: Library) => readdirSync(join(library.settings.data, 'packages'))

  test('leave with their package, and so do remains of a killed process', async (t) => {
    const web = await site(t, { '/a.md': '# A', '/manifest.json': manifest(['a.md']) })
    const { add, sync, library, places } = await project(t)
    await add(`${web.at}/manifest.json`)
    assert.equal(foldersOf(library).length, 1)
    write(library.settings.data, {
      'packages/new-x1/a.md': '# A',
      'packages/package-0123456789ab/a.md': '# A',
    })
    await sync()
    assert.equal(foldersOf(library).length, 1)
    await removePackage(library, places, 'docs')
    assert.deepEqual(foldersOf(library), [])
  })

  test('is not kept when adding is interrupted, and nothing is configured', async (t) => {
    const stop = new AbortController()
    const web = await site(t, { '/a.md': () => stop.abort(new Error('enough')) })
    web.pages['/manifest.json'] = manifest(['a.md'])
    const { library, places } = await project(t)
    const request = { url: `${web.at}/manifest.json`, alias: 'docs', signal: stop.signal }
    await assert.rejects(addAndSync(library, places, request), /enough/)
    assert.deepEqual([configuredPackages(places), foldersOf(library)], [[], []])
    assert.deepEqual(await library.whole.sources(), [])
  })
})

describe('a bundle on the web', () => {
  const files = {
    'pkg/manifest.json': JSON.stringify({ name: 'x', version: '1', sources: { glob: ['*.md'] } }),
    'pkg/a.md': '# A',
  }

  test('is added, fetched again only when it changed, and locked', async (t) => {
    const { root, add, sync, ids, lock } = await project(t, files)
    const { file } = await pack('pkg', { cwd: root })
    const web = await site(t, { '/x-1.tar.gz': readFileSync(file) })
    assert.deepEqual(counts(await add(`${web.at}/x-1.tar.gz`)), [1, 0, 0, 0])
    assert.deepEqual([await ids(), lock().hash], [['a.md'], hash(readFileSync(file))])
    web.takeLog()
    assert.deepEqual(counts(await sync()), [0, 0, 1, 0])
    assert.deepEqual(web.takeLog(), ['/x-1.tar.gz 304'])
    write(root, { 'pkg/b.md': '# B' })
    await pack('pkg', { cwd: root })
    web.pages['/x-1.tar.gz'] = readFileSync(file)
    assert.deepEqual([counts(await sync({ locked: true })), web.takeLog()], [[0, 0, 1, 0], []])
    assert.deepEqual(counts(await sync()), [1, 0, 1, 0])
    web.pages['/x-1.tar.gz'] = 'no bundle'
    assert.match((await sync()).error ?? '', /The bundle is refused/)
    assert.deepEqual(await ids(), ['a.md', 'b.md'])
  })
})

describe('addresses that a project may name', () => {
  test('private addresses are refused unless they are allowed', async (t) => {
    const { add } = await project(t, {}, { privateNetwork: false, network: true })
    for (const url of [
      'http://127.0.0.1:9999/manifest.json',
      'http://[::1]/x.tgz',
      'https://10.0.0.1/manifest.json',
    ])
      assert.match((await add(url)).error ?? '', /could not be fetched\. .* --allow-private-network/)
  })

  test('a server beyond this machine needs the user’s word, also for one file', async (t) => {
    const { add } = await project(t, {
      'pkg/manifest.json': manifest(['a.md', 'https://example.org/x.md']),
      'pkg/a.md': '# A',
    })
    assert.match(
      (await add('https://example.org/manifest.json')).error ?? '',
      /beyond this machine\. .*--allow-network/,
    )
    assert.match(
      failures(await add('pkg'))['https://example.org/x.md'] ?? '',
      /beyond this machine\. .*--allow-network/,
    )
  })

  test('a folder may have some of its files on the web', async (t) => {
    const web = await site(t, { '/x.md': '# X', '/base/b.md': '# B' })
    const { add, ids, sync, library } = await project(t, {
      'pkg/manifest.json': manifest(['a.md', 'b.md', `${web.at}/x.md#part`], { baseUrl: `${web.at}/base` }),
      'pkg/a.md': '# A',
    })
    assert.deepEqual(counts(await add('pkg')), [3, 0, 0, 0])
    assert.deepEqual(await ids(), ['a.md', 'b.md', `${web.at}/x.md`])
    web.takeLog()
    assert.deepEqual(counts(await sync()), [0, 0, 3, 0])
    assert.deepEqual(web.takeLog(), ['/base/b.md 304', '/x.md 304'])
    // Reading one must not take it for a file that went away.
    await readDocument(library, { collection: 'docs', document: `${web.at}/x.md` })
    assert.equal((await ids()).length, 3)
  })

  test('invalid addresses are refused with an example of a valid one', async (t) => {
    const { add } = await project(t)
    await assert.rejects(add('https://user:pass@example.org/manifest.json'), /user name or password/)
    await assert.rejects(add('https://example.org/docs/'), /neither a manifest nor a bundle/)
    await assert.rejects(add('http://'), /not the address of a package/)
    await assert.rejects(add('ftp://example.org/manifest.json'), /not the address of a package/)
  })
})

describe('packages that were never synced', () => {
  const named = (collections: Record<string, string>) =>
    JSON.stringify({
      collections: Object.fromEntries(Object.entries(collections).map(([alias, url]) => [alias, { url }])),
    })

  test('are synced once, the user’s own too; a failure is a note', async (t) => {
    const {
      library: opened,
      root,
      ids,
    } = await project(t, {
      'one/a.md': '# A',
      'own/two/b.md': '# B',
      'own/context.json': named({ two: './two' }),
      'context.json': named({ docs: './one', gone: './gone', far: 'https://example.org/manifest.json' }),
    })
    const library = {
      ...opened,
      settings: { ...opened.settings, allow: { outside: false, network: false, privateNetwork: false } },
    }
    const first = await syncNewPackages(library)
    assert.deepEqual(
      first.reports.map(({ alias, state, added }) => [alias, state, added]),
      [
        ['docs', 'synced', 1],
        ['far', 'failed', 0],
        ['gone', 'failed', 0],
        ['two', 'synced', 1],
      ],
    )
    assert.deepEqual(first.notes, [
      'The package "far" was not taken in. "far" is on a server beyond this machine. A project can name one when you say --allow-network.',
      `The package "gone" was not taken in. There is nothing at ./gone. ${forms}`,
    ])
    write(root, { 'one/new.md': '# New' })
    const second = await syncNewPackages(library)
    assert.deepEqual(
      second.reports.map(({ alias }) => alias),
      ['far', 'gone'],
    )
    assert.deepEqual([await ids('docs'), await ids('two')], [['a.md'], ['b.md']])
  })

  test('a context.json that cannot be read is a note', async (t) => {
    const { library } = await project(t, { 'context.json': '{ broken' })
    const { reports, notes } = await syncNewPackages(library)
    assert.deepEqual(reports, [])
    assert.match(notes.join(), /The packages could not be taken in\. .*context\.json cannot be used/)
  })

  test('a starting server syncs them in the background, and a silent web server blocks no answer', async (t) => {
    const web = await site(t, { '/silent.json': () => {} })
    const { library, root } = await project(t, {
      'one/a.md': '# A',
      'context.json': named({ docs: './one', silent: `${web.at}/silent.json` }),
    })
    const troubles: string[] = []
    const live = runBackgroundWork(library, { onTrouble: (message) => troubles.push(message) })
    await live.indexed
    while (web.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(
      (await library.store.sources()).map(({ name }) => name),
      ['docs'],
    )
    const start = performance.now()
    await live.close()
    assert.ok(performance.now() - start < 2_000, `closing took long in ${root}`)
    assert.deepEqual(troubles, [])
  })
})

const forms =
  'A package is a folder, a manifest.json, a .tar.gz or .tgz bundle (each also at an http or https url), or git+https://…, git+ssh://…, git+file://….'
