import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { executor } from '../../src/server/executor.js'
import { inputSchemaOf, outputSchemaOf } from '../../src/server/json-schema.js'
import type { Surface } from '../../src/surfaces/mcp/server.js'
import { documentsToolset } from '../../src/toolsets/documents/toolset.js'
import { flawsOf } from '../support/tool-flaws.js'
import type { Files } from '../support/world.js'
import { type DocumentAnswer, type Heading, type Row, sample, small } from './documents-world.js'
import { everyExample } from './every-example.js'
import { checkGolden } from './golden.js'
import { tokenCost } from './token-cost.js'

describe('the records', () => {
  test('are sound, and cost a model little', () => {
    assert.deepEqual(flawsOf(documentsToolset), [])
    const cost = tokenCost(sample.registry)
    const advice = 'Shorten descriptions, or raise the limit here and say in the commit what it buys'
    assert.ok(cost.model <= 1_200, `${cost.model} tokens. ${advice}`)
    assert.ok(cost.list <= 2_500, `${cost.list} tokens in the whole list. ${advice}`)
  })

  test('have the schemas that were agreed', () => {
    const schemas = documentsToolset.tools.map((tool) => ({
      name: tool.name,
      input: inputSchemaOf(tool),
      output: outputSchemaOf(tool),
    }))
    checkGolden('documents/schemas.json', `${JSON.stringify(schemas, null, 2)}\n`)
  })

  test('answer every example the same over MCP, HTTP and the command line', async () => {
    const open = (): Surface<typeof sample.registry.services> => ({
      registry: sample.registry,
      executor: executor({ checkOutput: true }),
      info: { name: 'carrel', version: '0' },
      instructions: () => '',
    })
    const answers = await everyExample(open)
    const titles = answers.map(({ tool, title }) => `${tool}: ${title}`)
    assert.equal(new Set(titles).size, answers.length)
    for (const { tool, title, value } of answers)
      assert.ok(title === 'A miss' || typeof value !== 'string', `${tool}: ${title}: ${value}`)
  })
})

describe('names', () => {
  test('misses are sentences that offer the closest', async () => {
    const answers: Record<string, unknown> = {}
    const cases: [string, Record<string, unknown>][] = [
      ['documents_list_documents', { collection: 'librray' }],
      ['documents_list_documents', { collection: 'something else altogether' }],
      ['documents_get_document', { collection: 'nope', document: 'README.md' }],
      ['documents_get_document', { collection: 'library', document: 'guides/api-referense.md' }],
      ['documents_get_document', { collection: 'library', document: 'outbox.md' }],
      ['documents_get_document', { collection: 'library', document: 'readme.md' }],
      ['documents_get_document', { collection: 'library', document: '../../etc/passwd' }],
      ['documents_get_document', { collection: 'library', document: '' }],
      ['documents_get_outline', { collection: 'library', document: 'nothing like it' }],
      ['documents_get_section', { collection: 'library', document: 'guides/cli.md', section: 'Instal' }],
      [
        'documents_get_section',
        { collection: 'library', document: 'guides/smtp-checklist.txt', section: 'x' },
      ],
      ['documents_get_section', { collection: 'library', document: 'guides/cli.md', section: '' }],
      ['documents_find_related', { collection: 'library', document: 'glossary.md' }],
      ['documents_search', { query: 'x', collections: ['library', 'libary'] }],
      ['documents_search', { query: 'x', document: 'guides/api-referense.md' }],
      ['documents_search', { query: 'x', document: 'guides/cli.md', section: 'nowhere' }],
      ['documents_search', { query: 'x', section: 'nowhere' }],
    ]
    for (const [tool, args] of cases) {
      const { text, isError } = await sample.call(tool, args)
      assert.equal(isError, false)
      answers[`${tool} ${JSON.stringify(args)}`] = text
    }
    checkGolden('documents/misses.json', `${JSON.stringify(answers, null, 2)}\n`)
  })

  test('collections go by alias and by id in every tool', async () => {
    const [{ id } = { id: '' }] = await sample.library.store.sources()
    const document = 'guides/api-reference.md'
    for (const [tool, args] of [
      ['documents_list_documents', {}],
      ['documents_get_document', { document }],
      ['documents_get_outline', { document }],
      ['documents_get_section', { document, section: 'Errors' }],
      ['documents_find_related', { document }],
    ] as const)
      assert.deepEqual(
        await sample.ask(tool, { ...args, collection: id }),
        await sample.ask(tool, { ...args, collection: 'library' }),
      )
    assert.deepEqual(
      await sample.ask('documents_search', { query: 'outbox', collections: [id] }),
      await sample.ask('documents_search', { query: 'outbox', collections: ['library'] }),
    )
  })

  test('an empty list of collections means all', async (t) => {
    const { ask } = await small(t, { 'a.md': '# A\n\nthe outbox' })
    const [row] = await ask<Row[]>('documents_search', { query: 'outbox', collections: [] })
    assert.equal(row?.documentId, 'a.md')
    const queries = [{ query: 'outbox', collections: [] }]
    const { results } = await ask<{ results: { results: Row[] }[] }>('documents_search_batch', { queries })
    assert.equal(results[0]?.results[0]?.documentId, 'a.md')
    const inOne = { query: 'outbox', collections: [], document: 'a.md' }
    assert.equal((await ask<Row[]>('documents_search', inOne)).length, 1)
  })

  test('a document is found by every name that a tool gives it', async () => {
    for (const document of ['README.md', './README.md', 'library:README.md', '/README.md']) {
      const answer = await sample.ask<DocumentAnswer>('documents_get_document', {
        collection: 'library',
        document,
      })
      assert.equal(answer.title, 'The Lantern sample library', document)
    }
  })
})

describe('freshness', () => {
  const address = { collection: 'library', document: 'a.md' }

  test('reading shows the present text of the file', async (t) => {
    const { ask, root } = await small(t, { 'a.md': '# Old\n\nalpha', 'b.md': '# B\n\nbeta' })
    writeFileSync(join(root, 'a.md'), '# New\n\ngamma\n\n## More\n\nx')
    const read = await ask<DocumentAnswer>('documents_get_document', address)
    assert.equal(read.title, 'New')
    writeFileSync(join(root, 'a.md'), '# Newer\n\ngamma\n\n## Yet more\n\nx')
    const { outline } = await ask<{ outline: Heading[] }>('documents_get_outline', address)
    assert.deepEqual(
      outline.map(({ text }) => text),
      ['Newer', 'Yet more'],
    )
  })

  test('a hit is searched again when its file changed', async (t) => {
    const { ask, root } = await small(t, { 'a.md': '# A\n\nalpha beta', 'b.md': '# B\n\nbeta' })
    writeFileSync(join(root, 'a.md'), '# A\n\nsomething about omega')
    const rows = await ask<Row[]>('documents_search', { query: 'alpha', limit: 5 })
    assert.ok(rows.every(({ content }) => !content.includes('alpha')))
    const [omega] = await ask<Row[]>('documents_search', { query: 'omega', limit: 1 })
    assert.equal(omega?.documentId, 'a.md')
  })

  test('a deleted file is gone from answers', async (t) => {
    const { ask, root } = await small(t, { 'a.md': '# A\n\nalpha', 'b.md': '# B\n\nbeta' })
    rmSync(join(root, 'a.md'))
    assert.deepEqual(
      (await ask<Row[]>('documents_search', { query: 'alpha', weak: true })).map((row) => row.documentId),
      ['b.md'],
    )
    assert.match(
      await ask<string>('documents_get_document', address),
      /^Document "a.md" not found in collection "library"\./,
    )
  })

  test('deleted files do not come up from below those that were shown first', async (t) => {
    const files: Files = { 'z.md': '# Z\n\nA long page that has a yak somewhere.' }
    for (let i = 0; i < 12; i++) files[`d${i}.md`] = `# Yak\n\nyak number ${i}`
    const { ask, root } = await small(t, files)
    for (let i = 0; i < 12; i++) rmSync(join(root, `d${i}.md`))
    const rows = await ask<Row[]>('documents_search', { query: 'yak', limit: 3 })
    assert.deepEqual(
      rows.map(({ documentId }) => documentId),
      ['z.md'],
    )
  })

  test('a file that can no longer be read is shown as it was, and says so', async (t) => {
    const { ask, root } = await small(t, { 'a.md': '# A\n\nalpha' })
    rmSync(root, { recursive: true })
    const answer = await ask<DocumentAnswer>('documents_get_document', address)
    assert.equal(answer.content, '# A\n\nalpha')
    assert.match(
      answer.note ?? '',
      /^a\.md changed since it was indexed, and this is the older text: There is no folder/,
    )
  })
})
