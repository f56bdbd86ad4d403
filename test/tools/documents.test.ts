import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Surface } from '../../src/surfaces/mcp/server.js'
import { flawsOf } from '../../src/tools/check.js'
import { documentsToolset } from '../../src/tools/documents/toolset.js'
import { executor } from '../../src/tools/executor.js'
import { inputSchemaOf, outputSchemaOf } from '../../src/tools/json-schema.js'
import { toolsetWorld, type WorldOptions } from '../support/toolset-world.js'
import type { Files } from '../support/world.js'
import { everyExample } from './every-example.js'
import { checkGolden } from './golden.js'
import { tokenCost } from './token-cost.js'

interface Row {
  collection: string
  collectionId?: string
  documentId: string
  documentTitle: string
  sectionHeading?: string
  content: string
  relevanceScore: number
  distance: number | null
  chunkIndex: number
  totalChunks: number
  lines: [number, number]
  note?: string
}
interface Heading {
  level: number
  text: string
  line: number
}
interface DocumentAnswer {
  content: string
  title: string
  outline?: Heading[]
  nextCursor?: string
  note?: string
}
interface SectionAnswer {
  section: string
  level: number
  content: string
  startLine: number
  endLine: number
  nextCursor?: string
  note?: string
}
interface Related {
  source: { collection: string; document: string }
  related: { collection: string; document: string; content: string; relevanceScore: number }[]
  note?: string
}

const sample = await toolsetWorld(documentsToolset, {
  folders: { library: { path: '.', description: 'How Lantern works' } },
})
after(() => sample.close())

async function small(t: { after(fn: () => Promise<void>): void }, files: Files, options: WorldOptions = {}) {
  const world = await toolsetWorld(documentsToolset, { files, ...options })
  t.after(() => world.close())
  return world
}

describe('the records', () => {
  test('are sound, and cost a model little', () => {
    assert.deepEqual(flawsOf(documentsToolset), [])
    const cost = tokenCost(sample.registry)
    assert.ok(cost.model <= 1_200, `${cost.model} tokens`)
    assert.ok(cost.list <= 2_500, `${cost.list} tokens in the whole list`)
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

describe('documents_list_collections', () => {
  test('returns description, version and counts', async (t) => {
    const { ask, library } = await small(t, { 'a/x.md': '# X', 'b/y.md': '# Y', 'b/z.md': '# Z' }, twoShelves)
    const [source] = (await library.store.sources()).filter(({ name }) => name === 'second')
    await library.store.putSource({ ...source!, version: '2.1.0' })
    const list = await ask<Record<string, unknown>[]>('documents_list_collections')
    assert.deepEqual(
      list.map(({ collectionId, ...rest }) => rest),
      [
        { collection: 'first', documentCount: 1, description: 'The first shelf' },
        { collection: 'second', documentCount: 2, version: '2.1.0' },
      ],
    )
    assert.equal(list[1]?.collectionId, source!.id)
  })
})

const twoShelves = {
  folders: { second: { path: 'b' }, first: { path: 'a', description: 'The first shelf' } },
}

describe('documents_list_documents', () => {
  interface List {
    documents: { id: string; title: string; size: number }[]
    total: number
    hasMore: boolean
  }

  test('lists all documents by id, with titles and sizes in characters', async (t) => {
    const files = {
      'b.md': 'Setext\n===\n\nTëxt 😀',
      'a/plain-words.txt': 'no heading',
      'c.md': '# `C` *now*\n',
    }
    const { ask } = await small(t, files)
    const { documents, total, hasMore } = await ask<List>('documents_list_documents', {
      collection: 'library',
    })
    assert.deepEqual(documents, [
      { id: 'a/plain-words.txt', title: 'Plain words', size: 10 },
      { id: 'b.md', title: 'Setext', size: files['b.md'].length },
      { id: 'c.md', title: 'C now', size: files['c.md'].length },
    ])
    assert.deepEqual([total, hasMore], [3, false])
  })

  test('pages through everything once, in order, whatever the page', async () => {
    const all = await sample.ask<List>('documents_list_documents', { collection: 'library', limit: 1000 })
    for (const limit of [1, 7, 50, 106, 107]) {
      const ids: string[] = []
      for (let offset = 0; ; offset += limit) {
        const page = await sample.ask<List>('documents_list_documents', {
          collection: 'library',
          limit,
          offset,
        })
        ids.push(...page.documents.map(({ id }) => id))
        assert.equal(page.total, all.total)
        assert.equal(page.hasMore, offset + limit < all.total)
        if (!page.hasMore) break
      }
      assert.deepEqual(
        ids,
        all.documents.map(({ id }) => id),
      )
    }
    assert.deepEqual(ids(all), [...ids(all)].sort())
  })

  test('answers an offset past the end with an empty page', async () => {
    const page = await sample.ask<List>('documents_list_documents', { collection: 'library', offset: 99_999 })
    assert.deepEqual([page.documents, page.hasMore], [[], false])
    assert.ok(page.total > 100)
  })

  const ids = ({ documents }: List) => documents.map(({ id }) => id)
})

describe('documents_get_outline', () => {
  const text =
    '# Top\n\nx\n\n```\n# no heading\n```\n\nSub\n---\n\n### Deep\n\n#### Deeper\n\n###### Deepest\n'

  test('returns headings with levels and lines, to the depth asked for', async (t) => {
    const { ask } = await small(t, { 'a.md': text })
    const of = async (maxDepth?: number) => {
      const args = { collection: 'library', document: 'a.md', ...(maxDepth ? { maxDepth } : {}) }
      const { title, outline } = await ask<{ title: string; outline: Heading[] }>(
        'documents_get_outline',
        args,
      )
      assert.equal(title, 'Top')
      return outline.map(({ level, text: heading, line }) => `${level} ${heading} ${line}`)
    }
    assert.deepEqual(await of(), ['1 Top 1', '2 Sub 9', '3 Deep 12'])
    assert.deepEqual(await of(1), ['1 Top 1'])
    assert.deepEqual(await of(6), ['1 Top 1', '2 Sub 9', '3 Deep 12', '4 Deeper 14', '6 Deepest 16'])
  })

  test('has no headings for a document without any', async (t) => {
    const { ask } = await small(t, { 'a.txt': 'words', 'empty.md': '' })
    for (const document of ['a.txt', 'empty.md']) {
      const { outline } = await ask<{ outline: Heading[] }>('documents_get_outline', {
        collection: 'library',
        document,
      })
      assert.deepEqual(outline, [])
    }
  })
})

describe('documents_get_section', () => {
  const text = [
    ...[
      '# Guide',
      'intro',
      '',
      '## Install',
      'run it',
      '',
      '### Linux',
      'apt',
      '',
      '## Install notes',
      'see',
      '',
    ],
    ...['## Linux', 'tux', '', '## Use', '### Install', 'again'],
  ].join('\n')

  test('returns exactly the lines it names', async (t) => {
    const { ask } = await small(t, { 'a.md': text, 'crlf.md': text.replaceAll('\n', '\r\n') })
    const check = async (section: string, lines: [number, number], more: Record<string, unknown> = {}) => {
      const args = { collection: 'library', document: 'a.md', section, ...more }
      const { startLine, endLine, content, level } = await ask<SectionAnswer>('documents_get_section', args)
      assert.deepEqual([startLine, endLine], lines, section)
      assert.equal(
        content,
        text
          .split('\n')
          .slice(lines[0] - 1, lines[1])
          .join('\n'),
      )
      assert.equal(level, content.indexOf(' '))
      const windows = await ask<SectionAnswer>('documents_get_section', { ...args, document: 'crlf.md' })
      assert.equal(windows.content, content.replaceAll('\n', '\r\n').replace(/\r$/, ''))
    }
    await check('Install', [4, 9])
    await check('install', [4, 9])
    await check('## Install', [4, 9])
    await check('Install', [4, 6], { includeSubsections: false })
    await check('Guide', [1, 18])
    await check('Guide', [1, 3], { includeSubsections: false })
    await check('notes', [10, 12])
    await check('Use / Install', [17, 18])
    await check('Guide > Use > Install', [17, 18])
    await check('linux', [7, 9])
  })

  test('says when the name fits several sections', async (t) => {
    const { ask } = await small(t, { 'a.md': text })
    const answer = await ask<SectionAnswer>('documents_get_section', {
      collection: 'library',
      document: 'a.md',
      section: 'Install',
    })
    assert.equal(answer.note, 'The first of 2 that fit; also "Guide / Use / Install".')
  })
})

describe('documents_get_document', () => {
  const long = Array.from({ length: 3000 }, (_, n) =>
    n % 20 === 0 ? `## Part ${n / 20}\n` : `Line ${n} has a few words, läßt 😀 auch andere zu.\n`,
  ).join('')

  test('returns a whole document', async () => {
    const answer = await sample.ask<DocumentAnswer>('documents_get_document', {
      collection: 'library',
      document: 'notes/concepts/outbox.md',
    })
    assert.ok(answer.content.endsWith('\n') && answer.content.startsWith('---\ntitle: The outbox'))
    assert.equal(answer.nextCursor, undefined)
  })

  test('gives a very long one in parts that join to the whole', async (t) => {
    const { ask } = await small(t, { 'long.md': long, 'one-line.txt': '😀'.repeat(30_000) })
    const address = { collection: 'library', document: 'long.md' }
    const first = await ask<DocumentAnswer>('documents_get_document', address)
    assert.equal(first.outline?.length, 150)
    assert.match(
      first.note ?? '',
      /^Lines 1-\d+ of 3000\. Get the next part with cursor = nextCursor, or one section/,
    )
    for (const [document, whole, max_tokens] of [
      ['long.md', long, 5000],
      ['one-line.txt', '😀'.repeat(30_000), 10_001],
    ] as const) {
      let joined = ''
      for (let cursor: string | undefined, parts = 0; parts < 50; parts++) {
        const args = { ...address, document, max_tokens, ...(cursor ? { cursor } : {}) }
        const part = await ask<DocumentAnswer>('documents_get_document', args)
        assert.ok(part.content.length > 0 && !/^[\udc00-\udfff]/.test(part.content))
        joined += part.content
        cursor = part.nextCursor
        if (!cursor) break
      }
      assert.equal(joined, whole)
    }
  })

  test('continues a long section by cursor', async (t) => {
    const { ask } = await small(t, { 'long.md': `# All\n${long}` })
    let joined = ''
    let line = 1
    for (let cursor: string | undefined; ; ) {
      const part = await ask<SectionAnswer>('documents_get_section', {
        ...{ collection: 'library', document: 'long.md', section: 'All', max_tokens: 9000 },
        ...(cursor ? { cursor } : {}),
      })
      assert.equal(part.startLine, line)
      line = part.endLine + 1
      joined += part.content
      cursor = part.nextCursor
      if (!cursor) break
    }
    assert.equal(`${joined}\n`, `# All\n${long}`)
  })

  test('refuses a cursor that is past the end, malformed or of another version', async (t) => {
    const { ask, root } = await small(t, { 'a.md': long })
    const address = { collection: 'library', document: 'a.md', max_tokens: 100 }
    const { nextCursor } = await ask<DocumentAnswer>('documents_get_document', address)
    const version = nextCursor!.split('.')[1]
    const says = async (cursor: string) => ask<string>('documents_get_document', { ...address, cursor })
    assert.match(await says(`999999999.${version}`), /^The cursor points past the end\. Call again without/)
    for (const odd of ['', '-1', 'x', '12', '1.zzzzzzzz', '../etc/passwd'])
      assert.match(await says(odd), /^The cursor is not one that was returned here/)
    writeFileSync(join(root, 'a.md'), `${long}more\n`)
    assert.match(await says(nextCursor!), /^The document changed since the cursor was returned/)
  })
})

describe('documents_search', () => {
  test('fills in every field', async () => {
    const rows = await sample.ask<Row[]>('documents_search', { query: 'retry budget', limit: 5 })
    assert.equal(rows.length, 5)
    const [{ id } = { id: '' }] = await sample.library.store.sources()
    for (const row of rows) {
      assert.deepEqual([row.collection, row.collectionId], ['library', id])
      const document = await sample.library.store.document({ source: id, path: row.documentId })
      assert.equal(row.documentTitle, document?.title)
      assert.equal(row.totalChunks, document?.chunkCount)
      assert.ok(row.chunkIndex >= 1 && row.chunkIndex <= row.totalChunks)
      const lines = document!.text
        .split('\n')
        .slice(row.lines[0] - 1, row.lines[1])
        .join('\n')
      assert.ok(lines.includes(row.content.split('\n')[0]!))
      assert.ok(row.distance !== null && row.distance >= 0 && row.distance <= 2)
      assert.ok(row.relevanceScore >= 0 && row.relevanceScore <= 1)
    }
    const scores = rows.map(({ relevanceScore }) => relevanceScore)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.ok(rows.some(({ sectionHeading }) => sectionHeading))
  })

  test('cuts to a budget and says how to get the rest', async () => {
    const all = await sample.ask<Row[]>('documents_search', { query: 'quiet hours', limit: 10 })
    for (const max_tokens of [50, 90, 200, 400]) {
      const args = { query: 'quiet hours', limit: 10, max_tokens }
      const cut = await sample.ask<Row[]>('documents_search', args)
      const left = all.length - cut.length
      assert.equal(
        cut[0]?.note,
        left > 0 ? `${left} more ${left > 1 ? 'passages' : 'passage'} did not fit max_tokens.` : undefined,
      )
      const shown = cut.map(({ content }) => content.replace(/\n\[cut to fit; .*\]$/, ''))
      for (const [i, text] of shown.entries()) {
        assert.ok(all[i]!.content.startsWith(text))
        const rest = /\[cut to fit; lines \d+-\d+: documents_get_(section|document) has .+\]$/
        if (text.length < all[i]!.content.length) assert.match(cut[i]!.content, rest)
      }
      assert.ok(shown.join('').length <= max_tokens * 4)
    }
  })

  test('answers without a model by words, says so, and does not make up distances', async (t) => {
    const { ask } = await small(t, { 'a.md': '# A\n\nquiet hours' }, { embedding: false })
    const [row] = await ask<Row[]>('documents_search', { query: 'quiet', hybridSearch: false })
    assert.equal(row?.distance, undefined)
    assert.equal(row?.note, 'No embedding model is set up; these hits are by words.')
    assert.match(
      await ask<string>('documents_search', { query: 'quiet', maxDistance: 0.5 }),
      /search without maxDistance/,
    )
    const near = await ask<Related>('documents_find_related', { collection: 'library', document: 'a.md' })
    assert.equal(near.note, 'These passages are related by words, not by meaning.')
  })

  test('looks only below a heading of a document', async () => {
    const place = { document: 'guides/api-reference.md', section: 'Notifications' }
    const rows = await sample.ask<Row[]>('documents_search', {
      query: 'errors of webhook endpoints',
      ...place,
      limit: 50,
    })
    assert.ok(rows.length > 1)
    for (const { lines, documentId } of rows) {
      assert.equal(documentId, place.document)
      assert.ok(lines[0] >= 72 && lines[1] < 142, String(lines))
    }
  })

  describe('in small sections that share a passage', () => {
    const restore = 'Stop the server, load the last dump and start it again. '.repeat(4)
    const files = {
      'g.md': `# Guide\n\n## Backup\n\nRun pg_dump nightly with serval.\n\n## Restore\n\n${restore}\n`,
      'h.md': 'Top\n===\n\nOkapi.\n\nLeft\n----\n\nTapir one.\n\nRight\n-----\n\nTapir, lemur, tapir.\n',
    }

    test('names the heading above what was found', async (t) => {
      const headings = {
        serval: 'Backup',
        'nightly pg_dump': 'Backup',
        '"start it again"': 'Restore',
        guide: 'Guide',
        okapi: 'Top',
        'tapir one': 'Left',
        lemur: 'Right',
        tapir: 'Right',
      }
      for (const embedding of [false, true]) {
        const { ask } = await small(t, files, { embedding })
        for (const [query, heading] of Object.entries(headings)) {
          const [row] = await ask<Row[]>('documents_search', { query, limit: 1 })
          assert.equal(row?.sectionHeading, heading, query)
        }
      }
    })

    test('looks only at the text below the heading that was asked for', async (t) => {
      const { ask } = await small(t, files, { embedding: false })
      const found = async (query: string, section: string, document = 'g.md') =>
        (await ask<Row[]>('documents_search', { query, document, section })).map(
          ({ sectionHeading, lines, content, note }) => ({
            place: `${sectionHeading} ${lines.join('-')}`,
            content,
            note,
          }),
        )
      assert.deepEqual(await found('serval', 'Restore'), [])
      assert.deepEqual(await found('serval', 'Backup'), [
        { place: 'Backup 3-5', content: '## Backup\n\nRun pg_dump nightly with serval.', note: undefined },
      ])
      assert.deepEqual(await found('"nightly with"', 'Restore'), [])
      const [missed] = await found('"server with"', 'Restore')
      assert.deepEqual([missed?.place, missed?.note?.includes('stands nowhere')], ['Restore 7-9', true])
      const [whole] = await found('serval', 'Guide')
      assert.equal(whole?.place, 'Backup 1-9')
      assert.equal((await found('tapir', 'Left', 'h.md'))[0]?.place, 'Left 6-9')
      assert.deepEqual(await found('lemur', 'Left', 'h.md'), [])
    })
  })

  test('copies of a text take one place, in every mode', async (t) => {
    const files: Files = {}
    for (let i = 0; i < 130; i++) files[`p${i}/LICENSE.md`] = '# License\n\nThe license of this part.'
    for (let i = 0; i < 5; i++)
      files[`d${i}.md`] = `# D${i}\n\nNumber ${i} has a license too, says page ${i}.`
    const { ask } = await small(t, files)
    for (const more of [{}, { hybridSearch: false }, { maxDistance: 2 }, { rerank: true }]) {
      const rows = await ask<Row[]>('documents_search', { query: 'license', limit: 6, ...more })
      assert.equal(new Set(rows.map(({ content }) => content)).size, 6, JSON.stringify(more))
    }
    const address = { collection: 'library', document: 'p0/LICENSE.md', limit: 5 }
    assert.equal((await ask<Related>('documents_find_related', address)).related.length, 5)
  })

  test('takes queries of any length and shape', async () => {
    for (const query of [
      'x'.repeat(10_000),
      'word '.repeat(2_000),
      '"',
      '\0',
      '(((',
      '😀',
      'NEAR(a b)',
      "'; --",
    ]) {
      const rows = await sample.ask<Row[]>('documents_search', { query, limit: 3 })
      assert.ok(Array.isArray(rows), query.slice(0, 20))
    }
    for (const query of ['', '  \n'])
      assert.equal(
        await sample.ask<string>('documents_search', { query }),
        'The query is empty. Say in words what to look for.',
      )
  })

  test('says that nothing is indexed', async (t) => {
    const { ask } = await small(t, { '.gitignore': '*' })
    assert.equal(
      await ask<string>('documents_search', { query: 'x' }),
      'Nothing is indexed yet: run "carrel index".',
    )
  })
})

describe('documents_search_batch', () => {
  const queries = ['quiet hours', 'webhook signatures', 'outbox', 'quiet hours'].map((query) => ({ query }))

  test('gives each query what a search gives', async () => {
    const { results } = await sample.ask<{ results: { query: string; results: Row[] }[] }>(
      'documents_search_batch',
      {
        queries,
      },
    )
    assert.deepEqual(
      results.map(({ query }) => query),
      queries.map(({ query }) => query),
    )
    for (const { query, results: rows } of results)
      assert.deepEqual(rows, await sample.ask<Row[]>('documents_search', { query, limit: 5 }))
  })

  test('gives ten queries at once what each gets alone, in every mode and scope', async () => {
    const many = [
      'how are reminders retried when delivery fails',
      '"quiet hours" of a tenant',
      'outbox',
      'restore a backup',
      'clock skew',
      'retryPolicy backoff',
      'no such word anywhere zzqx',
      'schedule',
      'webhook signatures',
      'how are reminders retried when delivery fails',
    ].map((query, i) => ({ query, ...(i % 3 === 2 ? { collections: ['library'] } : {}) }))
    for (const options of [{ limit: 5 }, { limit: 50 }, { hybridSearch: false }, { maxDistance: 0.8 }]) {
      const { results } = await sample.ask<{ results: { query: string; results: Row[] }[] }>(
        'documents_search_batch',
        { queries: many, ...options },
      )
      for (const [i, { results: rows }] of results.entries())
        assert.deepEqual(
          rows,
          await sample.ask<Row[]>('documents_search', { limit: 5, ...many[i], ...options }),
        )
    }
  })

  test('asks the model once for all of them', async () => {
    const { library, registry } = sample
    const calls: number[] = []
    const embedder = {
      ...library.embedder!,
      embed: (...given: Parameters<NonNullable<typeof library.embedder>['embed']>) => {
        calls.push(given[0].length)
        return library.embedder!.embed(...given)
      },
    }
    const services = { library: { ...library, embedder } }
    const exposed = registry.tool('documents_search_batch')
    await executor().call(exposed, services, { queries }, { client: { id: 'x' } })
    assert.deepEqual(calls, [3])
  })

  test('takes one to ten queries', async () => {
    for (const count of [0, 11]) {
      const many = Array.from({ length: count }, () => ({ query: 'x' }))
      const { isError, text } = await sample.call('documents_search_batch', { queries: many })
      assert.ok(isError)
      assert.match(text, /^queries: expected a list of at (most 10 items|least 1 item), got a list of \d+\./)
    }
  })

  test('answers the others when one cannot be met', async () => {
    const { results } = await sample.ask<{ results: { results: Row[]; note?: string }[] }>(
      'documents_search_batch',
      {
        queries: [{ query: 'outbox', collections: ['libary'] }, { query: '' }, { query: 'outbox' }],
      },
    )
    assert.deepEqual(
      results.map((one) => one.results.length),
      [0, 0, 5],
    )
    assert.equal(results[0]?.note, 'Collection "libary" not found. Did you mean "library"?')
    assert.match(results[1]?.note ?? '', /^The query is empty/)
  })
})

describe('documents_find_related', () => {
  const files = {
    'a/tea.md': `# Tea\n\n${'Green tea leaves steep in hot water. '.repeat(40)}\n\n## Kettle\n\n${'Boil fresh water. '.repeat(50)}The kettle boils water for tea.`,
    'a/ships.md': '# Ships\n\nFerries sail at dawn from the harbour.',
    'b/coffee.md': '# Coffee\n\nHot water, beans, and leaves of tea beside the kettle.',
    'b/stars.md': '# Stars\n\nConstellations wheel above the mountains.',
  }
  const tea = { collection: 'first', document: 'tea.md' }

  test('finds what is nearest in all collections, never the document itself', async (t) => {
    const { ask } = await small(t, files, twoShelves)
    const { source, related } = await ask<Related>('documents_find_related', tea)
    assert.deepEqual([source.collection, source.document], ['first', 'tea.md'])
    assert.deepEqual([related[0]?.collection, related[0]?.document], ['second', 'coffee.md'])
    assert.ok(related.every(({ document }) => document !== 'tea.md'))
    const scores = related.map(({ relevanceScore }) => relevanceScore)
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
  })

  test('includes the document when asked to, but not the passage that was asked about', async (t) => {
    const { ask } = await small(t, files, twoShelves)
    const same = await ask<Related>('documents_find_related', { ...tea, sameDocument: true })
    assert.ok(same.related.some(({ document }) => document === 'tea.md'))
    const chunk = 'The kettle boils water for tea.'
    const near = await ask<Related>('documents_find_related', { ...tea, chunk, sameDocument: true })
    assert.ok(near.related.every(({ content }) => !content.includes(chunk)))
    assert.ok(near.related.some(({ document }) => document === 'tea.md'))
  })

  test('compares a passage that stands nowhere by its words', async (t) => {
    const { ask } = await small(t, files, twoShelves)
    const { related } = await ask<Related>('documents_find_related', {
      ...tea,
      chunk: 'constellations above mountains',
    })
    assert.equal(related[0]?.document, 'stars.md')
  })

  test('keeps to the limit', async () => {
    for (const limit of [1, 3, 20]) {
      const { related } = await sample.ask<Related>('documents_find_related', {
        ...{ collection: 'library', document: 'notes/glossary.md' },
        limit,
      })
      assert.equal(related.length, limit)
    }
  })
})

describe('names', () => {
  test('misses are sentences that offer the closest', async () => {
    const said: Record<string, unknown> = {}
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
      said[`${tool} ${JSON.stringify(args)}`] = text
    }
    checkGolden('documents/misses.json', `${JSON.stringify(said, null, 2)}\n`)
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

  test('a document goes by the name any tool gives it', async () => {
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

  test('what is read is what the file says now', async (t) => {
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
      (await ask<Row[]>('documents_search', { query: 'alpha' })).map((row) => row.documentId),
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
