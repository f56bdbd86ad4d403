import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { doctor } from '../../src/app/doctor.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import { Problem } from '../../src/model/problem.js'
import { thisHost } from '../../src/runtime/process-identity.js'
import { readJournal, unreadableLines } from '../../src/store/sqlite/journal.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import {
  carrelSum,
  checksums,
  linkList,
  sectionList,
  unpackText,
} from '../../src/store/sqlite/stored-values.js'
import { canMount, smallDisk } from '../support/small-disk.js'
import { asOrdinaryUser, openForTest, settingsFor, temporaryFolder, undo, write } from '../support/world.js'
import { index, used } from './used.js'

describe('a damaged index', () => {
  const ways: Record<string, (file: string) => void> = {
    'that is another file altogether': (file) => writeFileSync(file, 'not a database at all\n'.repeat(500)),
    'that was cut short': (file) => truncateSync(file, Math.floor(statSync(file).size / 3)),
    'that was overwritten in the middle': (file) => {
      const handle = openSync(file, 'r+')
      for (let at = 4096; at < statSync(file).size; at += 8192)
        writeSync(handle, Buffer.alloc(4096, 0xab), 0, 4096, at)
    },
  }
  for (const [what, harm] of Object.entries(ways))
    test(`${what} is noticed, repaired, filled again, and the user's own records are saved`, async (t) => {
      const w = await used(t)
      rmSync(`${w.file}-wal`, { force: true })
      harm(w.file)
      const before = await doctor(w.settings, {})
      const seen = before.find(({ name }) => name === 'index')!
      assert.equal(seen.state, 'failed', seen.message)
      assert.match(seen.hint!, /doctor --repair/)
      const repaired = (await doctor(w.settings, { repair: true })).find(({ name }) => name === 'index')!
      assert.equal(repaired.state, 'repaired')
      assert.ok(
        readdirSync(w.settings.data).some((name) => name.startsWith('damaged-')),
        'the old file is kept',
      )
      const after = await index(w.settings)
      assert.equal(after.hits, 10)
      assert.deepEqual(after.record, { content: 'wicks burn at both ends' })
      assert.deepEqual(auditIndex(w.settings.data), [])
    })

  test('counts as unread after a new start, though its records were restored', async (t) => {
    const w = await used(t)
    const db = new DatabaseSync(w.file)
    db.exec('DELETE FROM texts')
    db.close()
    const checks = await doctor(w.settings, { repair: true })
    assert.equal(checks.find(({ name }) => name === 'index')?.state, 'repaired')
    const library = await openForTest(w.settings)
    t.after(() => library.close())
    const { unread, lastIndexed } = await status(library)
    assert.deepEqual([unread.length, lastIndexed], [1, null])
    assert.notEqual(await library.store.records.get('keepsake', 'd1'), null)
  })

  test('gives a sentence and no stack when it is used', async (t) => {
    const w = await used(t)
    writeFileSync(w.file, 'not a database at all\n'.repeat(500))
    await assert.rejects(openForTest(w.settings), (error) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.code, 'store_damaged')
      assert.match(error.hint!, /carrel doctor --repair/)
      return true
    })
  })

  test('of a newer Carrel is left alone', async (t) => {
    const w = await used(t)
    const db = new DatabaseSync(w.file)
    db.exec('PRAGMA user_version = 9999')
    db.close()
    await assert.rejects(openForTest(w.settings), { code: 'store_newer' })
    const checks = await doctor(w.settings, { repair: true })
    assert.equal(checks.find(({ name }) => name === 'index')?.state, 'failed')
    assert.ok(!readdirSync(w.settings.data).some((name) => name.startsWith('damaged-')))
  })
})

describe('an index of an older Carrel', () => {
  test('is used unchanged, and each file compared by its bytes once', async (t) => {
    const w = await used(t)
    const db = new DatabaseSync(w.file)
    withoutPacking(db)
    for (const column of ['ctime', 'ino']) db.exec(`ALTER TABLE documents DROP COLUMN ${column}`)
    const { worktrees: _, worktree_documents: __, ...older } = checksums
    for (const [table, sums] of Object.entries({ ...older, chunks: { sum: [], text_sum: [] } }))
      for (const column of Object.keys(sums)) db.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`)
    db.exec('PRAGMA user_version = 1')
    db.close()
    const library = await openForTest(w.settings)
    t.after(() => library.close())
    const unknown = async () => {
      const known = await library.store.fingerprints(library.sources[0]!.id)
      return [...known.values()].filter(({ stamp }) => stamp?.ctimeMs === null || stamp?.ino === null).length
    }
    assert.equal(await unknown(), 60)
    assert.equal((await indexAll(library, {})).counts.unchanged, 60)
    assert.equal(await unknown(), 0)
  })

  test('has its texts packed, keeps its answers and gives back the space', async (t) => {
    const w = await used(t)
    write(w.root, {
      'empty.txt': '',
      'linked.md': '# One\n\nSee [[p1|that page]] and [p2](p2.md#page-2).\n\n## Two\n\nLantern.\n',
    })
    const { hits } = await index(w.settings)
    const read = async () => {
      const store = await openSqliteStore({ folder: w.settings.data })
      try {
        const [source] = await store.sources()
        const paths = [...(await store.fingerprints(source!.id)).keys()]
        const refs = paths.map((path) => ({ source: source!.id, path }))
        const documents = await Promise.all(refs.map((ref) => store.document(ref)))
        const chunks = await Promise.all(refs.map((ref) => store.chunksOf(ref)))
        return { documents, chunks, noted: await store.noted(source!.id) }
      } finally {
        await store.close()
      }
    }
    const before = await read()
    const packedBytes = statSync(w.file).size
    makeOldTexts(w.file)
    assert.ok(statSync(w.file).size > packedBytes + 100_000)
    assert.deepEqual(await read(), before)
    assert.deepEqual(auditIndex(w.settings.data), [])
    assert.ok(statSync(w.file).size <= packedBytes + 20_000, `${statSync(w.file).size} of ${packedBytes}`)
    assert.equal((await index(w.settings)).hits, hits)
  })

  test('shows damage that was there before its texts were packed', async (t) => {
    const w = await used(t)
    makeOldTexts(
      w.file,
      "UPDATE texts SET body = CAST(replace(body, 'lantern', 'lectern') AS BLOB) WHERE document = 1",
    )
    const store = await openSqliteStore({ folder: w.settings.data })
    t.after(() => store.close())
    const [source] = await store.sources()
    await assert.rejects(store.document({ source: source!.id, path: 'p0.md' }), { code: 'store_damaged' })
    assert.ok(await store.document({ source: source!.id, path: 'p1.md' }))
  })
})

/** As the third format had them. */
function makeOldTexts(file: string, harm = '') {
  const db = new DatabaseSync(file)
  withoutPacking(db)
  db.function('sum', { varargs: true }, carrelSum)
  db.exec('UPDATE texts SET body_sum = sum(body)')
  db.exec('UPDATE texts SET sum = sum(document, sections, links, body_sum)')
  db.exec(`${harm}; PRAGMA user_version = 3; PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
}

/** As the fourth format had them. */
function withoutWorktrees(db: InstanceType<typeof DatabaseSync>) {
  db.function('sum_of', { varargs: true }, carrelSum)
  const columns = checksums.documents.sum.filter((name) => name !== 'reader')
  db.exec(`DROP TABLE worktrees; DROP TABLE worktree_documents; ALTER TABLE documents DROP COLUMN reader;
    UPDATE documents SET sum = sum_of(${columns.join(', ')});
    DROP INDEX documents_by_ref; CREATE UNIQUE INDEX documents_by_ref ON documents (source, path)`)
}

function withoutPacking(db: InstanceType<typeof DatabaseSync>) {
  db.function('unpacked', (body: unknown) => unpackText(body as Uint8Array))
  db.function('sections', (list: unknown) => JSON.stringify(sectionList.unpack(String(list))))
  db.function('links', (list: unknown) => JSON.stringify(linkList.unpack(String(list))))
  db.exec(
    'UPDATE texts SET body = iif(length(body) = 0, body, unpacked(body)), sections = sections(sections), links = links(links)',
  )
  withoutWorktrees(db)
}

describe('an index that is gone', () => {
  test('is built anew with the same answers, and the records come back by repair', async (t) => {
    const w = await used(t)
    const before = await index(w.settings)
    for (const name of readdirSync(w.settings.data))
      if (name.startsWith('index.sqlite')) rmSync(join(w.settings.data, name))
    assert.equal((await index(w.settings)).hits, before.hits)
  })
})

describe('a full disk', () => {
  test('leaves the journal with the records that were acknowledged, and no others', {
    skip: !canMount() && 'needs the right to mount a small file system',
  }, async (t) => {
    const disk = smallDisk(t)
    const folder = join(disk, 'data')
    const store = await openSqliteStore({ folder })
    const stored: string[] = []
    const fill = async (size: number) => {
      for (let n = 0; n < 2_000; n++)
        try {
          await store.records.put('keepsake', `d${size}-${n}`, 'x'.repeat(size))
          stored.push(`d${size}-${n}`)
        } catch (error) {
          assert.ok(error instanceof Problem && error.code === 'disk_full', String(error))
          return
        }
      assert.fail('the disk was never full')
    }
    // The last bytes too: first by large records, then by small ones.
    for (const size of [30_000, 3_000, 300]) await fill(size)
    await assert.rejects(store.records.delete('keepsake', stored[0]!), { code: 'disk_full' })
    const live = [...readJournal(folder).values()].filter(({ value }) => value !== null)
    assert.deepEqual(live.map(({ id }) => id).sort(), stored.sort())
    assert.deepEqual(unreadableLines(folder), [])
    assert.equal((await store.records.all('keepsake')).length, stored.length)
    await store.close()
  })

  test('is a sentence; nothing is half-written; with space again the work goes on', {
    skip: !canMount() && 'needs the right to mount a small file system',
  }, async (t) => {
    const disk = smallDisk(t)
    const root = temporaryFolder(t)
    for (let n = 0; n < 400; n++)
      write(root, {
        [`p${n}.md`]: `# Page ${n}\n\n${Array.from({ length: 300 }, (_, i) => `w${n * 300 + i}`).join(' ')}\n`,
      })
    const settings = { ...settingsFor(root), data: join(disk, 'data') }
    const library = await openForTest(settings)
    await assert.rejects(
      indexAll(library, {}),
      (error) =>
        error instanceof Problem && error.code === 'disk_full' && /Free some space/.test(error.hint!),
    )
    await library.close()
    execFileSync('mount', ['-o', 'remount,size=60m', disk])
    assert.deepEqual(auditIndex(settings.data), [])
    const again = await openForTest(settings)
    const { counts } = await indexAll(again, {})
    assert.equal(counts.stored + counts.unchanged, 400)
    await again.close()
    assert.deepEqual(auditIndex(settings.data), [])
  })
})

describe('a folder that cannot be written', () => {
  test('is a sentence that names --data', async (t) => {
    const root = temporaryFolder(t)
    write(root, { 'a.md': 'alpha' })
    chmodSync(root, 0o555)
    undo(t, () => chmodSync(root, 0o755))
    await asOrdinaryUser(root, () => assert.rejects(openForTest(settingsFor(root)), { code: 'data_folder' }))
  })

  test('is a sentence that names --data, even if a file is in its place', async (t) => {
    const root = temporaryFolder(t)
    write(root, { '.carrel': 'a file' })
    await assert.rejects(openForTest(settingsFor(root)), (error) => {
      assert.ok(error instanceof Problem && error.code === 'data_folder')
      assert.match(error.hint!, /--data DIR/)
      return true
    })
  })

  test('is reported by doctor, which leaves nothing behind', async (t) => {
    const root = temporaryFolder(t)
    const auditOf = async (data: string) => {
      const checks = await doctor({ ...settingsFor(root), data }, {})
      return checks.find(({ name }) => name === 'data folder')!
    }
    write(root, { 'a.md': 'alpha', file: 'a file' })
    chmodSync(root, 0o555)
    undo(t, () => chmodSync(root, 0o755))
    await asOrdinaryUser(root, async () => {
      for (const [data, message] of [
        ['', /cannot be written \(EACCES\)/],
        ['.carrel', /cannot be made in .* \(EACCES\)/],
        ['new/data', /cannot be made in .* \(EACCES\)/],
        ['file', /cannot be written \(a file stands there\)/],
        ['file/data', /cannot be made in .* \(a file stands there\)/],
      ] as const) {
        const seen = await auditOf(join(root, data))
        assert.equal(seen.state, 'failed', data)
        assert.match(seen.message, message)
        assert.match(seen.hint!, /--data DIR/)
      }
    })
    const elsewhere = temporaryFolder(t)
    assert.equal((await auditOf(elsewhere)).state, 'ok')
    assert.match((await auditOf(join(elsewhere, 'new/data'))).message, /will be made/)
    assert.deepEqual(readdirSync(elsewhere), [])
  })

  test('can be indexed all the same with the data elsewhere', async (t) => {
    const root = temporaryFolder(t)
    write(root, { 'a.md': 'alpha lantern' })
    chmodSync(root, 0o555)
    undo(t, () => chmodSync(root, 0o755))
    const settings = { ...settingsFor(root), data: join(temporaryFolder(t), 'data') }
    assert.equal((await index(settings)).hits, 1)
    assert.ok(!existsSync(join(root, '.carrel')))
  })
})

describe('a process that dies', () => {
  test('leaves an index whose lease the next one takes over at once', async (t) => {
    const w = await used(t)
    const store = await openSqliteStore({ folder: w.settings.data })
    await store.leases.take('indexing', { id: 'dead', pid: 2 ** 22 - 1, host: thisHost() }, 3_600_000)
    await store.close()
    assert.equal((await index(w.settings)).hits, 10)
  })

  test('in the middle of a record leaves the line before it readable', async (t) => {
    const w = await used(t)
    const journal = join(w.settings.data, 'records.jsonl')
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"kind":"keepsake","id":"d2","val`)
    writeFileSync(w.file, 'broken')
    await doctor(w.settings, { repair: true })
    assert.deepEqual((await index(w.settings)).record, { content: 'wicks burn at both ends' })
  })
})
