// After any history of sources and documents made, changed, deleted and lost, nothing is left of what is gone: no row,
// passage, vector, posting, record or file.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Library } from '../../src/answer/library.js'
import { createSource, ownSources } from '../../src/answer/source-records.js'
import { fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import { Problem } from '../../src/model/problem.js'
import { auditIndex } from '../../src/store/sqlite/repair.js'
import { blobPath } from '../../src/toolsets/knowledge/blob-store.js'
import { deleteSource, forgetDocument } from '../../src/toolsets/knowledge/delete-source.js'
import { type DocumentRecord, documentRecords } from '../../src/toolsets/knowledge/document-records.js'
import { changeDocument, putDocument } from '../../src/toolsets/knowledge/documents.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { openForTest, world } from '../support/world.js'
import { blobFiles } from './kit.js'

type Step =
  | { do: 'source' }
  | { do: 'add'; source: number; name: number; text: number }
  | { do: 'change'; document: number; text: number | null; title: number | null }
  | { do: 'forget'; document: number }
  | { do: 'delete'; source: number }
  | { do: 'embed' }
  | { do: 'index'; force: boolean }
  | { do: 'lose' }

const small = fc.nat(7)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'source' }) },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('add' as const), source: small, name: small, text: small }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      document: small,
      text: fc.option(small),
      title: fc.option(small),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('forget' as const), document: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), source: small }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'embed' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('index' as const), force: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'lose' }) },
)

/** Histories in which some steps run at the same time. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 10 })

describe('a deletion leaves nothing behind', () => {
  test('whatever the history, also when steps meet', { timeout: 240_000 }, async (t) => {
    const { settings, library: first } = await world(t, { 'one.md': '# One\n\nA file of the folder.\n' })
    await first.close()
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        rmSync(settings.data, { recursive: true, force: true })
        let library = await open(settings)
        try {
          for (const withReadCache of steps) {
            // A lost database is no step that meets others.
            if (withReadCache.some((one) => one.do === 'lose')) library = await lose(library)
            else await Promise.all(withReadCache.map((one) => take(library, one)))
          }
          await check(library)
          for (const { id } of await ownSources(library)) await deleteSource(library, id)
          await check(library)
          assert.deepEqual(blobFiles(library), [])
          assert.deepEqual(await documentRecords(library), [])
          assert.ok((await library.store.sources()).every(({ kind }) => kind === 'folder'))
        } finally {
          await library.close()
        }
        assert.deepEqual(auditIndex(settings.data), [])
      }),
      { seed: 20261116, numRuns: 12 },
    )
  })
})

async function open(settings: Library['settings']): Promise<Library> {
  return { ...(await openForTest(settings)), embedder: fakeEmbedder({ dimensions: 32 }) }
}

/** The database goes; records and bytes stay. */
async function lose(library: Library): Promise<Library> {
  await library.close()
  for (const name of ['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm'])
    rmSync(join(library.settings.data, name), { force: true })
  const again = await open(library.settings)
  await indexAll(again, {})
  return again
}

async function take(library: Library, one: Step): Promise<void> {
  const sources = await ownSources(library)
  const documents = await documentRecords(library)
  const source = 'source' in one ? sources[one.source % Math.max(1, sources.length)] : undefined
  const document = 'document' in one ? documents[one.document % Math.max(1, documents.length)] : undefined
  try {
    await steps[one.do](library, one as never, { source, document })
  } catch (error) {
    // What was deleted by another step meanwhile cannot be had.
    if (!(error instanceof Problem)) throw error
  }
}

interface Picked {
  source: Awaited<ReturnType<typeof ownSources>>[number] | undefined
  document: DocumentRecord | undefined
}

const bytesOf = (text: number) =>
  Buffer.from(`# Text ${text}\n\nlantern ${'wick '.repeat(text * 40)}number${text}\n`)

const steps: { [S in Step as S['do']]: (library: Library, step: S, picked: Picked) => Promise<unknown> } = {
  source: (library) => createSource(library, { title: 'Papers', type: 'upload' }),
  add: async (library, { name, text }, { source }) =>
    source && putDocument(library, source, { name: `file-${name % 3}.md`, content: bytesOf(text) }),
  change: async (library, { text, title }, { document }) =>
    document &&
    changeDocument(library, document.id, {
      ...(text === null ? {} : { content: bytesOf(text) }),
      ...(title === null ? {} : { title: `Title ${title}` }),
    }),
  forget: async (library, _, { document }) => document && forgetDocument(library, document.id),
  delete: async (library, _, { source }) => source && deleteSource(library, source.id),
  embed: (library) => fillVectors(library),
  index: (library, { force }) => indexAll(library, { force }),
  lose: async () => {},
}

/** The index, the records and the files say the same. */
async function check(library: Library) {
  const { store, embedder } = library
  const sources = new Set((await ownSources(library)).map(({ id }) => id))
  const records = await documentRecords(library)
  assert.ok(records.every(({ source }) => sources.has(source)))
  assert.ok(records.every(({ status }) => status === 'completed'))
  assert.deepEqual(blobFiles(library), records.map(blobPath).sort())
  for (const { id, kind } of await store.sources()) {
    if (kind === 'folder') continue
    assert.ok(sources.has(id), 'a row without a record')
    const indexed = await store.fingerprints(id)
    const own = records.filter(({ source }) => source === id)
    assert.deepEqual([...indexed.keys()].sort(), own.map(({ path }) => path).sort())
    for (const { path, hash, title } of own) {
      assert.equal(indexed.get(path)!.hash, hash.slice(0, 32))
      if (title !== null) assert.equal((await store.document({ source: id, path }))!.title, title)
    }
  }
  const { chunks } = await store.counts()
  await fillVectors(library)
  const { [embedder!.model]: vectors = 0 } = await store.vectors.counts()
  assert.equal(vectors, chunks)
}
