import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { doctor } from '../../src/app/doctor.js'
import { Problem } from '../../src/model/problem.js'
import { openDatabase } from '../../src/store/sqlite/database.js'
import { appendEntries, readJournal } from '../../src/store/sqlite/journal.js'
import { auditIndex, rebuildIndex } from '../../src/store/sqlite/repair.js'
import { auditJournal, repairJournal } from '../../src/store/sqlite/repair-journal.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { asOrdinaryUser, openForTest, projectRoot, temporaryFolder } from '../support/world.js'
import { index, used } from './used.js'

describe('a repair', () => {
  const ways: Record<string, (folder: string) => Promise<void>> = {
    'of a file that gives nothing': async (folder) =>
      writeFileSync(join(folder, 'index.sqlite'), 'not a database at all\n'.repeat(500)),
    'of a file that has records the journal has not': async (folder) => {
      const database = openDatabase(folder)
      await database.write((db) =>
        db.exec("INSERT INTO texts (document, body, sections, links) VALUES (99, x'00', '[]', '[]')"),
      )
      await database.close()
      const journal = join(folder, 'records.jsonl')
      writeFileSync(journal, readFileSync(journal, 'utf8').split('\n').slice(30).join('\n'))
    },
    'of a file whose log has the last state': async (folder) => {
      const store = await openSqliteStore({ folder })
      await store.records.putAll(keepsakes('later'))
      const database = openDatabase(folder)
      await database.write((db) =>
        db.exec("INSERT INTO texts (document, body, sections, links) VALUES (99, x'00', '[]', '[]')"),
      )
      const files = ['index.sqlite', 'index.sqlite-wal'].map((name) => join(folder, name))
      const asNow = files.map((file) => readFileSync(file))
      await database.close()
      await store.close()
      for (const [i, file] of files.entries()) writeFileSync(file, asNow[i]!)
    },
  }
  const keepsakes = (value: string) =>
    Array.from({ length: 40 }, (_, n) => ({ kind: 'keepsake', id: `d${n + 10}`, value }))
  for (const [what, harm] of Object.entries(ways))
    test(`${what} that is killed at any moment loses no record`, async (t) => {
      let killed = true
      // The last one goes to its end.
      for (let step = 1; killed; step++) {
        const folder = temporaryFolder(t)
        const store = await openSqliteStore({ folder })
        await store.records.putAll(keepsakes('first'))
        await store.close()
        await harm(folder)
        const last = what.endsWith('the last state') ? 'later' : 'first'
        killed = killRepair(folder, step)
        await mend(folder)
        const after = await openSqliteStore({ folder })
        const records = await after.records.all('keepsake')
        await after.close()
        const expected = keepsakes(last).map(({ id, value }) => ({ id, value }))
        assert.deepEqual(records, expected, `killed at step ${step}`)
        assert.equal(auditJournal(folder), null)
        assert.ok(step < 40)
      }
    })

  test('of a file that is in use names the process to stop, and changes nothing', async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'index.sqlite'), 'not a database at all')
    const { renameSync } = fs
    t.after(() => {
      fs.renameSync = renameSync
      syncBuiltinESMExports()
    })
    fs.renameSync = (path) => {
      throw Object.assign(new Error('EBUSY'), { code: 'EBUSY', path })
    }
    syncBuiltinESMExports()
    await assert.rejects(rebuildIndex(folder), { code: 'store_in_use', hint: /^Stop every server/ })
    assert.equal(readFileSync(join(folder, 'index.sqlite'), 'utf8'), 'not a database at all')
  })

  test('that was killed with the journal renamed is noticed, and the journal is restored', async (t) => {
    const w = await used(t)
    const journal = join(w.settings.data, 'records.jsonl')
    const aside = join(w.settings.data, 'damaged-2026-01-01T00-00-00-000Z-records.jsonl')
    const line = (id: string, value: unknown) => `${JSON.stringify({ kind: 'keepsake', id, value })}\n`
    writeFileSync(
      aside,
      `${line('d1', 'older')}${line('d2', 2)}${line('d3', 3)}${line('d3', null)}${line('d4', 4)}`,
    )
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}${line('d4', null)}`)
    const records = async (repair: boolean) =>
      (await doctor(w.settings, { repair })).find(({ name }) => name === 'records')
    const seen = await records(false)
    assert.equal(seen?.state, 'warning')
    assert.match(seen.message, /damaged-.* has a record that neither the index nor records\.jsonl has/)
    assert.match((await records(true))!.message, /1 came back to the index/)
    assert.equal(await records(false), undefined)
    const store = await openSqliteStore({ folder: w.settings.data })
    t.after(() => store.close())
    const found = await store.records.all('keepsake')
    assert.deepEqual(found, [
      { id: 'd1', value: { content: 'wicks burn at both ends' } },
      { id: 'd2', value: 2 },
    ])
  })

  test('of the journal brings back to the index what only the journal has', async (t) => {
    const w = await used(t)
    const journal = join(w.settings.data, 'records.jsonl')
    const line = '{"kind":"keepsake","id":"d2","value":{"content":"flamingo"}}\n'
    // The next process that opens the index replays the entries at the end.
    writeFileSync(journal, `${line}${readFileSync(journal, 'utf8')}`)
    const records = async (repair: boolean) =>
      (await doctor(w.settings, { repair })).find(({ name }) => name === 'records')
    assert.match((await records(false))!.message, /The index lacks a record that .*records\.jsonl has/)
    assert.equal((await records(true))?.state, 'repaired')
    assert.equal(await records(false), undefined)
    assert.match(readFileSync(journal, 'utf8'), /flamingo/)
    const store = await openSqliteStore({ folder: w.settings.data })
    t.after(() => store.close())
    assert.deepEqual(await store.records.get('keepsake', 'd2'), { content: 'flamingo' })
  })
})

describe('an index that is removed while it is open', () => {
  const ways: Record<string, (folder: string) => unknown> = {
    'with its whole folder': (folder) => rmSync(folder, { recursive: true }),
    'and made anew': async (folder) => {
      rmSync(folder, { recursive: true })
      await (await openSqliteStore({ folder })).close()
    },
    'by a repair': (folder) => rebuildIndex(folder),
  }
  const linesIn = (folder: string) => [...readJournal(folder).values()].map(({ id }) => id)

  for (const [what, take] of Object.entries(ways))
    test(`${what} accepts no more records, and says so`, async (t) => {
      const folder = join(temporaryFolder(t), 'data')
      const store = await openSqliteStore({ folder })
      t.after(() => store.close())
      await store.records.put('keepsake', 'd1', 1)
      await take(folder)
      const before = linesIn(folder)
      await assert.rejects(store.records.put('keepsake', 'd2', 2), (error) => {
        assert.ok(error instanceof Problem && error.code === 'store_replaced', String(error))
        assert.match(error.message, /deleted, moved or made anew/)
        assert.match(error.hint!, /Start this server or command again/)
        return true
      })
      assert.deepEqual(linesIn(folder), before)
      await setTimeout(250)
      await assert.rejects(store.records.all('keepsake'), { code: 'store_replaced' })
    })

  test('in the middle of a transaction does not acknowledge it', async (t) => {
    const folder = temporaryFolder(t)
    const database = openDatabase(folder)
    t.after(() => database.close())
    const change = database.write(async (db) => {
      db.sql("INSERT INTO records (kind, id, value) VALUES ('keepsake', 'd1', '1')").run()
      await rebuildIndex(folder)
      db.orElse(appendEntries(folder, [{ kind: 'keepsake', id: 'd1', value: 1 }]))
    })
    await assert.rejects(change, { code: 'store_replaced' })
    assert.deepEqual(linesIn(folder), [])
  })

  test('is not, where another process has it: the repair names that and changes nothing', {
    skip: !existsSync('/proc/self/fd') && 'this system does not tell who has a file open',
  }, async (t) => {
    const w = await used(t)
    const database = openDatabase(w.settings.data)
    await database.write((db) =>
      db.exec("INSERT INTO texts (document, body, sections, links) VALUES (9999, x'00', '[]', '[]')"),
    )
    await database.close()
    const other = await processWithStore(t, w.settings.data)
    const before = readdirSync(w.settings.data)
    const seen = (await doctor(w.settings, { repair: true })).find(({ name }) => name === 'index')!
    assert.equal(seen.state, 'failed')
    assert.match(
      seen.message,
      new RegExp(`texts without a document.* while process ${other.pid} \\(node.*has it open`),
    )
    assert.match(seen.hint!, /^Stop it, run "carrel doctor --repair" again/)
    assert.deepEqual(readdirSync(w.settings.data), before)
    other.kill()
    await once(other, 'exit')
    const again = (await doctor(w.settings, { repair: true })).find(({ name }) => name === 'index')!
    assert.equal(again.state, 'repaired')
  })
})

/** Another process that has the store open until it is killed. */
async function processWithStore(t: TestContext, folder: string) {
  const script = `
    import { openSqliteStore } from ${JSON.stringify(compiled('store'))}
    await openSqliteStore({ folder: ${JSON.stringify(folder)} })
    console.log('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

function compiled(name: string): string {
  return pathToFileURL(join(projectRoot, `dist/src/store/sqlite/${name}.js`)).href
}

/** Kills a repair before it does its `step`th thing to a file. False when it had ended before. */
function killRepair(folder: string, step: number): boolean {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    import { rebuildIndex } from ${JSON.stringify(compiled('repair'))}
    let left = ${step}
    for (const name of ['readFileSync', 'openSync', 'writeSync', 'fsyncSync', 'renameSync', 'writeFileSync']) {
      const real = fs[name]
      fs[name] = (...given) => {
        if (--left === 0) process.kill(process.pid, 'SIGKILL')
        return real(...given)
      }
    }
    syncBuiltinESMExports()
    await rebuildIndex(${JSON.stringify(folder)})`
  const { signal, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
  assert.ok(signal === 'SIGKILL' || status === 0, String(stderr))
  return signal === 'SIGKILL'
}

/** What "carrel doctor --repair" does with the two. */
async function mend(folder: string) {
  if (auditIndex(folder).length > 0) await rebuildIndex(folder)
  if (auditJournal(folder) !== null) await repairJournal(folder)
}

describe('a journal of records with lines that cannot be read', () => {
  test('does not stop indexing, is reported, and is repaired from the index', async (t) => {
    const w = await used(t)
    const journal = join(w.settings.data, 'records.jsonl')
    const sound = readFileSync(journal, 'utf8')
    for (const name of readdirSync(w.settings.data))
      if (name.startsWith('index.sqlite')) rmSync(join(w.settings.data, name))
    writeFileSync(
      journal,
      `{}\n5\n{"kind":"knowledge-source","id":"z","value":{}}\n${sound}{"kind":"keepsake","id":"d2","val`,
    )
    assert.deepEqual((await index(w.settings)).record, { content: 'wicks burn at both ends' })
    const messageOf = async (repair: boolean) =>
      (await doctor(w.settings, { repair })).find(({ name }) => name === 'records')
    const seen = await messageOf(false)
    assert.equal(seen?.state, 'warning')
    assert.match(seen.message, /^4 lines of .*records\.jsonl \(1, 2, 3, \d+\) cannot be used/)
    assert.match(seen.hint!, /doctor --repair/)
    assert.equal((await messageOf(true))?.state, 'repaired')
    assert.equal(await messageOf(false), undefined)
    assert.match(readFileSync(journal, 'utf8'), /wicks burn at both ends/)
    assert.ok(readdirSync(w.settings.data).some((name) => /^old-.*records\.jsonl$/.test(name)))
  })
})

describe('a damaged journal of records', () => {
  const ways: Record<string, (journal: string) => void> = {
    'that was deleted': (journal) => rmSync(journal),
    'that was emptied': (journal) => writeFileSync(journal, ''),
    'that begins anew': (journal) =>
      writeFileSync(journal, '{"kind":"keepsake","id":"d2","value":{"content":"later"}}\n'),
    'that is an older one': (journal) =>
      writeFileSync(journal, readFileSync(journal, 'utf8').replace('both ends', 'one end')),
  }
  for (const [what, harm] of Object.entries(ways))
    test(`${what} is reported by doctor and rewritten from the index`, async (t) => {
      const w = await used(t)
      const journal = join(w.settings.data, 'records.jsonl')
      const records = async (repair: boolean) =>
        (await doctor(w.settings, { repair })).filter(({ name }) => name === 'records')
      assert.deepEqual(await records(false), [])
      harm(journal)
      const [seen] = await records(false)
      assert.equal(seen?.state, 'warning')
      assert.match(seen.message, /records\.jsonl lacks 1 of the 1 records that the index has/)
      assert.match(seen.hint!, /doctor --repair/)
      assert.equal((await records(true))[0]?.state, 'repaired')
      assert.deepEqual(await records(false), [])
      assert.match(readFileSync(journal, 'utf8'), /wicks burn at both ends/)
    })

  test('is whole again once the index is opened, if it is gone', async (t) => {
    const w = await used(t)
    const journal = join(w.settings.data, 'records.jsonl')
    rmSync(journal)
    await (await openForTest(w.settings)).close()
    writeFileSync(w.file, 'broken')
    await doctor(w.settings, { repair: true })
    assert.deepEqual((await index(w.settings)).record, { content: 'wicks burn at both ends' })
  })

  test('is whole again before the next record is added, and without one that was given up', async (t) => {
    const folder = temporaryFolder(t)
    const store = await openSqliteStore({ folder })
    t.after(() => store.close())
    const ids = () => [...readJournal(folder).values()].map(({ id }) => id)
    await store.records.put('keepsake', 'd1', { signs: '\0 \u{10ffff}' })
    rmSync(join(folder, 'records.jsonl'))
    await assert.rejects(
      store.records.putAll([
        { kind: 'keepsake', id: 'd2', value: 2 },
        { kind: 'keepsake', id: 'd3', value: 3n },
      ]),
    )
    await store.records.put('keepsake', 'd4', 4)
    assert.deepEqual(ids(), ['d1', 'd4'])
    assert.deepEqual(await store.records.get('keepsake', 'd1'), { signs: '\0 \u{10ffff}' })
    assert.equal(auditJournal(folder), null)
  })
})

test('a journal of records that cannot be opened is a sentence, and the record is not kept', async (t) => {
  const folder = temporaryFolder(t)
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  mkdirSync(join(folder, 'records.jsonl'))
  await assert.rejects(store.records.put('keepsake', 'd1', 1), { name: 'Problem', code: 'store_readonly' })
  assert.equal(await store.records.get('keepsake', 'd1'), null)
})

test('a journal of records that cannot be written is reported by doctor, also with --repair', async (t) => {
  const w = await used(t)
  const journal = join(w.settings.data, 'records.jsonl')
  const messageOf = async (repair: boolean, about = 'records') =>
    (await doctor(w.settings, { repair })).find(({ name }) => name === about)
  for (const mode of [0o444, 0o000]) {
    chmodSync(journal, mode)
    await asOrdinaryUser(dirname(w.root), async () => {
      for (const repair of [false, true]) {
        const seen = await messageOf(repair)
        assert.equal(seen?.state, 'failed')
        assert.match(
          seen.message,
          /records\.jsonl cannot be read and written \(EACCES\): nothing can be recorded/,
        )
        assert.match(seen.hint!, /chmod u\+rw/)
      }
    })
  }
  writeFileSync(w.file, 'broken')
  await asOrdinaryUser(dirname(w.root), async () => {
    const seen = await messageOf(true, 'index')
    assert.equal(seen?.state, 'failed')
    assert.match(seen.message, /records\.jsonl cannot be read and written \(EACCES\)/)
    assert.equal(readFileSync(w.file, 'utf8'), 'broken')
  })
  rmSync(journal)
  mkdirSync(journal)
  assert.match((await messageOf(true))!.message, /a folder stands there/)
})
