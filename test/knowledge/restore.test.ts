// What was handed to us is kept with a database's care: it outlives the index.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { search } from '../../src/answer/search.js'
import { doctor } from '../../src/app/doctor.js'
import { indexAll } from '../../src/app/index-all.js'
import { Problem } from '../../src/model/problem.js'
import { inFlightName, stateOfBytes, sweepBytes } from '../../src/toolsets/knowledge/blob-store.js'
import {
  type DocumentRecord,
  documentKind,
  documentRecords,
} from '../../src/toolsets/knowledge/document-records.js'
import { addDocument, getDocument, removeDocument } from '../../src/toolsets/knowledge/manage-documents.js'
import { addSource } from '../../src/toolsets/knowledge/manage-sources.js'
import { openForTest, world } from '../support/world.js'
import { blobFiles } from './kit.js'

const handedIn = {
  content: '# Lamps\n\nThe heron stands in the reeds.\n',
  title: 'Herons',
  metadata: { year: 1999 },
  url: 'https://birds.example/heron',
}

async function used(t: TestContext) {
  const w = await world(t, { 'a.md': '# A\n\nA file of the folder.\n' })
  await indexAll(w.library, {})
  const source = await addSource(w.library, { title: 'Papers', type: 'upload' })
  const { document } = await addDocument(w.library, { ...handedIn, source: source.id })
  return { ...w, source, document }
}

const databaseFiles = ['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm']

describe('uploaded documents', () => {
  test('come back with the same ids when the database is deleted', async (t) => {
    const { library, settings, document, source } = await used(t)
    await library.close()
    for (const name of databaseFiles) rmSync(join(settings.data, name), { force: true })
    const again = await openForTest(settings)
    t.after(() => again.close())
    const report = await indexAll(again, {})
    assert.deepEqual(report.failures, [])
    assert.deepEqual(
      report.bySource.map(({ name, counts }) => [name, counts.stored]),
      [
        ['project', 1],
        ['Papers', 1],
      ],
    )
    const found = await getDocument(again, { document: document.id })
    assert.deepEqual(
      [found.title, found.url, found.metadata, found.ref.source],
      ['Herons', 'https://birds.example/heron', { year: 1999 }, source.id],
    )
    const { hits } = await search(again, { query: 'heron', collections: ['Papers'] })
    assert.equal(hits[0]?.title, 'Herons')
  })

  test('come back after the database was damaged and repaired', async (t) => {
    const { library, settings, document } = await used(t)
    await library.close()
    for (const name of databaseFiles.slice(1)) rmSync(join(settings.data, name), { force: true })
    writeFileSync(join(settings.data, 'index.sqlite'), 'no database\n'.repeat(1000))
    const checks = await doctor(settings, { repair: true })
    assert.equal(checks.find(({ name }) => name === 'index')?.state, 'repaired')
    const again = await openForTest(settings)
    t.after(() => again.close())
    await indexAll(again, {})
    assert.equal((await getDocument(again, { document: document.id })).title, 'Herons')
    const { hits } = await search(again, { query: 'reeds' })
    assert.equal(hits[0]?.title, 'Herons')
  })

  test('are read again by --force, and count as unchanged without it', async (t) => {
    const { library } = await used(t)
    const counts = async (force: boolean) =>
      (await indexAll(library, { force })).bySource.find(({ name }) => name === 'Papers')!.counts
    assert.equal((await counts(false)).unchanged, 1)
    assert.equal((await counts(true)).stored, 1)
  })

  test('whose bytes were lost are reported, and the index keeps their text', async (t) => {
    const { library, settings } = await used(t)
    const [file] = blobFiles(library)
    rmSync(join(settings.data, 'uploads', file!))
    const { failures } = await indexAll(library, { force: true })
    assert.match(failures[0]!.reason, /not in the data folder any more/)
    const { hits } = await search(library, { query: 'heron' })
    assert.equal(hits[0]?.title, 'Herons')
  })

  test('whose bytes were changed are refused and reported, until they are uploaded again', async (t) => {
    const w = await used(t)
    const { library, settings, document } = w
    const uploads = async () => (await doctor(settings, {})).find(({ name }) => name === 'uploads')
    assert.equal((await uploads())?.state, 'ok')
    const [name] = blobFiles(library)
    const file = join(settings.data, 'uploads', name!)
    const sound = readFileSync(file)
    writeFileSync(file, 'garbage')
    const { failures } = await indexAll(library, { force: true })
    assert.match(failures[0]!.reason, /not those that were uploaded/)
    const { hits } = await search(library, { query: 'heron' })
    assert.equal(hits[0]?.title, 'Herons')
    assert.equal((await getDocument(library, { document: document.id })).status, 'completed')
    const seen = await uploads()
    assert.equal(seen?.state, 'failed')
    assert.match(seen.message, /The bytes of 1 of 1 .*\(changed\)/)
    await addDocument(library, { ...handedIn, source: w.source.id })
    assert.deepEqual(readFileSync(file), sound)
    assert.equal((await uploads())?.state, 'ok')
    rmSync(join(settings.data, 'uploads'), { recursive: true })
    assert.match((await uploads())!.message, /\(gone\)/)
  })

  test('remains of a killed process are removed, whatever their age', async (t) => {
    const { library, settings } = await used(t)
    const folder = join(settings.data, 'uploads')
    const { pid: dead } = spawnSync(process.execPath, ['--version'])
    const mine = inFlightName()
    const killed = mine.replace(/^new-\d+/, `new-${dead}`)
    const reused = mine.replace(/^(new-\d+-\w+)-\w+/, '$1-0123abcd')
    const notOurs = ['new-', 'new-notes.md', 'notes', 'ab']
    for (const name of [mine, killed, reused, `new-${dead}-1-1`, `new-${process.pid}-1-1`, ...notOurs])
      for (const age of [0, 3_600, -3_600]) {
        writeFileSync(join(folder, name), 'x')
        const then = Date.now() / 1000 - age
        utimesSync(join(folder, name), then, then)
      }
    await indexAll(library, {})
    const left = readdirSync(folder).filter((name) => !/^[0-9a-f]{2}$/.test(name) || name === 'ab')
    const hasStart = existsSync('/proc/self/stat')
    const expected = [mine, ...(hasStart ? [] : [reused]), `new-${process.pid}-1-1`, ...notOurs]
    assert.deepEqual(left.sort(), expected.sort())
  })

  test('bytes stay when file times and the clock differ by hours', async (t) => {
    const { library } = await used(t)
    const folder = join(library.settings.data, 'uploads')
    const stop = new AbortController()
    const sweeping = (async () => {
      // Without a pause it would take the processor away from what it is to meet.
      for (; !stop.signal.aborted; await sleep(1)) await sweepBytes(library, new Set())
    })()
    const source = (await addSource(library, { title: 'Swept', type: 'upload' })).id
    for (let i = 0; i < 12; i++) {
      const made = await addDocument(library, {
        source,
        title: `Note ${i}`,
        content: `# Note ${i}\n\nText ${i}.`,
      })
      for (const name of readdirSync(folder, { recursive: true }).map(String))
        if (name.includes('doc_')) utimesSync(join(folder, name), 1, 1)
      const record = await library.store.records.get<DocumentRecord>(documentKind, made.document.id)
      assert.equal(await stateOfBytes(library, record!), 'whole')
    }
    stop.abort()
    await sweeping
    for (const record of await documentRecords(library))
      assert.equal(await stateOfBytes(library, record), 'whole')
  })

  test('are still ours to delete when the disk was full the first time', async (t) => {
    const { library, document } = await used(t)
    const full = new Problem('disk_full', 'The disk is full.')
    const store = { ...library.store, forget: () => Promise.reject(full) }
    await assert.rejects(removeDocument({ ...library, store }, { document: document.id }), full)
    await removeDocument(library, { document: document.id })
    await assert.rejects(getDocument(library, { document: document.id }), { code: 'not_found' })
    assert.deepEqual(blobFiles(library), [])
  })

  test('are in the journal, not only in the database', async (t) => {
    const { settings, document } = await used(t)
    const lines = readFileSync(join(settings.data, 'records.jsonl'), 'utf8').trim().split('\n')
    const kinds = lines.map((line) => JSON.parse(line) as { kind: string; id: string })
    assert.ok(kinds.some(({ kind, id }) => kind === 'knowledge-document' && id === document.id))
  })

  test('a project without any has no folder for them', async (t) => {
    const { library, settings } = await world(t, { 'a.md': '# A\n' })
    await indexAll(library, {})
    assert.ok(!readdirSync(settings.data).includes('uploads'))
  })
})
