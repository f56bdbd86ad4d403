import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { search } from '../../src/answer/search.js'
import { doctor } from '../../src/app/doctor.js'
import { indexAll } from '../../src/app/index-all.js'
import { Problem } from '../../src/model/problem.js'
import { crc32, plainCrc32 } from '../../src/store/sqlite/stored-values.js'
import { index, used } from '../store/used.js'
import { openForTest } from '../support/world.js'

describe('one flipped bit in a project that is used', () => {
  test('in the words makes a search a Problem that names the way back, and the way back works', async (t) => {
    const w = await used(t)
    flipFirst(w.file, 'blocks', 'data')
    const library = await openForTest(w.settings)
    t.after(() => library.close())
    await assert.rejects(search(library, { query: 'lantern' }), (error) => {
      assert.ok(error instanceof Problem && error.code === 'store_damaged', String(error))
      assert.match(error.hint!, /carrel doctor --repair/)
      return true
    })
    await library.close()
    const seen = await indexCheck(w, {})
    assert.equal(seen.state, 'failed')
    assert.match(seen.message, /A row of "blocks" does not match its checksum/)
    assert.equal((await indexCheck(w, { repair: true })).state, 'repaired')
    const after = await index(w.settings)
    assert.equal(after.hits, 10)
    assert.deepEqual(after.record, { content: 'wicks burn at both ends' })
    assert.equal((await indexCheck(w, {})).state, 'ok')
  })

  test('in a text is not shown, and indexing the file again mends it', async (t) => {
    const w = await used(t)
    flipFirst(w.file, 'texts', 'body')
    const library = await openForTest(w.settings)
    t.after(() => library.close())
    const [source] = await library.store.sources()
    await assert.rejects(library.store.document({ source: source!.id, path: 'p0.md' }), {
      code: 'store_damaged',
    })
    writeFileSync(join(w.root, 'p0.md'), '# Page 0\n\nA new lantern.\n')
    await indexAll(library, {})
    const mended = await library.store.document({ source: source!.id, path: 'p0.md' })
    assert.match(mended!.text, /A new lantern/)
  })

  test('in a record of the user is reported, and the journal has the record as it was', async (t) => {
    const w = await used(t)
    const db = new DatabaseSync(w.file)
    db.exec("UPDATE records SET value = replace(value, 'burn', 'bubn') WHERE kind = 'keepsake'")
    db.close()
    const library = await openForTest(w.settings)
    await assert.rejects(library.store.records.get('keepsake', 'd1'), { code: 'store_damaged' })
    await library.close()
    assert.equal((await indexCheck(w, { repair: true })).state, 'repaired')
    assert.deepEqual((await index(w.settings)).record, { content: 'wicks burn at both ends' })
  })

  test('in the journal does not come into a new index', async (t) => {
    const w = await used(t)
    const journal = join(w.settings.data, 'records.jsonl')
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('burn', 'bubn'))
    writeFileSync(w.file, 'not a database at all')
    await doctor(w.settings, { repair: true })
    assert.equal((await index(w.settings)).record, null)
  })

  test('that keeps the audit from ending does not keep the repair from it', async (t) => {
    const w = await used(t)
    const seen = await indexCheck(w, { auditMs: 1 })
    assert.equal(seen.state, 'failed')
    assert.match(seen.message, /did not end/)
    const repaired = await indexCheck(w, { repair: true, auditMs: 1 })
    assert.equal(repaired.state, 'repaired')
    assert.ok(existsSync(/the old file is (.*)\.$/.exec(repaired.message)![1]!), repaired.message)
    assert.equal((await index(w.settings)).hits, 10)
  })
})

test('the checksum is the same with and without the one that Node has', () => {
  for (const text of ['', 'a', 'lantern', 'ünïcode \u{1f56f}', 'x'.repeat(10_000)])
    for (const start of [0, 1, 0xffffffff]) {
      assert.equal(plainCrc32(text, start), crc32(text, start))
      assert.equal(plainCrc32(Buffer.from(text), start), crc32(Buffer.from(text), start))
    }
  assert.equal(plainCrc32('123456789'), 0xcbf43926)
})

async function indexCheck(w: Awaited<ReturnType<typeof used>>, options: Parameters<typeof doctor>[1]) {
  return (await doctor(w.settings, options)).find(({ name }) => name === 'index')!
}

/** One bit in the middle of a column, in the first row. */
function flipFirst(file: string, table: string, column: string) {
  const db = new DatabaseSync(file)
  const { id, value } = db
    .prepare(`SELECT rowid AS id, ${column} AS value FROM ${table} ORDER BY rowid LIMIT 1`)
    .get() as { id: number; value: Uint8Array }
  value[value.length >> 1]! ^= 1
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(value, id)
  db.close()
}
