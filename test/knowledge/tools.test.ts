// The knowledge tools as an agent meets them: the specification's workflow, every field, every way to go wrong.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { documentIdOf } from '../../src/services/document-ids.js'
import { indexAll } from '../../src/services/indexing.js'
import { docx, epub, paragraph, pdf, pptx, scannedPdf, sheetRows, xlsx } from '../support/office-files.js'
import { type Files, openForTest } from '../support/world.js'
import {
  type DocumentAnswer,
  type Failed,
  type KnowledgeWorld,
  keptFiles,
  knowledgeWorld,
  type ListAnswer,
  type SourceAnswer,
  sharedWorld,
  someFiles,
} from './kit.js'

const officeFiles: Files = {
  'paper.pdf': pdf([[[12, 'First page about glass.']], [[12, 'Second page about kerosene.']]]),
  'book.ipynb': JSON.stringify({
    cells: [{ cell_type: 'markdown', source: ['# Light\n', 'A lumen is a measure.'] }],
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
  }),
  'letter.docx': docx(paragraph('Dear reader, burn paraffin.')),
  'talk.pptx': pptx([{ title: 'Mirrors', bullets: [[0, 'A reflector doubles the light']] }]),
  'stock.xlsx': xlsx({
    Stock: sheetRows([
      ['part', 'count'],
      ['burner', 4],
    ]),
  }),
  'novel.epub': epub({ chapters: { 'one.xhtml': '<h1>One</h1><p>The lighthouse stood alone.</p>' } }),
}

describe('the whole way', () => {
  const shared = sharedWorld({ ...someFiles, ...officeFiles })

  test('a source, a document in it, found, and all of it gone again', async (t) => {
    const w = await knowledgeWorld(t)
    const { source } = await w.source({ action: 'create', title: 'Test Source', source_type: 'upload' })
    assert.match(source.id, /^src_[0-9a-f]{16}$/)
    assert.deepEqual([source.documents_count, source.status, source.url], [0, 'active', null])

    const made = await w.document({
      action: 'create',
      file_path: 'guide.md',
      source_id: source.id,
      metadata: { author: 'Ada', year: 2024 },
    })
    assert.match(made.document.id, /^doc_[0-9a-f]{16}$/)
    assert.equal(made.document.title, 'Lamp guide')
    assert.equal(made.document.status, 'completed')
    assert.ok(made.document.chunks_created! > 0)
    assert.deepEqual(made.document.metadata, { author: 'Ada', year: 2024 })
    assert.equal(made.message, 'Document ingested successfully with 1 chunk')

    const found = await w.search({ query: 'trim the wick', source_id: source.id })
    assert.ok(found.count > 0)
    const [first] = found.results
    assert.equal(first!.document_id, made.document.id)
    assert.equal(first!.metadata.source_id, source.id)
    assert.equal(first!.metadata.url, null)
    assert.deepEqual([found.search_type, found.query], ['hybrid', 'trim the wick'])

    const got = await w.source({ action: 'get', source_id: source.id })
    assert.equal(got.source.documents_count, 1)
    const gone = await w.source({ action: 'delete', source_id: source.id })
    assert.equal(gone.success, true)
    const after = await w.search<Failed>({ query: 'trim the wick', source_id: source.id })
    assert.equal(after.success, false)
    assert.match(after.error, /^Invalid source_id: src_\w+ not found$/)
    assert.deepEqual(keptFiles(w.library), [])
  })

  for (const [path, type, words] of [
    ['guide.md', 'markdown', 'petrol'],
    ['table.csv', 'csv', 'storm lantern'],
    ['page.html', 'html', 'wicks by the metre'],
    ['notes.txt', 'text', 'chimneys'],
    ['paper.pdf', 'pdf', 'kerosene'],
    ['book.ipynb', 'notebook', 'lumen'],
    ['letter.docx', 'docx', 'paraffin'],
    ['talk.pptx', 'pptx', 'reflector'],
    ['stock.xlsx', 'xlsx', 'burner'],
    ['novel.epub', 'epub', 'lighthouse'],
  ] as const)
    test(`a file of type ${type} is read and found by words and by meaning`, async () => {
      const w = await shared()
      const { document } = await w.document({ action: 'create', file_path: path })
      assert.equal(document.document_type, type)
      for (const search_type of ['hybrid', 'vector', 'rerank']) {
        const { results } = await w.search({
          query: words,
          source_id: document.source_id,
          search_type,
          similarity_threshold: 0,
        })
        assert.equal(results[0]?.document_id, document.id, search_type)
        if (type === 'pdf') assert.equal(results[0]!.metadata.page, 2)
      }
    })

  test('a program pushes documents into a source of type api', async (t) => {
    const w = await knowledgeWorld(t)
    const { source } = await w.source({
      action: 'create',
      title: 'Tickets',
      source_type: 'api',
      url: 'https://tickets.example/api',
    })
    assert.deepEqual([source.source_type, source.url], ['api', 'https://tickets.example/api'])
    const { document } = await w.document({
      action: 'create',
      source_id: source.id,
      title: 'Ticket 7',
      content: 'The gasket of the lamp leaks.',
      url: 'https://tickets.example/7',
    })
    const { results } = await w.search({ query: 'leaking gasket', source_id: source.id })
    assert.equal(results[0]!.metadata.url, 'https://tickets.example/7')
    assert.equal(results[0]!.document_title, 'Ticket 7')
    assert.equal(document.path, 'ticket-7.md')
  })
})

describe('one address', () => {
  test('an upload is read by the documents tools, by id, path and title of its source', async (t) => {
    const w = await knowledgeWorld(t)
    const { document } = await w.document({
      action: 'create',
      title: 'Wick lore',
      content: '# Wick lore\n\nCotton it is.',
    })
    for (const address of [
      { collection: document.source_id, document: document.id },
      { collection: 'Uploads', document: document.path },
      { collection: 'Uploads', document: `Uploads:${document.path}` },
    ]) {
      const read = await w.ask<{ content: string; title: string }>('documents_get_document', address)
      assert.match(read.content, /Cotton it is\./)
      assert.equal(read.title, 'Wick lore')
    }
    const listed = await w.ask<{ documents: { id: string }[] }>('documents_list_documents', {
      collection: 'Uploads',
    })
    assert.deepEqual(
      listed.documents.map(({ id }) => id),
      ['wick-lore.md'],
    )
  })

  test('a file of a folder is a document here too, by id, path and collection', async (t) => {
    const w = await knowledgeWorld(t)
    const { results } = await w.search({ query: 'soot in chimneys' })
    const { document_id, metadata } = results[0]!
    assert.equal(metadata.path, 'notes.txt')
    for (const args of [
      { document_id },
      { document_id: 'notes.txt' },
      { document_id: 'library:notes.txt' },
      { document_id: 'notes.txt', source_id: 'library' },
      { document_id: `${metadata.source_id}:notes.txt` },
    ]) {
      const { document } = await w.document({ action: 'get', ...args })
      assert.deepEqual([document.id, document.path, document.status], [document_id, 'notes.txt', 'completed'])
      assert.ok(document.chunks_count! > 0)
    }
    const read = await w.ask<{ content: string }>('documents_get_document', {
      collection: metadata.source_id,
      document: document_id,
    })
    assert.match(read.content, /soot/)
  })

  test('a note goes by its document id in the graph tools', async (t) => {
    const w = await knowledgeWorld(t)
    const { document } = await w.document({ action: 'get', document_id: 'guide.md' })
    const node = await w.ask<{ node: { id: string } } | { id: string }>('get_node', { id: document.id })
    assert.match(JSON.stringify(node), /guide\.md/)
  })

  test('ids stay the same when the index is made anew', async (t) => {
    const w = await knowledgeWorld(t)
    const { document } = await w.document({ action: 'create', file_path: 'guide.md' })
    await indexAll(w.library, { force: true })
    const again = await w.document({ action: 'get', document_id: document.id })
    assert.equal(again.document.id, document.id)
    assert.equal(document.id, documentIdOf({ source: 'src_uploads', path: 'guide.md' }))
  })
})

describe('search_knowledge_base', () => {
  test('looks in one source before it ranks: a full list although another source is better', async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `lamp-${n}.md`,
        `# Lamp ${n}\n\nThe lamp lamp lamp of number ${n}.\n`,
      ]),
    )
    const w = await knowledgeWorld(t, many)
    const { source } = await w.source({ action: 'create', title: 'Few' })
    for (const n of [1, 2, 3])
      await w.document({
        action: 'create',
        source_id: source.id,
        title: `Few ${n}`,
        content: `One lamp among ${n} chairs.`,
      })
    const { results, count } = await w.search({
      query: 'lamp',
      source_id: source.id,
      similarity_threshold: 0,
    })
    assert.equal(count, 3)
    assert.ok(results.every(({ metadata }) => metadata.source_id === source.id))
  })

  test('rows fall in score, none below the threshold, and what found them is one of four', async (t) => {
    const w = await knowledgeWorld(t)
    const { results } = await w.search({ query: 'lamp oil wick', similarity_threshold: 0 })
    const scores = results.map(({ score }) => score)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.ok(results.every(({ match_type }) => ['vector', 'text', 'hybrid', 'rerank'].includes(match_type)))
    const middle = scores[Math.floor(scores.length / 2)]!
    const strict = await w.search({ query: 'lamp oil wick', similarity_threshold: middle })
    assert.ok(strict.results.every(({ score }) => score >= middle - 0.0001))
    const none = await w.search({ query: 'lamp oil wick', similarity_threshold: 1 })
    assert.equal(none.count, 0)
    assert.match(none.note!, /weaker passages were left out/)
  })

  test('cuts a long text to 1,000 characters with three dots, and a long title to 200', async (t) => {
    const w = await knowledgeWorld(t)
    const long = `Zeppelin ${'word '.repeat(400)}`
    await w.document({ action: 'create', title: `Zeppelin ${'x'.repeat(600)}`, content: long })
    const { results } = await w.search({ query: 'zeppelin', source_id: 'Uploads' })
    assert.equal(results[0]!.text.length, 1_000)
    assert.ok(results[0]!.text.endsWith('...'))
    assert.equal(results[0]!.document_title.length, 200)
  })

  test('gives 50 rows at most, and says so', async (t) => {
    const many = Object.fromEntries(
      Array.from({ length: 70 }, (_, n) => [
        `n${n}.md`,
        `# Note ${n}\n\nlantern ${'abcdefghij'[n % 10]}${n}\n`,
      ]),
    )
    const w = await knowledgeWorld(t, many)
    const found = await w.search({ query: 'lantern', match_count: 500, similarity_threshold: 0 })
    assert.equal(found.count, 50)
    assert.match(found.note!, /at most 50/)
  })
})

describe('manage_document', () => {
  test('lists page by page, per_page clamped to 20 and said so', async (t) => {
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

  test('updates title, url, metadata and content; what is found follows', async (t) => {
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
    assert.equal(keptFiles(w.library).length, 1)
  })

  test('new content that cannot be read is refused, and the old stays whole', async (t) => {
    const w = await knowledgeWorld(t)
    writeFileSync(join(w.root, 'broken.pdf'), '%PDF-1.7\nnothing of the kind\n')
    const { document } = await w.document({ action: 'create', file_path: 'guide.md' })
    const before = keptFiles(w.library)
    const refused = await w.document<Failed>({
      action: 'update',
      document_id: document.id,
      file_path: 'broken.pdf',
    })
    assert.equal(refused.success, false)
    assert.match(refused.error, /could not be read/)
    assert.deepEqual(keptFiles(w.library), before)
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

  test('of two sources with one title none is deleted by it', async (t) => {
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

  test('many at once, of the same name: none is lost, none is mixed up', async (t) => {
    const w = await knowledgeWorld(t)
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        w.document({ action: 'create', title: 'Same', content: `Number ${n} of twelve.` }),
      ),
    )
    assert.equal(new Set(made.map(({ document }) => document.id)).size, 12)
    assert.equal(keptFiles(w.library).length, 12)
    for (const [n, { document }] of made.entries()) {
      const read = await w.ask<{ content: string }>('documents_get_document', {
        collection: 'Uploads',
        document: document.id,
      })
      assert.equal(read.content, `Number ${n} of twelve.`)
    }
  })

  test('a scan without text is taken in and says that it has none', async (t) => {
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
    assert.deepEqual(keptFiles(w.library), [])
    assert.deepEqual(await w.library.store.records.all('knowledge-document'), [])
  })
})

describe('manage_source', () => {
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
})

describe('every wrong call is answered with what is wrong and a step that helps', () => {
  const shared = sharedWorld()
  before(async () => {
    await (await shared()).source({ action: 'create', title: 'Mine' })
  })
  const wrong: Record<string, { tool: string; args: object; error: RegExp; suggestion: RegExp }> = {
    'no action': { tool: 'manage_document', args: {}, error: /action/, suggestion: /Provide action/ },
    'an unknown action': {
      tool: 'manage_source',
      args: { action: 'invalid_action' },
      error: /action/,
      suggestion: /"create"/,
    },
    'an unknown argument': {
      tool: 'manage_source',
      args: { action: 'list', perpage: 3 },
      error: /perpage/,
      suggestion: /"per_page"/,
    },
    'create without a file': {
      tool: 'manage_document',
      args: { action: 'create' },
      error: /file_path/,
      suggestion: /file_path/,
    },
    'create with both': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'guide.md', content: 'x', title: 'y' },
      error: /both/,
      suggestion: /one of them/,
    },
    'content without a title': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x' },
      error: /title/,
      suggestion: /title/,
    },
    'empty content': {
      tool: 'manage_document',
      args: { action: 'create', content: ' \n', title: 'x' },
      error: /empty/,
      suggestion: /content/,
    },
    'an empty title': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: '  ' },
      error: /title/,
      suggestion: /title/,
    },
    'get without an id': {
      tool: 'manage_document',
      args: { action: 'get' },
      error: /^document_id required for get$/,
      suggestion: /manage_document\(action='list'\)/,
    },
    'get of nothing': {
      tool: 'manage_document',
      args: { action: 'get', document_id: 'doc_0123456789abcdef' },
      error: /not found/,
      suggestion: /action='list'/,
    },
    'update without an id': {
      tool: 'manage_document',
      args: { action: 'update', title: 'x' },
      error: /document_id required/,
      suggestion: /document_id/,
    },
    'update of a file in a folder': {
      tool: 'manage_document',
      args: { action: 'update', document_id: 'notes.txt', title: 'x' },
      error: /configured/,
      suggestion: /notes\.txt/,
    },
    'delete of a note in a folder': {
      tool: 'manage_document',
      args: { action: 'delete', document_id: 'guide.md' },
      error: /configured/,
      suggestion: /delete_node/,
    },
    'a bad url': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: 'y', url: 'javascript:alert(1)' },
      error: /http:\/\//,
      suggestion: /https:\/\//,
    },
    'a url with a password': {
      tool: 'manage_source',
      args: { action: 'create', title: 'x', url: 'https://me:secret@x.example/a' },
      error: /password/,
      suggestion: /https:\/\/x\.example\/a/,
    },
    'an unknown source': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'guide.md', source_id: 'src_nope' },
      error: /Invalid source_id: src_nope not found/,
      suggestion: /manage_source\(action='list'\)/,
    },
    'a configured source': {
      tool: 'manage_document',
      args: { action: 'create', file_path: 'guide.md', source_id: 'library' },
      error: /configuration/,
      suggestion: /action='create'/,
    },
    'page nought': {
      tool: 'manage_document',
      args: { action: 'list', page: 0 },
      error: /page/,
      suggestion: /Set page to/,
    },
    'huge metadata': {
      tool: 'manage_document',
      args: { action: 'create', content: 'x', title: 'y', metadata: { a: 'b'.repeat(20_000) } },
      error: /metadata/,
      suggestion: /short facts/,
    },
    'a source without a title': {
      tool: 'manage_source',
      args: { action: 'create' },
      error: /title required for create/,
      suggestion: /title/,
    },
    'delete of a configured folder': {
      tool: 'manage_source',
      args: { action: 'delete', source_id: 'library' },
      error: /configuration/,
      suggestion: /carrel\.json/,
    },
    'an update of nothing': {
      tool: 'manage_source',
      args: { action: 'update', source_id: 'Mine' },
      error: /Nothing to update/,
      suggestion: /title or url/,
    },
    'an empty query': {
      tool: 'search_knowledge_base',
      args: { query: ' ' },
      error: /empty/,
      suggestion: /query=/,
    },
    'an unknown kind of search': {
      tool: 'search_knowledge_base',
      args: { query: 'x', search_type: 'magic' },
      error: /search_type/,
      suggestion: /"vector", "hybrid", "rerank"/,
    },
    'a threshold out of range': {
      tool: 'search_knowledge_base',
      args: { query: 'x', similarity_threshold: 7 },
      error: /similarity_threshold/,
      suggestion: /at most 1/,
    },
    'a misspelt source': {
      tool: 'search_knowledge_base',
      args: { query: 'x', source_id: 'Mnie' },
      error: /Mnie/,
      suggestion: /Did you mean source_id='src_/,
    },
  }
  for (const [what, { tool, args, error, suggestion }] of Object.entries(wrong))
    test(what, async () => {
      const w = await shared()
      const answer = await w.call(tool, args)
      assert.equal(answer.isError, false)
      const { success, error: said, suggestion: step } = answer.value as Failed
      assert.deepEqual(Object.keys(answer.value as object), ['success', 'error', 'suggestion'])
      assert.equal(success, false)
      assert.match(said, error)
      assert.match(step, suggestion)
    })
})

describe('files that may not be read', () => {
  const shared = sharedWorld()
  const cases: Record<string, (w: KnowledgeWorld) => string> = {
    'outside the project': () => '/etc/passwd',
    upwards: () => '../../../../../../etc/hostname',
    'a link that leads out': (w) => {
      symlinkSync('/etc/hostname', join(w.root, 'host.txt'))
      return 'host.txt'
    },
    'a folder that is a link leading out': (w) => {
      symlinkSync('/etc', join(w.root, 'etc'))
      return 'etc/hostname'
    },
    'a device': () => '/dev/zero',
    'a secret': (w) => {
      writeFileSync(join(w.root, '.env'), 'KEY=1')
      return '.env'
    },
    'a secret in other letters': (w) => {
      writeFileSync(join(w.root, 'Server.PEM'), 'KEY')
      return 'Server.PEM'
    },
    'inside .git': (w) => {
      mkdirSync(join(w.root, '.git'), { recursive: true })
      writeFileSync(join(w.root, '.git/config.txt'), 'x')
      return '.git/config.txt'
    },
    'a folder': () => '.',
    'nothing there': () => 'guid.md',
    'an empty path': () => ' ',
    'a NUL': () => 'guide.md\0.txt',
    'a picture': (w) => {
      writeFileSync(join(w.root, 'logo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]))
      return 'logo.png'
    },
    'bytes that are no text': (w) => {
      writeFileSync(
        join(w.root, 'blob.txt'),
        Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7) % 256)),
      )
      return 'blob.txt'
    },
    'too large': (w) => {
      writeFileSync(join(w.root, 'large.txt'), Buffer.alloc(50_000_001, 'a'))
      return 'large.txt'
    },
  }
  for (const [what, make] of Object.entries(cases))
    test(what, async () => {
      const w = await shared()
      const answer = await w.document<Failed>({ action: 'create', file_path: make(w) })
      assert.equal(answer.success, false, JSON.stringify(answer))
      assert.ok(answer.suggestion.length > 10)
      assert.deepEqual(keptFiles(w.library), [])
      assert.deepEqual(await w.library.store.records.all('knowledge-document'), [])
      if (what === 'nothing there') assert.match(answer.suggestion, /guide\.md/)
    })

  test('a folder that the user allowed is read from, the one beside it is not', async (t) => {
    const w = await knowledgeWorld(t)
    const folder = join(w.root, '..', 'papers')
    mkdirSync(folder)
    mkdirSync(`${folder}-2`)
    writeFileSync(join(folder, 'a.txt'), 'Allowed words.')
    writeFileSync(join(`${folder}-2`, 'b.txt'), 'Other words.')
    const settings = { ...w.library.settings, uploadFolders: [folder], data: join(w.root, '..', 'data-2') }
    const library = await openForTest(settings)
    t.after(() => library.close())
    const { addDocument } = await import('../../src/services/knowledge/manage-documents.js')
    assert.equal((await addDocument(library, { filePath: join(folder, 'a.txt') })).state, 'created')
    await assert.rejects(addDocument(library, { filePath: join(`${folder}-2`, 'b.txt') }), {
      code: 'outside',
    })
  })
})
