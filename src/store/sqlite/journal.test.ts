import assert from 'node:assert/strict'
import fs, {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { openDatabase } from './database.js'
import { appendEntries, type JournalEntry, readJournal, unreadableLines } from './journal.js'
import { followJournal, sqliteRecords } from './records.js'
import { repairJournal } from './repair-journal.js'

function journal(t: TestContext, text?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-journal-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'records.jsonl')
  if (text !== undefined) writeFileSync(file, text)
  const put = (id: string) => appendEntries(folder, [{ kind: 'rule', id, value: { id } }])
  const ids = () => [...readJournal(folder).values()].map(({ id }) => id)
  return { folder, file, put, ids, text: () => readFileSync(file, 'utf8') }
}

const line = (id: string) => `${JSON.stringify({ kind: 'rule', id, value: { id } } satisfies JournalEntry)}\n`

describe('the next entry has a line of its own', () => {
  test('after a last line without its end', (t) => {
    const { put, ids } = journal(t, line('first').trimEnd())
    put('second')
    assert.deepEqual(ids(), ['first', 'second'])
  })

  test('after a last line that was cut short', (t) => {
    const { put, ids, folder } = journal(t, `${line('first')}{"kind":"rule","id":"torn","va`)
    put('second')
    assert.deepEqual(ids(), ['first', 'second'])
    assert.deepEqual(unreadableLines(folder), [2])
  })
})

test('an entry that the disk does not take leaves nothing behind, and the error names the disk', (t) => {
  const { put, text } = journal(t, line('first'))
  const { openSync, fsyncSync, ftruncateSync } = fs
  t.after(() => {
    Object.assign(fs, { openSync, fsyncSync, ftruncateSync })
    syncBuiltinESMExports()
  })
  const failure = (code: string) => Object.assign(new Error(code), { code })
  const appending = new Set<number>()
  Object.assign(fs, {
    openSync: (...given: Parameters<typeof openSync>) => {
      const handle = openSync(...given)
      if (String(given[1]).startsWith('a')) appending.add(handle)
      else appending.delete(handle)
      return handle
    },
    fsyncSync: () => {
      throw failure('ENOSPC')
    },
    // As on Windows.
    ftruncateSync: (handle: number, length: number) => {
      if (appending.has(handle)) throw failure('EPERM')
      ftruncateSync(handle, length)
    },
  })
  syncBuiltinESMExports()
  assert.throws(() => put('second'), { code: 'ENOSPC' })
  assert.equal(text(), line('first'))
})

describe('an entry that is taken back', () => {
  test('leaves the file as it was', (t) => {
    const { put, text } = journal(t, line('first').trimEnd())
    put('second')()
    assert.equal(text(), line('first').trimEnd())
  })

  test('leaves what others appended after it', (t) => {
    const { put, ids, folder } = journal(t, line('first'))
    const takeOut = put('second')
    put('third')
    takeOut()
    assert.deepEqual(ids(), ['first', 'third'])
    assert.deepEqual(unreadableLines(folder), [])
  })

  test('leaves a file that was written anew meanwhile', (t) => {
    const { file, put, text } = journal(t, line('first'))
    const takeOut = put('second')
    writeFileSync(file, line('other').repeat(4))
    takeOut()
    assert.equal(text(), line('other').repeat(4))
  })

  test('is one whose transaction did not come about', async (t) => {
    const { folder, put, ids } = journal(t, line('first'))
    const database = openDatabase(folder)
    t.after(() => database.close())
    const failing = database.write((db) => {
      db.orElse(put('second'))
      db.orElse(put('third'))
      throw new Error('no')
    })
    await assert.rejects(failing, { message: 'no' })
    assert.deepEqual(ids(), ['first'])
  })
})

test('lines that are no entries are skipped and reported, empty ones are ignored', (t) => {
  const { file, folder, ids } = journal(t, line('first'))
  const odd = [
    '{}',
    '5',
    '"x"',
    '[]',
    'null',
    'true',
    '{"kind":"rule"}',
    '{"kind":1,"id":"a","value":1}',
    '{',
  ]
  appendFileSync(file, `\n${odd.join('\n')}\n\n${line('last')}`)
  assert.deepEqual(ids(), ['first', 'last'])
  assert.deepEqual(
    unreadableLines(folder),
    odd.map((_, i) => i + 3),
  )
})

describe('when a record is acknowledged', () => {
  test('it is on the disk, whatever happens to the power; what can be had again is not waited for', async (t) => {
    const { folder } = journal(t)
    const database = openDatabase(folder)
    t.after(() => database.close())
    const waited: unknown[] = []
    const records = sqliteRecords({
      ...database,
      write: (work, options) =>
        database.write((db, yieldIfDue) => {
          waited.push((db.sql('PRAGMA synchronous').get() as { synchronous: number }).synchronous)
          return work(db, yieldIfDue)
        }, options),
    })
    await records.put('rule', 'a', 1)
    await records.put('~seen', 'a', 1)
    await records.putAll([{ kind: '~seen', id: 'b', value: 1 }])
    await records.putAll([
      { kind: '~seen', id: 'c', value: 1 },
      { kind: 'rule', id: 'b', value: 1 },
    ])
    await records.update('rule', 'a', () => 2)
    await records.delete('~seen', 'a')
    await records.clear('rule')
    const [full, normal] = [2, 1]
    assert.deepEqual(waited, [full, normal, normal, full, full, normal, full])
  })
})

describe('an index that lost its last changes takes them up from the journal', () => {
  const values = async (records: ReturnType<typeof sqliteRecords>) =>
    (await records.all('rule')).map(({ id, value }) => `${id} ${value}`)

  /** A copy of a data folder as a backup makes it that knows nothing of the log, or as whoever deletes the log leaves it. */
  async function withoutLog(t: TestContext) {
    const { folder } = journal(t)
    const database = openDatabase(folder, followJournal(folder))
    t.after(() => database.close())
    const records = sqliteRecords(database)
    for (const id of ['changed', 'deleted', 'kept']) await records.put('rule', id, 1)
    await database.checkpoint()
    await records.put('rule', 'added', 1)
    await records.put('rule', 'changed', 2)
    await records.delete('rule', 'deleted')
    const copy = journal(t).folder
    for (const name of ['index.sqlite', 'records.jsonl']) copyFileSync(join(folder, name), join(copy, name))
    return copy
  }

  const whole = ['added 1', 'changed 2', 'kept 1']

  test('when it is opened', async (t) => {
    const folder = await withoutLog(t)
    const database = openDatabase(folder, followJournal(folder))
    t.after(() => database.close())
    assert.deepEqual(await values(sqliteRecords(database)), whole)
  })

  test('before the next record, where it could not be written then', async (t) => {
    const folder = await withoutLog(t)
    const database = openDatabase(folder)
    t.after(() => database.close())
    const records = sqliteRecords(database)
    await records.put('rule', 'next', 1)
    assert.deepEqual(await values(records), [...whole, 'next 1'])
  })

  test('also when the journal is repaired first of all', async (t) => {
    const folder = await withoutLog(t)
    appendFileSync(join(folder, 'records.jsonl'), 'garbage\n')
    await repairJournal(folder)
    const database = openDatabase(folder)
    t.after(() => database.close())
    assert.deepEqual(await values(sqliteRecords(database)), whole)
  })

  test('but nothing from one that is older than it', async (t) => {
    const { folder, file } = journal(t)
    const first = openDatabase(folder, followJournal(folder))
    await sqliteRecords(first).put('rule', 'changed', 1)
    const older = readFileSync(file)
    await sqliteRecords(first).put('rule', 'changed', 2)
    await first.close()
    writeFileSync(file, older)
    const database = openDatabase(folder, followJournal(folder))
    t.after(() => database.close())
    assert.deepEqual(await values(sqliteRecords(database)), ['changed 2'])
  })
})

describe('a journal that is mostly history', () => {
  const large = (n: number) => ({ n, text: 'x'.repeat(40_000) })

  test('is written anew while records go on changing, and has what lives', async (t) => {
    const { folder, put, ids, file } = journal(t)
    const database = openDatabase(folder)
    t.after(() => database.close())
    const records = sqliteRecords(database)
    await records.put('rule', 'kept', 1)
    await records.put('rule', 'deleted', 1)
    await records.delete('rule', 'deleted')
    put('known to the journal alone')
    for (let n = 0; n < 60; n++) await records.put('session', 'mine', large(n))
    assert.ok(statSync(file).size < 1_050_000, String(statSync(file).size))
    assert.deepEqual(ids().sort(), ['kept', 'known to the journal alone', 'mine'])
    assert.deepEqual(readJournal(folder).get('session\0mine')?.value, large(59))
  })

  test('loses nothing of what several write at once', async (t) => {
    const { folder, file } = journal(t)
    const places = [openDatabase(folder), openDatabase(folder)]
    t.after(() => Promise.all(places.map((place) => place.close())))
    await Promise.all(
      places.map(async (place, p) => {
        const records = sqliteRecords(place)
        for (let n = 0; n < 40; n++) {
          await records.put('rule', `${p} ${n}`, n)
          await records.put('session', String(p), large(n))
        }
      }),
    )
    assert.ok(statSync(file).size < 1_150_000, String(statSync(file).size))
    const entries = readJournal(folder)
    assert.equal(entries.size, 82)
    for (const p of [0, 1]) assert.deepEqual(entries.get(`session\0${p}`)?.value, large(39))
    assert.deepEqual(unreadableLines(folder), [])
  })
})
