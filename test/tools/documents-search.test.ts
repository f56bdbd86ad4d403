import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { documentIdOf } from '../../src/answer/addresses.js'
import { storeSessions } from '../../src/answer/memory/memory.js'
import { type Session, sessionKind } from '../../src/answer/memory/records.js'
import { fillVectors } from '../../src/answer/vectors.js'
import { executor } from '../../src/server/executor.js'
import { estimateTokens } from '../../src/text/tokens.js'
import type { Files } from '../support/world.js'
import { type Related, type Row, sample, small, twoShelves } from './documents-world.js'

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
    for (const max_tokens of [50, 80, 90, 150, 200, 400]) {
      const args = { query: 'quiet hours', limit: 10, max_tokens }
      const cut = await sample.ask<Row[]>('documents_search', args)
      const left = all.length - cut.length
      assert.equal(
        cut[0]?.note,
        left > 0 ? `${left} more ${left > 1 ? 'passages' : 'passage'} did not fit max_tokens.` : undefined,
      )
      const shown = cut.map(({ content }) => content.replace(/\n\[cut from lines .*\]$/, ''))
      for (const [i, text] of shown.entries()) {
        assert.ok(all[i]!.content.includes(text))
        const rest = /\[cut from lines \d+-\d+: documents_get_(section|document) has .+\]$/
        if (text.length < all[i]!.content.length) assert.match(cut[i]!.content, rest)
      }
      const tokens = cut.reduce((sum, { content }) => sum + estimateTokens(content), 0)
      assert.ok(tokens <= max_tokens, `${tokens} of ${max_tokens}`)
    }
  })

  test('cuts a passage to the lines around the words of the question, and names the lines it shows', async (t) => {
    const lines = Array.from({ length: 200 }, (_, i) => `export const value${i} = pick(${i})`)
    const { ask } = await small(t, { 'a.ts': lines.join('\n') }, { embedding: false })
    for (const n of [8, 77, 150, 199]) {
      const args = { query: `value${n}`, limit: 1, max_tokens: 100 }
      const [row] = (await ask('documents_search', args)) as Row[]
      const [first, last] = row!.lines
      const shown = row!.content.replace(/\n\[cut from lines .*\]$/, '')
      assert.equal(shown, lines.slice(first! - 1, last).join('\n'))
      assert.ok(first! <= n + 1 && n < last!, `${n}: ${row!.lines}`)
    }
  })

  test('answers without a model by words, says so, and does not make up distances', async (t) => {
    const files = { 'a.md': '# Quiet\n\nquiet hours', 'b.md': '# Rooms\n\nquiet rooms' }
    const { ask } = await small(t, files, { embedding: false })
    const note = 'No embedding model is set up; this search is by words.'
    for (const hybridSearch of [true, false]) {
      const [row] = await ask<Row[]>('documents_search', { query: 'quiet', hybridSearch })
      assert.deepEqual([row?.distance, row?.note], [undefined, note])
    }
    const { results } = await ask<{ results: { note: string }[] }>('documents_search_batch', {
      queries: [{ query: 'quiet' }],
    })
    assert.equal(results[0]!.note, note)
    assert.match(
      await ask<string>('documents_search', { query: 'quiet', maxDistance: 0.5 }),
      /search without maxDistance/,
    )
    const near = await ask<Related>('documents_find_related', { collection: 'library', document: 'a.md' })
    assert.equal(near.note, 'These passages are related by words, not by meaning.')
  })

  test('says that text without vectors is left out if words do not suffice', async (t) => {
    const { ask, call, library } = await small(t, {
      'a.md': '# A\n\nquiet hours',
      'b.md': '# B\n\nloud hours',
    })
    await library.store.vectors.forget(library.embedder!.model)
    const pending = '2 of 2 chunks are not embedded yet;'
    const leftOut = `${pending} a search by meaning or distance leaves them out.`
    const [row] = await ask<Row[]>('documents_search', { query: 'quiet' })
    assert.equal(row?.note, `${pending} they are found by words only.`)
    for (const more of [{ hybridSearch: false }, { maxDistance: 1 }]) {
      const { value, note } = await call('documents_search', { query: 'quiet', ...more })
      assert.deepEqual([value, note], [[], leftOut])
      const many = { queries: [{ query: 'quiet' }], ...more }
      const { results } = await ask<{ results: unknown[] }>('documents_search_batch', many)
      assert.deepEqual(results, [{ query: 'quiet', results: [], note: leftOut }])
    }
  })

  test('has its notes where nothing was found, too', async (t) => {
    const { call } = await small(t, { 'a.md': '# A\n\nserval' }, { embedding: false })
    const query = `${Array.from({ length: 60 }, (_, i) => `nowhere${i}`).join(' ')} serval`
    const { value, note } = await call('documents_search', { query })
    assert.deepEqual(value, [])
    assert.match(note!, /The query is very long; only its first words were looked for\.$/)
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

    test('names the heading above the hit', async (t) => {
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

    test('searches only the text below the requested heading', async (t) => {
      const { ask, call } = await small(t, files, { embedding: false })
      const found = async (query: string, section: string, document = 'g.md') =>
        (await ask<Row[]>('documents_search', { query, document, section })).map(
          ({ sectionHeading, lines, content }) => ({
            place: `${sectionHeading} ${lines.join('-')}`,
            content,
          }),
        )
      assert.deepEqual(await found('serval', 'Restore'), [])
      assert.deepEqual(await found('serval', 'Backup'), [
        { place: 'Backup 3-5', content: '## Backup\n\nRun pg_dump nightly with serval.' },
      ])
      const none = { query: '"nightly with"', document: 'g.md', section: 'Restore' }
      const { value, note } = await call('documents_search', none)
      assert.deepEqual(value, [])
      assert.match(note!, /stands nowhere/)
      const query = '"server with"'
      assert.deepEqual((await found(query, 'Restore'))[0]?.place, 'Restore 7-9')
      const [missed] = await ask<Row[]>('documents_search', { query, document: 'g.md', section: 'Restore' })
      assert.match(missed!.note!, /stands nowhere/)
      const [whole] = await found('serval', 'Guide')
      assert.equal(whole?.place, 'Backup 1-9')
      assert.equal((await found('tapir', 'Left', 'h.md'))[0]?.place, 'Left 6-9')
      assert.deepEqual(await found('lemur', 'Left', 'h.md'), [])
    })
  })

  test('copies of a text take one place, in every mode, and are reported', async (t) => {
    const files: Files = {}
    for (let i = 0; i < 130; i++) files[`p${i}/LICENSE.md`] = '# License\n\nThe license of this part.'
    for (let i = 0; i < 5; i++)
      files[`d${i}.md`] = `# D${i}\n\nNumber ${i} has a license too, says page ${i}.`
    const { ask } = await small(t, files)
    for (const more of [{}, { hybridSearch: false }, { maxDistance: 2 }, { rerank: true }]) {
      const rows = await ask<Row[]>('documents_search', { query: 'license', limit: 6, ...more })
      assert.equal(new Set(rows.map(({ content }) => content)).size, 6, JSON.stringify(more))
      const note =
        /A text is shown once: what p0\/LICENSE.md says also stands in (\d+)(?: or more)? other documents \(p1\/LICENSE.md, p10\/LICENSE.md, p100\/LICENSE.md, …\)\.$/
      assert.match(rows[0]!.note!, note, JSON.stringify(more))
    }
    const [single] = await ask<Row[]>('documents_search', { query: 'license', document: 'p0/LICENSE.md' })
    assert.equal(single!.note, undefined)
    const address = { collection: 'library', document: 'p0/LICENSE.md', limit: 5 }
    const near = await ask<Related>('documents_find_related', address)
    assert.equal(near.related.length, 5)
    assert.match(near.note!, /^A text is shown once: what p1\/LICENSE.md says also stands in/)
  })

  test('says of a page that its lines are those of its text', async (t) => {
    const page = `<!doctype html>\n<title>Piers</title>\n<style>\np { color: red }\n</style>\n<p>The gannet pier.</p>\n`
    const { ask } = await small(t, { 'page.html': page, 'a.md': '# A\n\nThe gannet.' })
    const note = 'Lines of page.html are of its text, not of the file.'
    const rows = await ask<Row[]>('documents_search', { query: 'gannet' })
    const notes = new Map(rows.map((row) => [row.documentId, row.note]))
    assert.deepEqual([notes.get('page.html'), notes.get('a.md')], [note, undefined])
    const missed = { query: '"pier gannet"', document: 'page.html' }
    assert.match((await ask<Row[]>('documents_search', missed))[0]!.note!, new RegExp(`nowhere;.* ${note}$`))
  })

  test('says so of every converted document, whichever tool gives lines of it', async (t) => {
    const page = `<!doctype html>\n<title>P</title>\n<h1>Top</h1>\n<p>${'piers '.repeat(90)}</p>\n<h2>Gannet</h2>\n<p>The gannet.</p>\n`
    const files = { 'page.html': page, 't.csv': 'name,bird\nann,gannet\n', 'a.md': '# Gannet\n\nThe gannet.' }
    const { ask } = await small(t, files, { embedding: false })
    const of = (document: string) => ({ collection: 'library', document })
    const notes = async (tool: string, args: object) => (await ask<{ note?: string }>(tool, args)).note ?? ''
    const note = /Lines of (page\.html|t\.csv) are of its text, not of the file\./
    for (const [document, isMade] of [
      ['page.html', true],
      ['a.md', false],
    ] as const) {
      const section = { ...of(document), section: 'Gannet' }
      assert.equal(note.test(await notes('documents_get_section', section)), isMade)
      assert.equal(note.test(await notes('documents_get_outline', of(document))), isMade)
    }
    assert.match(await notes('documents_get_document', { ...of('page.html'), max_tokens: 50 }), note)
    assert.equal(await notes('documents_get_document', of('page.html')), '')
    const { results } = await ask<{ results: { results: Row[] }[] }>('documents_search_batch', {
      queries: [{ query: 'gannet' }],
    })
    assert.deepEqual(
      Object.fromEntries(results[0]!.results.map((row) => [row.documentId, note.test(row.note ?? '')])),
      { 'page.html': true, 't.csv': true, 'a.md': false },
    )
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
  /** Of long lists less is shown where others share the answer. */
  const withoutText = ({ content: _, lines: __, note: ___, ...row }: Row) => row
  const queries = ['quiet hours', 'webhook signatures', 'outbox', 'quiet hours'].map((query) => ({ query }))

  test('gives each query the result of a single search', async () => {
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

  test('gives each of ten queries the result that it gets alone, in every mode and scope', async () => {
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
          rows.map(withoutText),
          (await sample.ask<Row[]>('documents_search', { limit: 5, ...many[i], ...options })).map(
            withoutText,
          ),
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

  test('finds the nearest passages in all collections, never the document itself', async (t) => {
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

  test('includes the document on request, but not the given passage', async (t) => {
    const { ask } = await small(t, files, twoShelves)
    const same = await ask<Related>('documents_find_related', { ...tea, sameDocument: true })
    assert.ok(same.related.some(({ document }) => document === 'tea.md'))
    const chunk = 'The kettle boils water for tea.'
    const near = await ask<Related>('documents_find_related', { ...tea, chunk, sameDocument: true })
    assert.ok(near.related.every(({ content }) => !content.includes(chunk)))
    assert.ok(near.related.some(({ document }) => document === 'tea.md'))
  })

  test('accepts a passage by its id, also across two chunks, and says if there is none', async (t) => {
    const { ask, library } = await small(t, files, twoShelves)
    const { id: source } = (await library.store.sources()).find(({ name }) => name === 'first')!
    const chunks = await library.store.chunksOf({ source, path: 'tea.md' })
    const last = chunks.at(-1)!
    const id = documentIdOf(last.ref)
    const near = (chunk: string) =>
      ask<Related>('documents_find_related', { ...tea, chunk, sameDocument: true })
    const byText = await near(last.text)
    assert.equal(byText.note, undefined)
    for (const chunk of [`${id}#${last.index}`, `#${last.index}`, String(last.index), `\n${last.text}\n `])
      assert.deepEqual(await near(chunk), byText, chunk)
    const border = `${chunks[0]!.text.slice(-60)}\n\n${chunks[1]!.text.slice(0, 60)}`
    for (const chunk of ['## Kettle', border, `${chunks[0]!.text}\n${chunks[1]!.text}`])
      assert.equal((await near(chunk)).note, undefined, chunk)
    for (const chunk of [`${id}#99`, '99', `doc_0000000000000000#${last.index}`])
      assert.match(
        (await ask<string>('documents_find_related', { ...tea, chunk })) as string,
        /^Passage "[^"]*" not found in document "tea\.md"\. Its passages are doc_[0-9a-f]{16}#0 to #\d+\.$/,
      )
  })

  test('compares a passage that is in no document by its words, and says so', async (t) => {
    const { ask } = await small(t, files, twoShelves)
    const { related, note } = await ask<Related>('documents_find_related', {
      ...tea,
      chunk: 'constellations above mountains',
    })
    assert.equal(related[0]?.document, 'stars.md')
    assert.match(note ?? '', /^This document does not contain the passage/)
  })

  test('says of a document without text that there was nothing to compare', async (t) => {
    const { ask } = await small(t, { 'blank.md': '', 'tea.md': files['a/tea.md'] })
    const args = { collection: 'library', document: 'blank.md' }
    const { related, note } = await ask<Related>('documents_find_related', args)
    assert.deepEqual(related, [])
    assert.equal(note, 'Nothing is related by words; there was no meaning to compare.')
  })

  for (const embedding of [true, false]) {
    const by = embedding ? 'meaning' : 'words'

    test(`shows the present text of files, by ${by}`, async (t) => {
      const tea = '# Tea\n\nGreen tea leaves steep in hot water.'
      const texts = {
        'a.md': tea,
        'b.md': `${tea} Twice.`,
        'c.md': `${tea} Three times.`,
        'd.md': `${tea} Late.`,
      }
      const { ask, root } = await small(t, texts, { embedding })
      const near = async (limit: number) => {
        const args = { collection: 'library', document: 'a.md', limit }
        return (await ask<Related>('documents_find_related', args)).related
      }
      const [first, second, third] = (await near(3)).map(({ document }) => document)
      rmSync(join(root, first!))
      writeFileSync(join(root, second!), '# Ships\n\nFerries sail at dawn.')
      const [now] = await near(1)
      assert.equal(now?.document, third)
      assert.ok((await near(5)).every(({ document }) => document !== first))
    })

    test(`leaves sessions out unless the document is of one, by ${by}`, async (t) => {
      const { ask, library } = await small(t, files, { ...twoShelves, embedding })
      const at = Date.now()
      const session = (id: string): Session => ({
        ...{ id, client: null, startedAt: at, lastAt: at, endedAt: at, ended: 'disconnect', calls: 2 },
        ...{ files: { 'tea.md': 1, 'kettle.md': 1, [`${id}.md`]: 1 }, discoveries: [], pid: 1, host: 'here' },
      })
      const sessions = ['morning', 'evening'].map(session)
      for (const one of sessions) await library.store.records.put(sessionKind, one.id, one)
      await storeSessions(library, sessions)
      await fillVectors(library)
      const near = async (address: object) => {
        const { related } = await ask<Related>('documents_find_related', { ...address, limit: 20 })
        return related.map(({ collection }) => collection)
      }
      assert.ok((await near(tea)).every((collection) => collection !== 'sessions'))
      assert.ok((await near({ collection: 'sessions', document: 'morning' })).includes('sessions'))
    })
  }

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
