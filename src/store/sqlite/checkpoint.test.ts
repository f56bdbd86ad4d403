import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { logBytes, longLog } from './checkpoint.js'
import { fileName, openDatabase } from './database.js'

function opened(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-log-'))
  const database = openDatabase(folder)
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  const put = (id: string, size: number) =>
    database.write((db) => {
      db.sql('INSERT OR REPLACE INTO records (kind, id, value) VALUES (?, ?, ?)').run(
        'x',
        id,
        'y'.repeat(size),
      )
    })
  const sizes = () =>
    database.read((db) =>
      db.sql('SELECT id, length(value) AS size FROM records ORDER BY id').all(),
    ) as unknown as { id: string; size: number }[]
  return { database, file: join(folder, fileName), put, sizes }
}

test('a log that has grown long is moved before the next write, time after time', async (t) => {
  const { file, put, sizes } = opened(t)
  for (const id of ['a', 'b']) {
    await put(id, longLog)
    assert.ok(logBytes(file) > longLog)
    await put('small', 10)
    assert.ok(logBytes(file) < 1_000_000, `${logBytes(file)} bytes after ${id}`)
  }
  assert.deepEqual(
    sizes().map(({ id, size }) => [id, size]),
    [
      ['a', longLog],
      ['b', longLog],
      ['small', 10],
    ],
  )
})

test('a log that somebody still reads from stays, and is moved later', async (t) => {
  const { database, file, put } = opened(t)
  await put('a', 10)
  const reader = new DatabaseSync(file)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM records').get()
  await put('b', longLog)
  await put('c', 10)
  await database.checkpoint()
  assert.ok(logBytes(file) > longLog)
  reader.exec('COMMIT')
  reader.close()
  await database.checkpoint()
  assert.equal(logBytes(file), 0)
})
