import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import type { IndexReport } from '../../src/model/reports.js'
import { listFolder } from '../../src/sources/folder.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { track } from '../support/git-index.js'
import {
  asOrdinaryUser,
  type Files,
  openForTest,
  settingsFor,
  temporaryFolder,
  type World,
  world,
  write,
} from '../support/world.js'

async function documentsOf({ library }: World): Promise<string[]> {
  const { documents } = await library.store.documents({}, { offset: 0, limit: 1000 })
  return documents.map((document) => document.ref.path)
}

async function first({ library }: World, query: string): Promise<string | undefined> {
  return (await search(library, { query })).hits[0]?.document
}

function adds({ counts }: IndexReport) {
  assert.equal(
    counts.found,
    counts.stored + counts.unchanged + counts.skipped + counts.failed,
    'the counts add up',
  )
}

describe('a folder', () => {
  test('is indexed without configuration, and every file has one outcome', async (t) => {
    const w = await world(t, {
      'a.md': '# Alpha\n\nText about lanterns.',
      'src/b.ts': 'export const wick = 1\n',
      'c.png': 'x',
    })
    const report = await indexAll(w.library, {})
    adds(report)
    assert.deepEqual(await documentsOf(w), ['a.md', 'src/b.ts'])
    assert.deepEqual(
      { ...report.counts, bytes: 0, chunks: 0 },
      { found: 3, stored: 2, unchanged: 0, skipped: 1, failed: 0, forgotten: 0, bytes: 0, chunks: 0 },
    )
    assert.equal(await first(w, 'lanterns'), 'a.md')
  })

  test('reports a file whose end is not indexed, in every run and in every answer that may miss its words', async (t) => {
    const rows = Array.from(
      { length: 10_050 },
      (_, i) => `${i},customer ${i === 10_040 ? 'quokka' : 'otter'}`,
    )
    const w = await world(t, {
      'long.csv': `id,name\n${rows.join('\n')}\n`,
      'short.csv': 'id,name\n1,wombat\n',
    })
    const { name } = w.library.sources[0]!
    const long = [{ source: name, path: 'long.csv', reason: 'Only the first 10000 of 10051 rows are kept.' }]
    for (const _ of ['first', 'again']) assert.deepEqual((await indexAll(w.library, {})).inPart, long)
    assert.deepEqual((await status(w.library)).inPart, long)
    const notesFor = async (query: string) =>
      (await search(w.library, { query, mode: 'text' })).notes.filter(({ code }) => code === 'in_part')
    const message = 'Indexed in part only: long.csv: Only the first 10000 of 10051 rows are kept.'
    assert.deepEqual(await notesFor('quokka'), [{ code: 'in_part', message }])
    assert.deepEqual(await notesFor('otter'), [{ code: 'in_part', message }])
    assert.deepEqual(await notesFor('wombat'), [])
  })

  test('leaves out ignored files, folders of tools, build output, lock files and secrets', async (t) => {
    const w = await world(t, {
      '.gitignore': 'ignored/\n*.tmp.md\n',
      'ignored/a.md': 'x',
      'b.tmp.md': 'x',
      'node_modules/p/readme.md': 'x',
      '.git/notes.md': 'x',
      'dist/c.md': 'x',
      '.env': 'SECRET=1',
      '.env.local': 'SECRET=1',
      'id_rsa.txt': 'x',
      'server.key': 'x',
      'package-lock.json': '{}',
      'context.lock': '{}',
      '.github/workflow.md': 'kept',
      'kept.md': 'kept',
    })
    await indexAll(w.library, {})
    assert.deepEqual(await documentsOf(w), ['.github/workflow.md', 'kept.md'])
  })

  test('keeps folders with names of build output if git tracks them, and files with such names', async (t) => {
    const w = await world(t, {
      'src/build/a.ts': 'export const a = 1',
      'src/build/new.ts': 'export const b = 1',
      'src/build/dist/b.ts': 'export const c = 1',
      'build/out.js': 'x',
      'target/x.md': 'x',
      'node_modules/p/a.md': 'x',
      'lib/build': 'a script',
      'lib/dist/x.md': 'x',
      'Build/c.md': 'kept',
      'ui/package.json': '{}',
      'ui/dist/bundle.js': 'x',
    })
    const expected = ['Build/c.md', 'lib/build', 'src/build/a.ts', 'src/build/new.ts', 'ui/package.json']
    await indexAll(w.library, {})
    assert.deepEqual(await documentsOf(w), ['Build/c.md', 'lib/build', 'ui/package.json'])
    // What is committed where builds put it stays build output.
    const output = ['build/out.js', 'ui/dist/bundle.js']
    track(w.root, ['src/build/a.ts', 'node_modules/p/a.md', 'lib/build', ...output])
    await indexAll(w.library, {})
    assert.deepEqual(await documentsOf(w), expected)
    const { items } = await listFolder({ path: join(w.root, 'src'), include: [], exclude: [] })
    assert.deepEqual(
      items.map(({ path }) => path),
      ['build/a.ts', 'build/new.ts'],
    )
  })

  test('leaves out secrets in any case of letters, even if a glob names them', async (t) => {
    const files = {
      ...{ '.ENV': 'SECRET=1', '.Env.production': 'SECRET=1', 'prod.env': 'SECRET=1', 'Prod.PEM': 'x' },
      ...{ ID_RSA: 'x', 'id_dsa.txt': 'x', '.AWS/credentials': 'x', '.git-credentials': 'x' },
      ...{ 'home/.Kube/config': 'x', '.docker/Config.json': '{}', 'prod.TFVARS': 'x' },
      ...{ '.config/gh/hosts.yml': 'x', 'Credentials.json': '{}', 'config/secrets.yml': 'x' },
      ...{ '.docker/setup.md': 'kept', 'kube/config.md': 'kept', 'kept.md': 'kept' },
    }
    const expected = ['.docker/setup.md', 'kept.md', 'kube/config.md']
    const w = await world(t, files)
    await indexAll(w.library, {})
    assert.deepEqual(await documentsOf(w), expected)
    const include = ['**', '.ENV', '*.env', '.AWS/**', 'ID_RSA', '**/.Kube/config', '.docker/**']
    const { items } = await listFolder({ path: w.root, include, exclude: [], ignoreFiles: false })
    assert.deepEqual(
      items.map(({ path }) => path),
      expected,
    )
  })

  test('leaves out copies of secrets, and keeps copies of other files', async (t) => {
    const w = await world(t, {
      ...{ '.env~': 'SECRET=1', 'server.key.bak': 'x', '.kube/config.old': 'x', 'secrets.2024.yml': 'x' },
      ...{
        'credentials (1).json': '{}',
        'ops/kubeconfig': 'x',
        '.ssh.bak/notes.md': 'x',
        '.zsh_history': 'x',
      },
      ...{
        'pkg/kubeconfig/write.go': 'package kubeconfig',
        'notes (1).md': 'kept',
        'credentials.old.md': 'kept',
      },
    })
    const { items } = await listFolder({ path: w.root, include: ['**'], exclude: [], ignoreFiles: false })
    assert.deepEqual(
      items.map(({ path }) => path),
      ['credentials.old.md', 'notes (1).md', 'pkg/kubeconfig/write.go'],
    )
  })

  test('with an invalid pattern is refused as a configuration', async (t) => {
    const w = await world(t, { 'a.md': 'alpha' })
    const listed = listFolder({ path: w.root, include: ['['], exclude: [] })
    await assert.rejects(listed, { code: 'bad_configuration', message: /unclosed character class/ })
  })

  test('in which nothing is found says so', async (t) => {
    const w = await world(t, { '.gitignore': '*\n', 'a.md': 'alpha' })
    const { counts, notes } = await indexAll(w.library, {})
    assert.equal(counts.found, 0)
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['nothing_found'],
    )
    assert.match(notes[0]!.message, /"project".*\.gitignore/)
    rmSync(join(w.root, '.gitignore'))
    assert.deepEqual((await indexAll(w.library, {})).notes, [])
  })

  test('reads only changed files again, and forgets missing ones', async (t) => {
    const w = await world(t, {
      'a.md': '# One\n\nfirst',
      'b.md': '# Two\n\nsecond',
      'c.md': '# Three\n\nthird',
    })
    await indexAll(w.library, {})
    utimesSync(join(w.root, 'a.md'), 1000, 1000)
    write(w.root, { 'b.md': '# Two\n\nsecond, changed' })
    rmSync(join(w.root, 'c.md'))
    const report = await indexAll(w.library, {})
    adds(report)
    assert.equal(report.counts.stored, 1)
    assert.equal(report.counts.unchanged, 1)
    assert.equal(report.counts.forgotten, 1)
    assert.equal(await first(w, 'changed'), 'b.md')
    assert.equal(await first(w, 'third'), undefined)
  })

  test('keeps the chunks that did not change when a document is edited', async (t) => {
    const section = (n: number) =>
      `## Part ${n}\n\n${`Sentence number ${n} about part ${n}. `.repeat(40)}\n\n`
    const w = await world(t, { 'a.md': `# Long\n\n${section(1)}${section(2)}${section(3)}` })
    await indexAll(w.library, {})
    const ref = { source: w.library.sources[0]!.id, path: 'a.md' }
    const before = await w.library.store.chunksOf(ref)
    write(w.root, { 'a.md': `# Long\n\n${section(1)}A new paragraph.\n\n${section(2)}${section(3)}` })
    await indexAll(w.library, {})
    const after = await w.library.store.chunksOf(ref)
    const unchanged = after.filter((chunk) =>
      before.some((old) => old.id === chunk.id && old.hash === chunk.hash),
    )
    assert.ok(unchanged.length >= 2, `${unchanged.length} of ${before.length} chunks kept`)
    assert.deepEqual(auditIndex(w.settings.data), [])
  })

  test('understands a rename', async (t) => {
    const w = await world(t, { 'old.md': '# Wick\n\nAbout wicks.' })
    await indexAll(w.library, {})
    renameSync(join(w.root, 'old.md'), join(w.root, 'new.md'))
    const { counts } = await indexAll(w.library, {})
    assert.deepEqual([counts.stored, counts.forgotten], [1, 1])
    assert.equal(await first(w, 'wicks'), 'new.md')
  })

  test('sees an edit that keeps size and time stamp', async (t) => {
    const w = await world(t, { 'a.md': 'alpha' })
    const now = new Date(Math.floor(Date.now() / 1000) * 1000)
    utimesSync(join(w.root, 'a.md'), now, now)
    await indexAll(w.library, {})
    write(w.root, { 'a.md': 'gamma' })
    utimesSync(join(w.root, 'a.md'), now, now)
    await indexAll(w.library, {})
    assert.equal(await first(w, 'gamma'), 'a.md')
  })

  test('notices a file that replaced another with the same size and time stamp, as after copying and unpacking', async (t) => {
    const bad = Uint8Array.from([0, 1, 2, 3, 0])
    const w = await world(t, { 'v1/a.md': 'alpha', 'v2/a.md': 'gamma', 'b.md': 'heron', 'bad.md': bad })
    const age = (...paths: string[]) => {
      for (const path of paths) utimesSync(join(w.root, path), 499162500, 499162500)
    }
    age('v1/a.md', 'v2/a.md', 'b.md', 'bad.md')
    // Beyond the time in which a file counts as just written, and is compared by its bytes anyhow.
    await sleep(100)
    await indexAll(w.library, {})
    assert.equal((await indexAll(w.library, {})).counts.unchanged, 3)
    for (const [from, to] of [
      ['v1', 'v'],
      ['v2', 'v1'],
      ['v', 'v2'],
    ])
      renameSync(join(w.root, from!), join(w.root, to!))
    write(w.root, { 'b.md': 'wicks', 'bad.md': 'clear' })
    age('b.md', 'bad.md')
    assert.equal(await first(w, 'heron'), undefined, 'a search looks at what it shows')
    assert.equal((await indexAll(w.library, {})).counts.stored, 3)
    assert.deepEqual(await Promise.all(['alpha', 'gamma', 'wicks', 'clear'].map((word) => first(w, word))), [
      'v2/a.md',
      'v1/a.md',
      'b.md',
      'bad.md',
    ])
  })

  test('that is reached through a link is read like any other', async (t) => {
    const w = await world(t, { 'a.md': 'alpha' })
    const linked = `${w.root}-linked`
    symlinkSync(w.root, linked)
    const library = await openForTest({ ...settingsFor(linked), data: `${w.root}-data` })
    t.after(() => library.close())
    assert.equal((await indexAll(library, {})).counts.stored, 1)
    assert.equal(library.sources[0]!.id, w.library.sources[0]!.id, 'it is the same source')
  })

  test('that is gone changes nothing in the index', async (t) => {
    // The data is outside of it: an index that disappears with its folder is reported as that.
    const w = await world(t, { 'a.md': 'alpha' }, { data: join(temporaryFolder(t), 'data') })
    await indexAll(w.library, {})
    renameSync(w.root, `${w.root}-moved`)
    await assert.rejects(indexAll(w.library, {}), { code: 'no_folder' })
    assert.deepEqual(await documentsOf(w), ['a.md'])
    renameSync(`${w.root}-moved`, w.root)
  })
})

describe('a bad file', () => {
  const check = async (t: TestContext, files: Files) => {
    const w = await world(t, { ...files, 'good.md': '# Good\n\nStill found.' })
    const report = await indexAll(w.library, {})
    adds(report)
    assert.equal(await first(w, 'still found'), 'good.md', 'the good file is indexed all the same')
    return { w, report }
  }

  test('that is empty is a document without passages', async (t) => {
    const { w } = await check(t, { 'empty.md': '', 'blank.txt': ' \n\n\t' })
    assert.deepEqual(await documentsOf(w), ['blank.txt', 'empty.md', 'good.md'])
  })

  test('that is binary is skipped with a reason, whatever its name', async (t) => {
    const { report } = await check(t, { 'fake.md': Uint8Array.from([0, 1, 2, 3, 0, 255, 0, 7]) })
    assert.equal(report.counts.skipped, 1)
    assert.match(report.skipped[0]!.reason, /binary/i)
  })

  test('that is too large is skipped with both sizes', async (t) => {
    const { report } = await check(t, { 'huge.md': 'word '.repeat(500_000) })
    assert.equal(report.counts.skipped, 1)
    assert.equal(
      report.skipped[0]!.reason,
      'It is larger than the limit of 2.0 MB that limits.fileSize sets.',
    )
    assert.deepEqual(report.skippedFiles, [
      {
        source: report.bySource[0]!.name,
        path: 'huge.md',
        reason: 'It is larger than the limit of 2.0 MB that limits.fileSize sets (2.5 MB).',
      },
    ])
  })

  test('in another encoding is read', async (t) => {
    const { w } = await check(t, {
      'latin.md': Uint8Array.from(Buffer.from('# Café\n\nGrüße aus Köln', 'latin1')),
      'wide.md': Uint8Array.from(Buffer.from('\ufeff# Wide\n\nsixteen bits', 'utf16le')),
    })
    assert.equal(await first(w, 'Grüße Köln'), 'latin.md')
    assert.equal(await first(w, 'sixteen bits'), 'wide.md')
  })

  test('that is nested without end is read or refused in time', async (t) => {
    const { report } = await check(t, {
      'quotes.md': '> '.repeat(20_000),
      'lists.md': Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i * 2)}- x`)
        .join('\n')
        .slice(0, 1_500_000),
      'brackets.ts': '('.repeat(100_000),
      'braces.json': '{"a":'.repeat(50_000),
    })
    assert.equal(report.counts.found, 5)
  })

  test('that cannot be read fails with a reason and is tried again', async (t) => {
    const w = await world(t, { 'locked.md': 'secret', 'good.md': 'fine' })
    chmodSync(join(w.root, 'locked.md'), 0)
    const report = await asOrdinaryUser(dirname(w.root), () => indexAll(w.library, {}))
    assert.match(report.failures[0]!.reason, /permission/i)
    chmodSync(join(w.root, 'locked.md'), 0o600)
    assert.equal((await indexAll(w.library, {})).counts.stored, 1)
  })

  test('in a folder that cannot be read stays in the index, and the folder fails with a reason', async (t) => {
    const files = { 'd/a.md': 'heron', 'locked/b.md': 'lantern', 'locked/in/c.md': 'wick', 'no/d.md': 'x' }
    const w = await world(t, { ...files, '.gitignore': 'no/\n', 'odd: a\nb/e.md': 'x' })
    await indexAll(w.library, {})
    const shut = ['locked', 'no', 'odd: a\nb'].map((name) => join(w.root, name))
    const indexed = await asOrdinaryUser(dirname(w.root), () => {
      for (const path of shut) chmodSync(path, 0)
      return indexAll(w.library, {})
    })
    for (const path of shut) chmodSync(path, 0o700)
    adds(indexed)
    assert.deepEqual(indexed.failures, [
      { source: 'project', path: 'locked/', reason: 'The folder cannot be read: Permission denied.' },
      { source: 'project', path: 'odd: a\nb/', reason: 'The folder cannot be read: Permission denied.' },
    ])
    assert.equal(indexed.counts.forgotten, 0)
    assert.equal(await first(w, 'wick'), 'locked/in/c.md')
    rmSync(join(w.root, 'locked/in'), { recursive: true })
    assert.equal((await indexAll(w.library, {})).counts.forgotten, 1)
  })

  test('in an unreadable folder is an error if there is nothing else, unless the run was automatic', async (t) => {
    const root = temporaryFolder(t)
    write(root, { 'locked/b.md': 'lantern' })
    const closed = (include: string[]) => listFolder({ path: root, include, exclude: [] })
    const [all, there, elsewhere] = await asOrdinaryUser(root, async () => {
      chmodSync(join(root, 'locked'), 0)
      return [await closed([]), await closed(['/locked/in/*.md']), await closed(['docs/**/*.md'])]
    })
    chmodSync(join(root, 'locked'), 0o700)
    assert.deepEqual(
      all.unreadable.map(({ path }) => path),
      ['locked/'],
    )
    assert.deepEqual(there, all)
    assert.deepEqual(elsewhere, { items: [], unreadable: [] })
  })

  test('whose name is not UTF-8 fails with a reason, even next to one that looks the same', {
    skip: process.platform === 'linux' ? false : 'needs names of any bytes',
  }, async (t) => {
    const w = await world(t, { 'good.md': 'words', 'b\ufffd.md': 'words' })
    for (const name of ['a\xff.md', 'a\xfe.md', 'b\xff.md', 'caf\xe9/c.md']) {
      const path = Buffer.concat([Buffer.from(`${w.root}/`), Buffer.from(name, 'latin1')])
      if (name.includes('/')) mkdirSync(path.subarray(0, path.lastIndexOf('/')))
      writeFileSync(path, 'words')
    }
    const report = await indexAll(w.library, {})
    adds(report)
    assert.deepEqual(await documentsOf(w), ['b\ufffd.md', 'good.md'])
    assert.deepEqual([report.counts.stored, report.counts.failed], [2, 4])
    assert.deepEqual(
      report.failures.map(({ path }) => path),
      ['a\ufffd.md', 'a\ufffd.md', 'b\ufffd.md', 'caf\ufffd/c.md'],
    )
    assert.match(report.failures[0]!.reason, /name is not UTF-8/)
    assert.equal((await indexAll(w.library, {})).counts.unchanged, 2)
  })

  test('that is a link, a loop of links, or a pipe is never followed', {
    skip: process.platform === 'win32' ? 'needs POSIX links' : false,
  }, async (t) => {
    const outside = temporaryFolder(t)
    writeFileSync(join(outside, 'secret.md'), 'outside words')
    const w = await world(t, { 'good.md': 'inside words' })
    symlinkSync(join(outside, 'secret.md'), join(w.root, 'leak.md'))
    symlinkSync(outside, join(w.root, 'leak'))
    mkdirSync(join(w.root, 'loop'))
    symlinkSync(w.root, join(w.root, 'loop/again'))
    execFileSync('mkfifo', [join(w.root, 'pipe.md')])
    const report = await indexAll(w.library, {})
    adds(report)
    assert.deepEqual(await documentsOf(w), ['good.md'])
    assert.equal(await first(w, 'outside'), undefined)
  })

  test('that was refused once is not tried again until it changes', async (t) => {
    const { w } = await check(t, { 'fake.md': Uint8Array.from([0, 1, 2, 3, 0, 255, 0, 7]) })
    assert.equal((await indexAll(w.library, {})).counts.skipped, 1)
    write(w.root, { 'fake.md': '# Now text' })
    assert.equal((await indexAll(w.library, {})).counts.stored, 1)
  })

  test('that turned binary leaves the index', async (t) => {
    const { w } = await check(t, { 'page.md': '# Page' })
    write(w.root, { 'page.md': Uint8Array.from([0, 1, 2, 3, 0, 255, 0, 7]) })
    const { counts } = await indexAll(w.library, {})
    assert.deepEqual([counts.skipped, counts.forgotten], [1, 1])
    assert.deepEqual(await documentsOf(w), ['good.md'])
  })
})
