// Documents and sources put in, looked at, changed and taken out by the knowledge tools.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { createSource, findSource, updateSource } from '../../src/answer/source-records.js'
import { indexAll } from '../../src/app/index-all.js'
import { recordDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { scannedPdf } from '../support/office-files.js'
import { openForTest, world } from '../support/world.js'
import {
  blobFiles,
  type DocumentAnswer,
  type Failed,
  knowledgeWorld,
  type ListAnswer,
  type SourceAnswer,
} from './kit.js'

describe('manage_document', () => {
  test('lists page by page, per_page clamped to 20 with a note', async (t) => {
    const w = await knowledgeWorld(t)
    for (let n = 0; n < 23; n++)
      await w.document({
        action: 'create',
        title: `Page ${String(n).padStart(2, '0')}`,
        content: `Text ${n}.`,
      })
    const first = await w.document<ListAnswer>({ action: 'list', source_id: 'Uploads', per_page: 1000 })
    assert.deepEqual([first.per_page, first.count, first.total_count, first.page], [20, 20, 23, 1])
    const second = await w.document<ListAnswer>({
      action: 'list',
      source_id: 'Uploads',
      per_page: 1000,
      page: 2,
    })
    assert.equal(second.count, 3)
    const ids = new Set([...first.documents, ...second.documents].map(({ id }) => id))
    assert.equal(ids.size, 23)
    const past = await w.document<ListAnswer>({ action: 'list', source_id: 'Uploads', page: 99 })
    assert.deepEqual([past.count, past.total_count], [0, 23])
    const all = await w.document<ListAnswer>({ action: 'list' })
    assert.equal(all.total_count, 23 + 4)
  })

  test('updates title, url, metadata and content; search follows', async (t) => {
    const w = await knowledgeWorld(t)
    const { document } = await w.document({
      action: 'create',
      title: 'Draft',
      content: 'The albatross sleeps.',
      metadata: { tags: ['a'], year: 2020 },
    })
    const address = { action: 'update', document_id: document.id }
    const named = await w.document({
      ...address,
      title: 'Birds',
      url: 'https://birds.example/',
      metadata: { year: null, reviewed: true },
    })
    assert.equal(named.message, 'Document updated successfully')
    assert.deepEqual(named.document.metadata, { tags: ['a'], reviewed: true })
    assert.deepEqual(
      [named.document.title, named.document.url, named.document.id],
      ['Birds', 'https://birds.example/', document.id],
    )
    assert.equal(
      (await w.search({ query: 'albatross', source_id: 'Uploads' })).results[0]!.document_title,
      'Birds',
    )

    await w.document({ ...address, content: 'The pelican fishes.' })
    const [row] = (await w.search({ query: 'pelican', source_id: 'Uploads', search_type: 'vector' })).results
    assert.equal(row!.document_id, document.id)
    assert.doesNotMatch(JSON.stringify(await w.search({ query: 'albatross' })), /albatross sleeps/)
    assert.equal(blobFiles(w.library).length, 1)
  })

  test('new content that cannot be read is refused, and the old stays whole', async (t) => {
    const w = await knowledgeWorld(t)
    writeFileSync(join(w.root, 'broken.pdf'), '%PDF-1.7\nnothing of the kind\n')
    const { document } = await w.document({ action: 'create', file_path: 'guide.md' })
    const before = blobFiles(w.library)
    const refused = await w.document<Failed>({
      action: 'update',
      document_id: document.id,
      file_path: 'broken.pdf',
    })
    assert.equal(refused.success, false)
    assert.match(refused.error, /could not be read/)
    assert.deepEqual(blobFiles(w.library), before)
    const { results } = await w.search({ query: 'rape oil', source_id: 'Uploads' })
    assert.equal(results[0]!.document_id, document.id)
  })

  test('the same file twice is one document, another file of the same name is another', async (t) => {
    const w = await knowledgeWorld(t)
    const first = await w.document({ action: 'create', file_path: 'notes.txt' })
    const again = await w.document({ action: 'create', file_path: 'notes.txt' })
    assert.equal(again.document.id, first.document.id)
    assert.match(again.message, /nothing changed/)
    writeFileSync(join(w.root, 'notes.txt'), 'Other words altogether.\n')
    const other = await w.document({ action: 'create', file_path: 'notes.txt' })
    assert.notEqual(other.document.id, first.document.id)
    assert.equal(other.document.path, 'notes-2.txt')
  })

  test('a file that is added again keeps the facts that are not given anew', async (t) => {
    const w = await knowledgeWorld(t)
    const facts = { metadata: { author: 'Ada' }, url: 'https://a.example/c' }
    await w.document({ action: 'create', file_path: 'guide.md', ...facts })
    const { document } = await w.document({ action: 'create', file_path: 'guide.md' })
    assert.deepEqual([document.metadata, document.url], [facts.metadata, facts.url])
    const other = await w.document({ action: 'create', file_path: 'guide.md', metadata: { year: 2024 } })
    assert.deepEqual([other.document.metadata, other.document.url], [{ year: 2024 }, facts.url])
  })

  test('an update takes no empty text, and no more metadata than a document may have', async (t) => {
    const w = await knowledgeWorld(t)
    const { document } = await w.document({ action: 'create', file_path: 'guide.md' })
    const update = (fields: object) =>
      w.document<Failed>({ action: 'update', document_id: document.id, ...fields })
    for (const content of ['', ' \n'])
      assert.equal((await update({ content })).error, 'The content is empty.')
    assert.equal((await update({ metadata: { one: 'x'.repeat(9_000) } })).success, true)
    assert.match((await update({ metadata: { two: 'x'.repeat(9_000) } })).error, /16000 fit/)
    const after = await w.document({ action: 'get', document_id: document.id })
    assert.deepEqual(Object.keys(after.document.metadata), ['one'])
    const { results } = await w.search({ query: 'trim the wick', source_id: document.source_id })
    assert.ok(results.some(({ document_id }) => document_id === document.id))
  })

  test('a title that two sources share deletes neither', async (t) => {
    const w = await knowledgeWorld(t)
    const [one, two] = [
      await w.source({ action: 'create', title: 'Dup' }),
      await w.source({ action: 'create', title: 'Dup' }),
    ]
    const refused = await w.source<Failed>({ action: 'delete', source_id: 'Dup' })
    assert.equal(refused.success, false)
    for (const { source } of [one, two]) assert.ok(refused.suggestion.includes(source.id))
    assert.equal((await w.source({ action: 'delete', source_id: two.source.id })).success, true)
    assert.equal((await w.source({ action: 'delete', source_id: 'Dup' })).success, true)
  })

  test('a title that two sources share selects neither, and their names as collections are listed', async (t) => {
    const w = await knowledgeWorld(t)
    const title = 'Handbooks'
    await w.source({ action: 'create', title })
    const { source } = await w.source({ action: 'create', title })
    await w.document({ action: 'create', title: 'Crane', content: 'It lifts 12 tons.', source_id: source.id })
    const calls: [string, object][] = [
      ['search_knowledge_base', { query: 'crane lifts', source_id: title }],
      ['manage_document', { action: 'list', source_id: title }],
      ['manage_document', { action: 'get', document_id: 'crane.md', source_id: title }],
      ['manage_source', { action: 'get', source_id: title }],
    ]
    for (const [tool, args] of calls) {
      const refused = await w.ask<Failed>(tool, args)
      assert.match(refused.error, /2 sources go by the name "Handbooks"/, tool)
      assert.ok(refused.suggestion.includes(source.id), refused.suggestion)
    }
    const { sources } = await w.source<{ sources: { id: string; collection?: string }[] }>({ action: 'list' })
    assert.equal(sources.find(({ id }) => id === source.id)?.collection, 'Handbooks (2)')
    const found = await w.ask<{ results: unknown[] }>('search_knowledge_base', {
      query: 'crane lifts',
      source_id: 'Handbooks (2)',
    })
    assert.equal(found.results.length, 1)
  })

  test('of a folder and a source with one name, the one that can be changed is offered', async (t) => {
    const folders = { Handbooks: { path: '.' } }
    const w = await knowledgeWorld(t, { 'guide.md': '# Guide' }, { folders })
    const { source } = await w.source({ action: 'create', title: 'Handbooks' })
    const request = { action: 'create', title: 'Crane', content: 'It lifts 12 tons.' }
    const refused = await w.document<Failed>({ ...request, source_id: 'Handbooks' })
    assert.match(refused.error, /2 sources go by the name "Handbooks"/)
    const [offered, ...others] = refused.suggestion.match(/(?<=')[^']+(?=')/g)!
    assert.deepEqual(others, [])
    const { document } = await w.document({ ...request, source_id: offered })
    assert.equal(document.source_id, source.id)
  })

  test('a title that is also the collection name of another source is ambiguous', async (t) => {
    const w = await knowledgeWorld(t)
    const [one, two] = [
      await w.source({ action: 'create', title: 'Oil - lamps' }),
      await w.source({ action: 'create', title: 'Oil: lamps' }),
    ]
    const get = async (source_id: string) => (await w.source({ action: 'get', source_id })).source.id
    assert.deepEqual([await get('Oil - lamps'), await get('Oil: lamps')], [one.source.id, two.source.id])
    await w.source({ action: 'create', title: 'Wax: candles' })
    await w.source({ action: 'create', title: 'Wax - candles' })
    const refused = await w.source<Failed>({ action: 'delete', source_id: 'Wax - candles' })
    assert.match(refused.error, /2 sources go by the name "Wax - candles"/)
    assert.equal((await w.source({ action: 'delete', source_id: 'Wax: candles' })).success, true)
    assert.equal((await w.source({ action: 'delete', source_id: 'Wax - candles' })).success, true)
  })

  test('many at once with the same name: none is lost or mixed up', async (t) => {
    const w = await knowledgeWorld(t)
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        w.document({ action: 'create', title: 'Same', content: `Number ${n} of twelve.` }),
      ),
    )
    assert.equal(new Set(made.map(({ document }) => document.id)).size, 12)
    assert.equal(blobFiles(w.library).length, 12)
    for (const [n, { document }] of made.entries()) {
      const read = await w.ask<{ content: string }>('documents_get_document', {
        collection: 'Uploads',
        document: document.id,
      })
      assert.equal(read.content, `Number ${n} of twelve.`)
    }
  })

  test('a scan without text is stored, with a note that it has no text', async (t) => {
    const w = await knowledgeWorld(t)
    writeFileSync(join(w.root, 'scan.pdf'), scannedPdf())
    const { document } = await w.document({ action: 'create', file_path: 'scan.pdf' })
    assert.equal(document.chunks_created, 0)
    assert.match(document.note!, /no text/i)
  })

  test('a document deleted while another process reads it leaves nothing', async (t) => {
    const w = await knowledgeWorld(t)
    const { source } = await w.source({ action: 'create', title: 'Short-lived' })
    const adding = w.document<DocumentAnswer | Failed>({
      action: 'create',
      file_path: 'guide.md',
      source_id: source.id,
    })
    const deleting = w.source({ action: 'delete', source_id: source.id })
    await Promise.all([adding, deleting])
    assert.deepEqual(blobFiles(w.library), [])
    assert.deepEqual(await w.library.store.records.all('knowledge-document'), [])
  })
})

describe('manage_source', () => {
  test('the project’s memory is a source by the name in rows, and cannot be changed here', async (t) => {
    const w = await knowledgeWorld(t)
    const from = { by: 'command' } as const
    await recordDiscovery(w.library, { type: 'rule', content: 'Trim every wick before noon', from })
    const [row] = (await w.document<ListAnswer>({ action: 'list', source_id: 'discoveries' })).documents
    assert.deepEqual([row?.source_id, row?.title], ['discoveries', 'Rule'])
    const { source } = await w.source({ action: 'get', source_id: row!.source_id })
    assert.deepEqual([source.source_type, source.url, source.documents_count], ['memory', null, 1])
    const { sources } = await w.source<{ sources: { id: string }[] }>({ action: 'list' })
    assert.equal(sources.at(-1)?.id, 'discoveries')
    const { results } = await w.search({ query: 'trim the wick', source_id: 'discoveries' })
    assert.deepEqual(
      results.map(({ metadata }) => metadata.source_id),
      ['discoveries'],
    )
    for (const action of ['delete', 'update']) {
      const refused = await w.source<Failed>({ action, source_id: 'discoveries', title: 'x' })
      assert.match(refused.error, /what this project remembers/)
    }
  })

  test('creates, lists, changes; a clashing name stays reachable by id', async (t) => {
    const w = await knowledgeWorld(t)
    const one = await w.source({ action: 'create', title: 'library' })
    const two = await w.source({
      action: 'create',
      title: 'Docs',
      source_type: 'crawl',
      url: 'https://docs.example/',
    })
    const list = await w.source<{ sources: SourceAnswer['source'][]; total_count: number }>({
      action: 'list',
      per_page: 99,
    })
    assert.deepEqual(
      list.sources.map(({ title, source_type }) => [title, source_type]),
      [
        ['library', 'folder'],
        ['library', 'upload'],
        ['Docs', 'crawl'],
      ],
    )
    assert.equal((await w.source({ action: 'get', source_id: 'library' })).source.source_type, 'folder')
    assert.equal((await w.source({ action: 'get', source_id: one.source.id })).source.source_type, 'upload')
    const renamed = await w.source({ action: 'update', source_id: two.source.id, title: 'Handbook' })
    assert.deepEqual([renamed.source.title, renamed.source.url], ['Handbook', 'https://docs.example/'])
    assert.equal((await w.source({ action: 'get', source_id: 'Handbook' })).source.id, two.source.id)
  })
  test('no two collections share a name, whichever came first', async (t) => {
    const w = await world(t, { 'a.md': '# A' })
    const made = await createSource(w.library, { title: 'Uploads', type: 'upload' })
    const memory = await createSource(w.library, { title: 'discoveries', type: 'upload' })
    assert.equal(memory.name, 'discoveries (2)')
    const sources = [{ ...w.settings.sources[0]!, name: 'uploads' }]
    const library = await openForTest({ ...w.settings, sources })
    t.after(() => library.close())
    await indexAll(library, {})
    const rows = await library.store.sources()
    assert.deepEqual(rows.map(({ name }) => name).sort(), ['Uploads (2)', 'discoveries (2)', 'uploads'])
    assert.equal((await findSource(library, 'Uploads (2)'))?.id, made.id)
    assert.equal((await findSource(library, 'uploads'))?.type, 'folder')
  })
  test('no two made or renamed at once share a name, by one process or by two', async (t) => {
    const w = await world(t, { 'a.md': '# A' })
    const other = await openForTest(w.settings)
    t.after(() => other.close())
    const old = await createSource(w.library, { title: 'Old', type: 'upload' })
    const made = await Promise.all([
      updateSource(w.library, old.id, { title: 'Papers' }),
      ...[w.library, other, w.library, other].map((library) =>
        createSource(library, { title: 'Papers', type: 'upload' }),
      ),
    ])
    assert.deepEqual(made.map(({ name }) => name).sort(), [
      'Papers',
      ...[2, 3, 4, 5].map((n) => `Papers (${n})`),
    ])
  })

  test('if two calls rename it at once, the later name holds everywhere', async (t) => {
    const { library } = await world(t, {})
    const { id } = await createSource(library, { title: 'Old', type: 'upload' })
    const slow: Library = {
      ...library,
      store: {
        ...library.store,
        async putSource(source) {
          await updateSource(library, id, { title: 'Later' })
          await library.store.putSource(source)
        },
      },
    }
    await updateSource(slow, id, { title: 'Earlier' })
    const [row] = await library.store.sources()
    assert.deepEqual([(await findSource(library, id))?.title, row?.name], ['Later', 'Later'])
  })
})

describe('a refused upload', () => {
  const refusals: [why: string, args: object][] = [
    ['a file that is not there', { file_path: 'nowhere.md' }],
    ['a file of a kind that is not read', { file_path: 'program.exe' }],
    ['a file outside the project', { file_path: '/etc/hostname' }],
    ['a file that cannot be read as what it says it is', { file_path: 'broken.pdf' }],
    ['a text with too many facts', { content: 'x', title: 'x', metadata: { long: 'x'.repeat(100_000) } }],
  ]
  for (const [why, args] of refusals)
    test(`leaves no empty source: ${why}`, async (t) => {
      const w = await knowledgeWorld(t, {
        'a.md': '# A',
        'broken.pdf': '%PDF-1.7 not one',
        'program.exe': 'MZ',
      })
      const refused = await w.document<Failed>({ action: 'create', ...args })
      assert.equal(refused.success, false, JSON.stringify(refused))
      const { sources } = (await w.source({ action: 'list' })) as unknown as { sources: { title: string }[] }
      assert.deepEqual(
        sources.map(({ title }) => title),
        ['library'],
      )
      const created = await w.document({ action: 'create', title: 'Kept', content: 'Something to keep.' })
      assert.equal(created.document.source_id, 'src_uploads')
    })

  test('leaves the documents that are in the source already', async (t) => {
    const w = await knowledgeWorld(t, { 'broken.pdf': '%PDF-1.7 not one' })
    await w.document({ action: 'create', title: 'Kept', content: 'Something to keep.' })
    await w.document<Failed>({ action: 'create', file_path: 'broken.pdf' })
    const list = await w.document<ListAnswer>({ action: 'list', source_id: 'Uploads' })
    assert.deepEqual(
      list.documents.map(({ title }) => title),
      ['Kept'],
    )
  })
})
