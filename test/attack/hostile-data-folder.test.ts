// A project that brings a `.carrel` along: a clone or an archive with links, records and jobs of somebody else's choice.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runBackgroundWork } from '../../src/app/background.js'
import { chooseDataFolder, rememberDataFolder } from '../../src/app/data-trust.js'
import { doctor } from '../../src/app/doctor.js'
import { indexAll } from '../../src/app/index-all.js'
import { openLibrary } from '../../src/app/open.js'
import { trustDataFolder } from '../../src/app/trust-folder.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { sweepBytes } from '../../src/toolsets/knowledge/blob-store.js'
import { allJobs, type CrawlJob, jobKind } from '../../src/toolsets/knowledge/jobs.js'
import { addDocument, listDocuments } from '../../src/toolsets/knowledge/manage-documents.js'
import { resumeCrawls } from '../../src/toolsets/knowledge/run-crawls.js'
import {
  asOrdinaryUser,
  openForTest,
  projectRoot,
  settingsFor,
  temporaryFolder,
  undo,
  world,
} from '../support/world.js'

const skip = process.platform === 'win32' && 'links need rights there'

/** A project with a data folder that an attacker wrote, and a folder outside that must stay as it is. */
function hostile(t: TestContext) {
  const base = temporaryFolder(t)
  const [root, outside, state] = ['project', 'outside', 'state'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [root, outside, join(root, '.carrel/uploads')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'a.md'), '# Herons\n\nThe heron stands in the reeds.\n')
  writeFileSync(join(outside, 'precious'), 'precious\n')
  utimesSync(join(outside, 'precious'), 1, 1)
  const data = join(root, '.carrel')
  const link = (name: string, target: string) => symlinkSync(join(outside, target), join(data, name))
  const untouched = () => {
    assert.deepEqual(readdirSync(outside), ['precious'])
    assert.equal(readFileSync(join(outside, 'precious'), 'utf8'), 'precious\n')
  }
  return { base, root, outside, state, data, link, untouched }
}

function carrel(root: string, state: string, ...args: string[]) {
  return spawnSync(process.execPath, [join(projectRoot, 'bin/carrel.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      XDG_CONFIG_HOME: join(state, 'none'),
      CARREL_STATE: state,
      CARREL_EMBEDDING_PROVIDER: 'none',
      CARREL_RERANK_PROVIDER: 'none',
      CARREL_LIMITS_WORKERS: '1',
    },
  })
}

const links: Record<string, [name: string, target: string]> = {
  'a shelf of uploads': ['uploads/aa', ''],
  'the new journal': ['records.jsonl.new', 'precious'],
  'the journal': ['records.jsonl', 'precious'],
  'a missing ignore file': ['.gitignore', 'made'],
  'the database': ['index.sqlite', 'precious'],
  'a missing database': ['index.sqlite', 'made'],
  'the log of the database': ['index.sqlite-wal', 'precious'],
  'a missing log of the database': ['index.sqlite-wal', 'made'],
  'the shared memory of the database': ['index.sqlite-shm', 'precious'],
  'the rollback journal of the database': ['index.sqlite-journal', 'precious'],
  'fetched packages': ['packages', ''],
  'pages of renames': ['renames', ''],
  'the id': ['id', 'precious'],
  'a missing id': ['id', 'made'],
}

describe('a data folder that came with the project', { skip }, () => {
  test('is not changed by any command; a note says so, and the project is indexed elsewhere', (t) => {
    const { root, state, data, link, untouched } = hostile(t)
    for (const [name, target] of Object.values(links))
      if (!existsSync(join(data, name)) && !isLink(join(data, name))) link(name, target)
    const before = readdirSync(data, { recursive: true }).sort()
    const indexed = carrel(root, state, 'index')
    assert.equal(indexed.status, 0, indexed.stderr)
    assert.match(indexed.stderr, /not known to be yours.*Nothing in it is used.*doctor --trust/s)
    const found = carrel(root, state, 'search', 'heron', '--json')
    assert.equal(JSON.parse(found.stdout).hits.length, 1)
    assert.match(carrel(root, state, 'doctor').stdout, /not known to be yours/)
    assert.deepEqual(readdirSync(data, { recursive: true }).sort(), before)
    untouched()
  })

  test('is not used while git tracks a file in it, though it was made here', async (t) => {
    const { root, state, data } = hostile(t)
    rmSync(data, { recursive: true })
    assert.equal(carrel(root, state, 'index').status, 0)
    const place = { root, state, named: false }
    assert.equal((await chooseDataFolder(data, place)).data, data)
    const git = (...args: string[]) => spawnSync('git', args, { cwd: root })
    if (git('init', '-q').status !== 0) return t.skip('needs git')
    git('add', '-f', '.carrel/.gitignore')
    const { data: other, notes } = await chooseDataFolder(data, place)
    assert.ok(other.startsWith(state))
    assert.match(notes[0]!.message, /Git tracks files in the data folder/)
    rmSync(data, { recursive: true })
    assert.equal((await chooseDataFolder(data, place)).data, other, 'git would bring it back')
    git('rm', '-q', '-r', '--cached', '.carrel')
    assert.equal((await chooseDataFolder(data, place)).data, data)
  })

  test('is known when it was moved, and not when it was copied', async (t) => {
    const { base, root, state, data } = hostile(t)
    rmSync(data, { recursive: true })
    rememberDataFolder(data, { state, untrusted: null })
    writeFileSync(join(data, 'records.jsonl'), '')
    const [moved, copied] = [join(base, 'moved'), join(base, 'copied')]
    const chosen = async (at: string) => {
      const path = join(at, '.carrel')
      return (await chooseDataFolder(path, { root: at, state, named: false })).data === path
    }
    assert.equal(await chosen(root), true)
    cpSync(root, copied, { recursive: true })
    assert.equal(await chosen(copied), false)
    renameSync(root, moved)
    assert.equal(await chosen(moved), true)
    assert.equal(await chosen(moved), true)
    assert.equal(await chosen(copied), false)
    const another = { root: moved, state: join(base, 'state of another user'), named: false }
    assert.notEqual((await chooseDataFolder(join(moved, '.carrel'), another)).data, join(moved, '.carrel'))
  })

  test('is used if the user names it and it is outside the project', async (t) => {
    const { base, root, state, data } = hostile(t)
    const elsewhere = join(base, 'index')
    cpSync(data, elsewhere, { recursive: true })
    const chosen = await chooseDataFolder(elsewhere, { root, state, named: true })
    assert.equal(chosen.data, elsewhere)
    const inside = await chooseDataFolder(data, { root, state, named: true })
    assert.notEqual(inside.data, data)
  })

  test('that is reached through a link of the project is not used', async (t) => {
    const { root, state, outside, untouched } = hostile(t)
    symlinkSync(outside, join(root, 'docs'))
    for (const path of [join(root, 'docs'), join(root, 'docs/index')]) {
      const { data, notes } = await chooseDataFolder(path, { root, state, named: true })
      assert.ok(data.startsWith(state))
      assert.match(notes[0]!.message, /is a link that the project may have brought/)
    }
    untouched()
  })

  test('of another user is not used', {
    skip: process.getuid?.() !== 0 && 'only the superuser can give files away',
  }, async (t) => {
    const { root, state, data, base } = hostile(t)
    await asOrdinaryUser(base, async () => {
      process.seteuid!(0)
      assert.match(
        (await chooseDataFolder(data, { root, state, named: false })).notes[0]!.message,
        /belongs to another user/,
      )
    })
  })

  test('that is a link is refused', (t) => {
    const { root, state, data, outside, untouched } = hostile(t)
    rmSync(data, { recursive: true })
    symlinkSync(outside, data)
    const refused = carrel(root, state, 'index')
    assert.notEqual(refused.status, 0)
    assert.match(refused.stderr, /is a link that leaves the root/)
    mkdirSync(join(root, 'docs'))
    rmSync(data)
    symlinkSync(join(root, 'docs'), data)
    assert.match(carrel(root, state, 'index').stderr, /is a link to another folder/)
    untouched()
  })

  test('can be trusted by its user, with all its records and those written meanwhile', async (t) => {
    const { root, state, data } = hostile(t)
    rmSync(data, { recursive: true })
    const settings = settingsFor(root)
    const old = await openForTest(settings)
    await addDocument(old, { title: 'Before', content: '# Before\n\nHanded in before.\n' })
    await old.store.records.put(jobKind, job.id, job)
    await old.close()
    const choose = () => chooseDataFolder(data, { root, state, named: false })
    const { data: interim, trust } = await choose()
    const meanwhile = await openForTest({ ...settings, data: interim, dataTrust: trust })
    await addDocument(meanwhile, { title: 'Meanwhile', content: '# Meanwhile\n\nHanded in meanwhile.\n' })
    await meanwhile.close()
    const { check, settings: after } = await trustDataFolder({ ...settings, data: interim, dataTrust: trust })
    assert.equal(check.state, 'repaired', check.message)
    assert.equal((await choose()).data, data)
    const library = await openForTest(after)
    t.after(() => library.close())
    await indexAll(library, {})
    const { documents } = await listDocuments(library, { offset: 0, limit: 10 })
    assert.deepEqual(documents.map(({ title }) => title).sort(), ['Before', 'Herons', 'Meanwhile'])
    const uploads = (await doctor(after, {})).find(({ name }) => name === 'uploads')
    assert.equal(uploads?.state, 'ok', uploads?.message)
    await resumeCrawls(library)
    assert.equal((await allJobs(library))[0]?.status, 'cancelled', 'its jobs are not continued')
  })
})

describe('a link in a data folder that is used', { skip }, () => {
  for (const [what, [name, target]] of Object.entries(links))
    test(`as ${what} is neither followed nor removed`, async (t) => {
      const { root, data, link, untouched } = hostile(t)
      link(name, target)
      await useAll(root)
      untouched()
      assert.ok(name === 'records.jsonl.new' || isLink(join(data, name)), 'the link is still there')
    })

  test("that takes a file's place while the library is open is not followed", async (t) => {
    const { root, data, outside, untouched } = hostile(t)
    const library = await openForTest(settingsFor(root))
    t.after(() => library.close())
    await library.store.records.put('keepsake', 'a', 1)
    rmSync(join(data, 'records.jsonl'))
    symlinkSync(join(outside, 'precious'), join(data, 'records.jsonl'))
    await assert.rejects(library.store.records.put('keepsake', 'b', 2), { code: 'data_folder' })
    assert.equal(await library.store.records.get('keepsake', 'b'), null)
    untouched()
  })
})

/** Everything that writes, sweeps, repairs. What is refused is refused with a sentence. */
async function useAll(root: string) {
  const settings = settingsFor(root)
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const library = await openLibrary(settings)
      try {
        for (const step of [
          () => indexAll(library, {}),
          () => addDocument(library, { title: 'New', content: '# New\n\nText.\n' }),
          () => library.store.records.put('keepsake', 'a', 1),
          () => sweepBytes(library, new Set()),
          () => library.store.settle(),
        ])
          await step().catch(asSentence)
      } finally {
        await library.close()
      }
    },
    () => doctor(settings, {}),
    () => doctor(settings, { repair: true }),
  ]
  for (const step of steps) await step().catch(asSentence)
}

function asSentence(error: Error & { code?: string }) {
  if (error.name !== 'Problem' && error.code !== 'EISDIR') throw error
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

const plan = {
  ...{ source: 'src_x', start: 'https://example.invalid/', recursive: true, maxPages: 10, maxDepth: 3 },
  ...{ include: [], exclude: [], render: false, force: false, delayMs: 250, parallel: 2, backoffMs: 1_000 },
}
const job: CrawlJob = {
  id: 'job_00000000-0000-4000-8000-000000000000',
  ...{ source: 'src_x', plan, status: 'pending', error: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', startedAt: null, completedAt: null },
}

describe('a crawl job', () => {
  for (const change of [
    { parallel: 500 },
    { maxPages: 1e9 },
    { maxDepth: 1e6 },
    { delayMs: -1 },
    { start: 'file:///etc/passwd' },
    { include: 'x' },
    { backoffMs: 1e12 },
  ])
    test(`with the plan ${JSON.stringify(change)} is no record`, async (t) => {
      const { library, settings } = await world(t, {})
      const value = { ...job, plan: { ...plan, ...change }, origin: library.origin }
      await library.store.records.put(jobKind, job.id, value)
      assert.deepEqual(await allJobs(library), [])
      assert.deepEqual((await resumeCrawls(library)).started, [])
      const seen = (await doctor(settings, {})).filter(({ name }) => name === 'records')
      assert.match(seen.map(({ message }) => message).join(' '), /not of their form.*crawl-job/)
    })

  test('that was not begun in this data folder is never run', async (t) => {
    const { library } = await world(t, {})
    for (const origin of [undefined, null, '0'.repeat(32)]) {
      await library.store.records.put(jobKind, job.id, { ...job, origin })
      assert.deepEqual((await resumeCrawls(library)).started, [])
      const [now] = await allJobs(library)
      assert.equal(now?.status, 'cancelled')
      assert.match(now?.error ?? '', /began in another data folder/)
    }
  })

  test('is not continued by a server that only reads', async (t) => {
    const { library } = await world(t, {})
    await library.store.records.put(jobKind, job.id, { ...job, origin: library.origin })
    const live = runBackgroundWork(library, { network: false })
    await live.indexed
    await live.close()
    assert.equal((await allJobs(library))[0]?.status, 'pending')
  })
})

describe('records that do not match their schema', () => {
  test('are skipped in restoring from the journal and in reading from the database', async (t) => {
    const { library } = await world(t, {})
    const { records } = library.store
    for (const [i, value] of [null, 1, 'x', [], {}, { id: 'other' }].entries()) {
      const id = `doc_${i}`
      if (value !== null) await records.put('knowledge-document', id, value)
      assert.equal(await records.get('knowledge-document', id), null)
    }
    const up = { ...document, id: 'doc_../../../../outside/precious' }
    await records.put('knowledge-document', up.id, up)
    await records.put('knowledge-document', document.id, document)
    const all = await records.all<{ id: string }>('knowledge-document')
    assert.deepEqual(
      all.map(({ id }) => id),
      [document.id],
    )
  })
})

const document = {
  ...{ id: 'doc_0123456789abcdef', source: 'src_x', path: 'a.md', name: 'a.md', hash: 'a'.repeat(64) },
  ...{ bytes: 1, metadata: {}, status: 'completed', title: null, url: null, error: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
}

describe('the data folder', { skip }, () => {
  test('and its files are readable only by the user', async (t) => {
    const umask = process.umask(0)
    t.after(() => process.umask(umask))
    const { library, settings } = await world(t, { 'a.md': '# A\n\nText.\n' })
    await indexAll(library, {})
    await addDocument(library, { title: 'New', content: '# New\n\nText.\n' })
    const open = (path: string) => (statSync(path).mode & 0o077) !== 0
    const all = ['', ...readdirSync(settings.data, { recursive: true }).map(String)]
    assert.deepEqual(
      all.filter((name) => open(join(settings.data, name))),
      [],
    )
  })

  test('that was made readable for all is closed again', async (t) => {
    const { library, settings } = await world(t, {})
    await library.store.records.put('keepsake', 'a', 1)
    await library.close()
    chmodSync(settings.data, 0o755)
    for (const name of ['index.sqlite', 'records.jsonl']) chmodSync(join(settings.data, name), 0o644)
    await (await openSqliteStore({ folder: settings.data })).close()
    const modes = ['', 'index.sqlite', 'records.jsonl'].map(
      (name) => statSync(join(settings.data, name)).mode,
    )
    assert.deepEqual(
      modes.map((mode) => (mode & 0o777).toString(8)),
      ['700', '600', '600'],
    )
  })

  test('is not made by a command that reads', (t) => {
    const { root, state, data } = hostile(t)
    rmSync(data, { recursive: true })
    for (const args of [
      ['search', 'heron'],
      ['status'],
      ['graph', 'check'],
      ['doctor'],
      ['tool'],
      ['tool', 'documents_search', '{"query":"heron"}'],
    ]) {
      const result = carrel(root, state, ...args)
      assert.equal(existsSync(data), false, `${args.join(' ')}: ${result.stderr}`)
    }
    assert.match(carrel(root, state, 'search', 'heron').stderr, /Nothing is indexed yet/)
  })

  test('that is read-only can be searched', async (t) => {
    const { library, settings, root } = await world(t, { 'a.md': '# Herons\n\nThe heron stands.\n' })
    await indexAll(library, {})
    await library.close()
    const { search } = await import('../../src/answer/search.js')
    for (const name of readdirSync(settings.data)) chmodSync(join(settings.data, name), 0o400)
    chmodSync(settings.data, 0o500)
    undo(t, () => chmodSync(settings.data, 0o700))
    await asOrdinaryUser(join(root, '..'), async () => {
      const again = await openForTest(settings)
      try {
        assert.equal((await search(again, { query: 'heron' })).hits.length, 1)
        process.seteuid?.(process.getuid!())
        writeFileSync(join(root, 'a.md'), '# Herons\n\nThe heron flies.\n')
        const { hits, notes } = await search(again, { query: 'heron' })
        assert.deepEqual([hits.length, notes.some(({ code }) => code === 'stale')], [1, true])
        await assert.rejects(again.store.records.put('keepsake', 'a', 1), { code: 'store_readonly' })
      } finally {
        await again.close()
      }
    })
  })
})

describe('a state folder that cannot be written', { skip }, () => {
  test('is reported, and the data folder is used all the same', (t) => {
    const { root, base, data } = hostile(t)
    rmSync(data, { recursive: true })
    const closed = join(base, 'file')
    writeFileSync(closed, '')
    const temporary = join(base, 'tmp')
    mkdirSync(temporary)
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(projectRoot, 'bin/carrel.mjs'), ...args], {
        cwd: root,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...{ XDG_CONFIG_HOME: join(base, 'none'), CARREL_STATE: join(closed, 'state'), TMPDIR: temporary },
          ...{ CARREL_EMBEDDING_PROVIDER: 'none', CARREL_RERANK_PROVIDER: 'none' },
        },
      })
    const first = run('index')
    assert.equal(first.status, 0, first.stderr)
    assert.match(first.stderr, /state folder .* cannot be written.*CARREL_STATE/)
    const second = run('search', 'heron', '--json')
    assert.equal(JSON.parse(second.stdout).hits.length, 1)
    assert.equal(second.stderr, '', 'it is said once')
    rmSync(temporary, { recursive: true })
    mkdirSync(temporary)
    assert.match(run('search', 'heron').stderr, /not known to be yours/)
  })
})
