import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { indexAll } from '../../src/app/index-all.js'
import { prepare } from '../../src/ingest/prepare.js'
import { beginReading, readerVersion } from '../../src/ingest/reader-version.js'
import { hashOf } from '../../src/text/hash.js'
import { projectRoot, world, write } from '../support/world.js'
import { checkGolden } from '../tools/golden.js'

const texts = {
  'guide.md': [
    '---\ntitle: Guide\ntags: [a, b]\nauthors:\n  - name: Ada\n---\n',
    '# The `retry_budget` guide\n\nRetries of **parseHTTPHeader** cost [time](other.md#cost), see [[Note|the note]].\n',
    'Setext heading\n---\n\n- a list of v2.14.0 #tag\n- 日本語のテキスト\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    '```ts\nexport const budget = 3\n```\n\n## Long\n\n',
    'A sentence of some length about queues, back-off and user@example.org. '.repeat(60),
  ].join('\n'),
  'page.html': '<title>T</title><main><h1>Head</h1><p>Text &amp; more <a href="x.html">link</a></p></main>',
  'src/queue.ts': '/** Waits. */\nexport class Queue<T> {\n  take(): T | null {\n    return null\n  }\n}\n',
  'tool.py': 'def run(a, b=1):\n    """Runs it."""\n    return a + b\n',
  'data.csv': 'name,count\nlamp,3\nwick,4\n',
  'notes.txt': 'First paragraph.\n\nSecond paragraph, café.\n',
  'config.json': '{"queue": {"size": 3}}\n',
}

test('the same bytes are read as they were, or the version of the reader goes up', async () => {
  const documents = []
  for (const [path, text] of Object.entries(texts)) {
    const bytes = Buffer.from(text)
    const { words, chunks, ...rest } = await prepare({
      ref: { source: 's', path },
      bytes,
      stamp: null,
      readAt: 0,
    })
    const read = chunks.map(({ terms, ...chunk }) => ({
      ...chunk,
      words: Array.from(terms.places, (place) => words[place]),
      counts: [...terms.counts],
      lengths: terms.lengths,
    }))
    documents.push({ ...rest, chunks: read })
  }
  const now = { version: readerVersion, read: hashOf(JSON.stringify(documents)) }
  const agreed = join(projectRoot, 'test/golden/reader.json')
  const before: typeof now | null = existsSync(agreed) ? JSON.parse(readFileSync(agreed, 'utf8')) : null
  assert.ok(
    before?.read === now.read || before?.version !== now.version,
    'The program reads these texts differently than before. If that is meant, raise readerVersion in src/ingest/reader-version.ts and run this test once with GOLDEN=write.',
  )
  checkGolden('reader.json', `${JSON.stringify(now, null, 2)}\n`)
})

test('files that an older version has read are read again, once', async (t) => {
  const w = await world(t, { 'a.md': '# A', 'b.md': '# B' })
  const run = async () => {
    const { stored, unchanged } = (await indexAll(w.library, {})).counts
    return { stored, unchanged }
  }
  assert.deepEqual(await run(), { stored: 2, unchanged: 0 })
  const versions = await w.library.store.records.all<number>('~reader')
  assert.ok(versions.length > 0 && versions.every(({ value }) => value === readerVersion))
  for (const { id } of versions) await w.library.store.records.put('~reader', id, readerVersion - 1)
  write(w.root, { 'c.md': '# C' })
  assert.deepEqual(await run(), { stored: 3, unchanged: 0 })
  assert.deepEqual(await run(), { stored: 0, unchanged: 3 })
  for (const { id } of versions) await w.library.store.records.put('~reader', id, readerVersion + 1)
  assert.deepEqual(await run(), { stored: 0, unchanged: 3 }, 'a newer one knows better')
  for (const notes of ['~reader', '~reader-begun']) await w.library.store.records.clear(notes)
  assert.deepEqual(await run(), { stored: 3, unchanged: 0 }, 'the oldest kept no note')
  assert.deepEqual(await run(), { stored: 0, unchanged: 3 })
})

test('a first reading that was interrupted goes on where it stopped', async (t) => {
  const w = await world(t, { 'a.md': '# A' })
  const stop = new AbortController()
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === 'reading') stop.abort()
  }
  await indexAll(w.library, { signal: stop.signal, onProgress }).catch(() => {})
  assert.equal((await w.library.store.counts()).documents, 0)
  const { store } = w.library
  const [source] = await store.sources()
  assert.deepEqual(await store.records.all('~reader'), [])
  const ref = { source: source!.id, path: 'a.md' }
  await store.replace([await prepare({ ref, bytes: Buffer.from('# A'), stamp: null, readAt: 0 })])
  assert.deepEqual(await beginReading(store, source!.id), { mustReread: false })
})
