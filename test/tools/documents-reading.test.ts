import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type DocumentAnswer,
  type Heading,
  type Row,
  type SectionAnswer,
  sample,
  small,
  twoShelves,
} from './documents-world.js'

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

test('a collection is also found by the name of its folder on disk', async (t) => {
  const files = { 'My Vault ü/a.md': '# Kiwi', '資料/a.md': '# Takahe', 'old/資料/a.md': '# Moa' }
  const folders = {
    'My-Vault-ü': { path: 'My Vault ü' },
    資料: { path: '資料' },
    older: { path: 'old/資料' },
  }
  const { ask } = await small(t, files, { folders })
  const titleIn = async (collection: string) => {
    const found = await ask<DocumentAnswer | string>('documents_get_document', {
      collection,
      document: 'a.md',
    })
    return typeof found === 'string' ? found : found.title
  }
  for (const name of ['My-Vault-ü', 'My Vault ü', 'My Vault u\u0308', 'My-Vault-u\u0308'])
    assert.equal(await titleIn(name), 'Kiwi', name)
  assert.deepEqual([await titleIn('資料'), await titleIn('older')], ['Takahe', 'Moa'])
  assert.match(await titleIn('My Vault'), /^Collection "My Vault" not found/)
})

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

  test('returns headings with levels and lines, to the requested depth', async (t) => {
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

  test('names each of several uniquely, even if a heading has such a name', async (t) => {
    const headings = [
      ['Part', 'Part (2)', 'Part'],
      ['Part', 'Part', 'Part (2)', 'Part (2)', 'Part (2) (2)', 'Part (3)', 'Part'],
      ['Part', 'T / Part (2)', 'Part (2) ', 'Part'],
    ]
    const text = (all: string[]) => `# T\n\n${all.map((one, i) => `## ${one}\n\nlantern ${i}\n\n`).join('')}`
    const files = Object.fromEntries(headings.map((all, i) => [`${i}.md`, text(all)]))
    const { ask } = await small(t, files, { embedding: false })
    for (const [n, all] of headings.entries()) {
      const read = (section: string) =>
        ask<SectionAnswer>('documents_get_section', { collection: 'library', document: `${n}.md`, section })
      const { note } = await read('Part')
      const names = [...note!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!)
      const found = await Promise.all(
        names.map(async (name) => (await read(name)).content.match(/lantern (\d+)/)?.[1]),
      )
      const others = all.flatMap((one, i) => (one === 'Part' && i > 0 ? [`${i}`] : []))
      assert.deepEqual(found, others, String(names))
    }
  })

  test('names each of several uniquely, even if they have the same name', async (t) => {
    const example = (n: number) => `## Endpoint\n\n### TCP/IP\n\nlantern ${n}\n\n`
    const { ask } = await small(t, {
      'a.md': `# API\n\n${example(1)}${example(2)}# TCP/IP\n\nlantern 3\n\n# TCP/IP\n\nlantern 4\n`,
      'b.md': '# A\n\n## Part\n\none\n\n## Part\n\ntwo\n\n## Part (2)\n\nthree\n',
    })
    const read = (section: string, document = 'a.md') =>
      ask<SectionAnswer>('documents_get_section', { collection: 'library', document, section })
    const { content, note } = await read('tcp/ip')
    const names = [...note!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!)
    assert.deepEqual(names, ['API / Endpoint / TCP/IP (2)', 'TCP/IP (3)', 'TCP/IP (4)'])
    const found = await Promise.all(names.map((name) => read(name)))
    assert.deepEqual(
      [content, ...found.map((one) => one.content)].map((text) => text.match(/lantern (\d)/)?.[1]),
      ['1', '2', '3', '4'],
    )
    assert.deepEqual(
      found.map((one) => one.note),
      [undefined, undefined, undefined],
    )
    assert.match((await read('Part (2)', 'b.md')).content, /three/)
    assert.match(String(await read('TCP/IP (5)')), /not found/)
    const search = { query: 'lantern', document: 'a.md' }
    const [second] = await ask<Row[]>('documents_search', { ...search, section: names[0] })
    assert.match(second!.content, /lantern 2/)
    const [first] = await ask<Row[]>('documents_search', { ...search, section: 'Endpoint' })
    assert.match(first!.note!, /The first of 2 that fit; also "API \/ Endpoint \(2\)"/)
  })
})

describe('documents_get_document', () => {
  test('says which part of its file is missing, as a search does', async (t) => {
    const rows = Array.from({ length: 10_050 }, (_, i) => `${i},otter`)
    const { ask } = await small(t, { 'long.csv': `id,name\n${rows.join('\n')}\n`, 'a.md': '# Wombat' })
    const reason = 'Only the first 10000 of 10051 rows are kept.'
    const note = async (document: string) =>
      (
        await ask<DocumentAnswer>('documents_get_document', {
          collection: 'library',
          document,
          max_tokens: 100,
        })
      ).note
    assert.ok((await note('long.csv'))?.includes(reason))
    assert.equal(await note('a.md'), undefined)
    const [row] = await ask<Row[]>('documents_search', { query: 'otter' })
    assert.ok(row?.note?.includes(`long.csv: ${reason}`), row?.note)
  })

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

  test('takes a path that is written out before one that only lacks the ending of a note', async (t) => {
    const { ask } = await small(t, {
      LICENSE: 'All rights reserved.\n',
      'LICENSE.md': '# Licence\n',
      'plan.md': '# Plan\n',
    })
    for (const [document, text] of [
      ['LICENSE', 'All rights reserved.\n'],
      ['plan', '# Plan\n'],
      ['./plan', '# Plan\n'],
    ]) {
      const { content } = await ask<DocumentAnswer>('documents_get_document', {
        collection: 'library',
        document,
      })
      assert.equal(content, text)
    }
  })

  test('lists what comes first where there is a title and too much below it', async (t) => {
    const headings = Array.from({ length: 200 }, (_, i) => `## Part ${i}\n\n${'word '.repeat(200)}\n`)
    const { ask } = await small(t, { 'long.md': `# Title\n\n${headings.join('\n')}` })
    const address = { collection: 'library', document: 'long.md' }
    const { outline, note } = await ask<DocumentAnswer>('documents_get_document', address)
    assert.equal(outline?.length, 150)
    assert.match(note ?? '', /The outline has 150 of 201 headings; documents_get_outline has all of them\.$/)
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

  test('says why a file is no document, until it changes', async (t) => {
    const { ask, root } = await small(t, { 'a.md': '# A', 'b.md': 'a\0b' })
    const textNow = async () =>
      ask<string>('documents_get_document', { collection: 'library', document: './b.md' })
    assert.match(
      await textNow(),
      /^Document ".\/b.md" not found in .* Its file was not taken in: This is a binary file/,
    )
    rmSync(join(root, 'b.md'))
    assert.doesNotMatch(await textNow(), /taken in/)
  })

  test('says where its text had to be guessed', async (t) => {
    const { ask } = await small(t, { 'a.ipynb': '{"cells": [' })
    const { note } = await ask<DocumentAnswer>('documents_get_document', {
      collection: 'library',
      document: 'a.ipynb',
    })
    assert.match(note ?? '', /^The notebook is not valid JSON/)
  })

  test('begins a line that is longer than a part at once', async (t) => {
    const { ask } = await small(t, { 'line.md': `# Short\n\n${'word '.repeat(4_000)}` })
    const address = { collection: 'library', document: 'line.md', max_tokens: 1_000 }
    const { content, note } = await ask<DocumentAnswer>('documents_get_document', address)
    assert.ok(content.length > 2_000, `only ${content.length} characters`)
    assert.match(note ?? '', /^Lines 1-3 of 3\./)
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
    const pageAt = async (cursor: string) => ask<string>('documents_get_document', { ...address, cursor })
    assert.match(await pageAt(`999999999.${version}`), /^The cursor points past the end\. Call again without/)
    for (const odd of ['', '-1', 'x', '12', '1.zzzzzzzz', '../etc/passwd'])
      assert.match(await pageAt(odd), /^The cursor is not one that was returned here/)
    writeFileSync(join(root, 'a.md'), `${long}more\n`)
    assert.match(await pageAt(nextCursor!), /^The document changed since the cursor was returned/)
  })
})
