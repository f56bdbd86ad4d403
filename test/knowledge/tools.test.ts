// The knowledge tools as an agent meets them: the specification's workflow and every field.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentIdOf } from '../../src/answer/addresses.js'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { docx, epub, paragraph, pdf, pptx, sheetRows, xlsx } from '../support/office-files.js'
import type { Files } from '../support/world.js'
import { blobFiles, type Failed, knowledgeWorld, sharedWorld, someFiles } from './kit.js'

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
    assert.deepEqual(blobFiles(w.library), [])
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

  test('a file without text says that nothing in it can be found', async (t) => {
    const w = await knowledgeWorld(t, { 'empty.md': '' })
    const created = await w.document({ action: 'create', file_path: 'empty.md' })
    const nothing = 'it holds no text, so nothing in it can be found'
    assert.equal(created.message, `Document ingested successfully with 0 chunks; ${nothing}`)
    const again = await w.document({
      action: 'update',
      document_id: created.document.id,
      file_path: 'empty.md',
    })
    assert.equal(again.message, `Document updated successfully; ${nothing}`)
  })

  test('a blank source counts as left out', async (t) => {
    const w = await knowledgeWorld(t)
    const source_id = ' '
    const { document } = await w.document({ action: 'create', title: 'W', content: 'Wicks.', source_id })
    assert.equal(document.source_id, 'src_uploads')
    const calls: [string, object][] = [
      ['search_knowledge_base', { query: 'wick', source_id }],
      ['manage_document', { action: 'list', source_id }],
      ['manage_document', { action: 'get', document_id: document.id, source_id }],
      ['manage_crawl_job', { action: 'list', source_id }],
    ]
    for (const [tool, args] of calls)
      assert.equal((await w.ask<{ success: boolean }>(tool, args)).success, true, JSON.stringify(args))
  })

  test('blank values count as left out of a new document', async (t) => {
    const w = await knowledgeWorld(t)
    const blank = { document_id: '', source_id: '', url: ' ', metadata: {} }
    const file = await w.document({
      action: 'create',
      file_path: 'guide.md',
      content: '',
      title: '',
      ...blank,
    })
    assert.equal(file.document.title, 'Lamp guide')
    const text = await w.document({ action: 'create', file_path: '', content: 'Wool.', title: 'W', ...blank })
    assert.deepEqual([text.document.title, text.document.url], ['W', null])
  })

  test('a title is its visible text, on one line', async (t) => {
    const w = await knowledgeWorld(t)
    const title = 'line\nbreak\u0000\u202e x\u{e0041}'
    const { document } = await w.document({ action: 'create', title, content: 'Cotton it is.' })
    assert.equal(document.title, 'line break x')
    const updated = await w.document({ action: 'update', document_id: document.id, title: `${title}y` })
    assert.equal(updated.document.title, 'line break xy')
  })

  test('a source can be named by its title everywhere, even if its collection has another name', async (t) => {
    const w = await knowledgeWorld(t)
    const long = `A long title: ${'on and on '.repeat(20)}`.trim()
    for (const [title, name] of [
      ['Crawled: 127.0.0.1:8771', 'Crawled - 127.0.0.1 -8771'],
      [long, long.replace(':', ' -').slice(0, 100).trim()],
    ] as const) {
      const { source } = await w.source({ action: 'create', title })
      for (const named of [title, name, source.id]) {
        assert.equal((await w.source({ action: 'get', source_id: named })).source.id, source.id)
        const content = `# Snuffer\n\nA brass snuffer for ${named}.`
        const { document } = await w.document({
          action: 'create',
          source_id: named,
          title: 'Snuffer',
          content,
        })
        assert.equal(document.source_id, source.id)
        const found = await w.search({ query: 'brass snuffer', source_id: named })
        assert.equal(found.results[0]?.metadata.source_id, source.id)
        const request = { query: 'brass snuffer', collections: [named] }
        const rows = await w.ask<{ collection: string }[]>('documents_search', request)
        assert.equal(rows[0]?.collection, name)
        const address = { collection: named, document: document.path }
        const read = await w.ask<{ content: string }>('documents_get_document', address)
        assert.match(read.content, /brass snuffer/)
        const whole = await w.document({ action: 'get', document_id: `${named}:${document.path}` })
        assert.equal(whole.document.id, document.id)
        const { hits } = await search(w.library, { query: 'brass snuffer', collections: [named] })
        assert.equal(hits[0]?.collection, name)
      }
    }
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

  test('a note can be named by its document id in the graph tools', async (t) => {
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

  test('rows fall in score, none is below the threshold, and each has one of four kinds of match', async (t) => {
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
    const named = Number(/similarity_threshold of ([\d.]+) shows/.exec(none.note!)![1])
    const best = await w.search({ query: 'lamp oil wick', similarity_threshold: named })
    assert.deepEqual(best.results[0], results[0])
  })

  test('copies are reported for rows that are shown, and for none below the threshold', async (t) => {
    const ink = '# Same\n\nSquid ink dries slowly.\n'
    const w = await knowledgeWorld(t, { 'c1.md': ink, 'c2.md': ink })
    const noteFor = async (similarity_threshold: number) =>
      (await w.search({ query: 'squid', similarity_threshold })).note ?? ''
    assert.match(await noteFor(0), /what c1\.md says also stands in 1 other document/)
    assert.match(await noteFor(1), /left out/)
    assert.doesNotMatch(await noteFor(1), /A text is shown once/)
  })

  test('rows below the threshold replace none above it', async (t) => {
    const filler = 'Plain sentences about nothing in particular. '.repeat(9)
    const parts = 'inlet outlet bypass relief throttle check'.split(' ')
    const manual = parts
      .map((part) => `## Part ${part}\n\nzeppelin zeppelin zeppelin ${part} ${filler}`)
      .join('\n\n')
    const w = await knowledgeWorld(t, {
      'manual.md': `# Manual\n\n${manual}\n`,
      ...Object.fromEntries(parts.map((part, n) => [`${part}.md`, `A zeppelin ${n}. ${part} ${filler}`])),
    })
    const all = await w.search({ query: 'zeppelin', match_count: 50 })
    const ofManual = all.results.filter(({ document_title }) => document_title === 'Manual')
    const similarity_threshold = ofManual.at(-1)!.score - 0.0001
    const wanted = all.results.filter(({ score }) => score >= similarity_threshold)
    assert.ok(wanted.length < all.count && wanted.length > 4, `${wanted.length} of ${all.count}`)
    const found = await w.search({ query: 'zeppelin', match_count: wanted.length, similarity_threshold })
    assert.deepEqual(found.results, wanted)
  })

  test('cuts a long text to 1,000 characters with three dots, and a long title to 200', async (t) => {
    const w = await knowledgeWorld(t)
    const long = `Zeppelin ${'word '.repeat(400)}`
    await w.document({ action: 'create', title: `Zeppelin ${'x'.repeat(600)}`, content: long })
    const { results, query } = await w.search({ query: long, source_id: 'Uploads' })
    assert.equal(query, results[0]!.text)
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

test('lists during the first indexing are one JSON object, which holds the note', async (t) => {
  const w = await knowledgeWorld(t, someFiles, { indexed: false })
  for (const tool of ['manage_source', 'manage_document', 'manage_crawl_job']) {
    const answer = await w.call(tool, { action: 'list' })
    assert.equal(answer.note, undefined, tool)
    assert.match((answer.value as { note: string }).note, /"library" was never indexed to its end/, tool)
    assert.deepEqual(JSON.parse(answer.text), answer.value, tool)
  }
  const shown = await w.call('manage_source', { action: 'get', source_id: 'library' })
  assert.equal(shown.note, undefined)
  assert.match((shown.value as { note: string }).note, /never indexed/)
})
