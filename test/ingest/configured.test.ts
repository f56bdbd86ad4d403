import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { search } from '../../src/answer/search.js'
import { searchDocuments } from '../../src/answer/search-documents.js'
import { allSources } from '../../src/answer/source-records.js'
import { indexAll } from '../../src/app/index-all.js'
import { watchAndReindex } from '../../src/app/watch-and-reindex.js'
import { openForTest, settingsFor, temporaryFolder, write } from '../support/world.js'

const files = { 'pub/a.md': '# Open\n\nThe yak is public.', 'priv/b.md': '# Closed\n\nThe yak is private.' }

/** A project in `root` whose sources are these folders, `.` for the root itself. */
async function opened(
  t: TestContext,
  root: string,
  { folders, data = join(root, '.carrel') }: { folders: string[]; data?: string },
): Promise<Library> {
  const sources = folders.map((name) => ({ name, path: join(root, name), include: [], exclude: [] }))
  const library = await openForTest({ ...settingsFor(root), data, sources })
  t.after(() => library.close())
  return library
}

async function found(library: Library): Promise<string[]> {
  const { hits } = await search(library, { query: 'yak' })
  const answer = await searchDocuments(library, { query: 'yak' }, { limit: 10, mode: 'hybrid' })
  const passages = 'miss' in answer ? [] : answer.passages
  const paths = hits.map(({ document }) => document).sort()
  assert.deepEqual(passages.map(({ ref }) => ref.path).sort(), paths, 'every search finds the same')
  return paths
}

function project(t: TestContext, name = 'project'): string {
  const root = join(temporaryFolder(t), name)
  mkdirSync(root)
  write(root, files)
  return root
}

describe('a folder that the configuration no longer names', () => {
  test('is neither searched nor listed, even before the next run', async (t) => {
    const root = project(t)
    await indexAll(await opened(t, root, { folders: ['pub', 'priv'] }), {})
    const library = await opened(t, root, { folders: ['pub'] })
    assert.deepEqual(await found(library), ['a.md'])
    assert.deepEqual(
      (await allSources(library)).map(({ title }) => title),
      ['pub'],
    )
    await assert.rejects(search(library, { query: 'yak', collections: ['priv'] }), {
      code: 'unknown_collection',
    })
    const { documents, total } = await library.store.documents({}, { offset: 0, limit: 10 })
    assert.deepEqual([documents.map(({ ref }) => ref.path), total], [['a.md'], 1])
  })

  test('leaves the index with the next run, and the run says so', async (t) => {
    const root = project(t)
    const before = await opened(t, root, { folders: ['pub', 'priv'] })
    await indexAll(before, {})
    const report = await indexAll(await opened(t, root, { folders: ['pub'] }), {})
    assert.equal(report.counts.forgotten, 1)
    assert.deepEqual(
      report.bySource.map(({ name, counts }) => [name, counts.forgotten]),
      [
        ['pub', 0],
        ['priv', 1],
      ],
    )
    assert.deepEqual(await found(before), ['a.md'], 'also for one who still names it')
    assert.equal((await before.store.counts()).documents, 1)
  })

  test('comes back when it is named again', async (t) => {
    const root = project(t)
    await indexAll(await opened(t, root, { folders: ['pub', 'priv'] }), {})
    await indexAll(await opened(t, root, { folders: ['pub'] }), {})
    const again = await opened(t, root, { folders: ['pub', 'priv'] })
    await indexAll(again, {})
    assert.deepEqual(await found(again), ['a.md', 'b.md'])
  })

  test('is known correctly to a server that was started before it was added', async (t) => {
    const root = project(t)
    const server = await opened(t, root, { folders: ['pub'] })
    await indexAll(server, {})
    const later = await opened(t, root, { folders: ['pub', 'priv'] })
    await indexAll(later, {})
    const fresh = await watchAndReindex(server, {})
    t.after(() => fresh.close())
    write(root, { 'pub/c.md': '# New\n\nAnother yak.' })
    await fresh.settled()
    await indexAll(server, { again: true })
    assert.deepEqual(await found(later), ['a.md', 'b.md', 'c.md'])
  })

  test('gives its name to the folder that has it now', async (t) => {
    const root = project(t)
    await indexAll(await opened(t, root, { folders: ['pub'] }), {})
    const sources = [{ name: 'pub', path: join(root, 'priv'), include: [], exclude: [] }]
    const library = await openForTest({ ...settingsFor(root), sources })
    t.after(() => library.close())
    await indexAll(library, {})
    const { hits } = await search(library, { query: 'yak', collections: ['pub'] })
    assert.deepEqual(
      hits.map(({ document }) => document),
      ['b.md'],
    )
  })

  test('leaves records, and sources that the configuration never named, as they are', async (t) => {
    const root = project(t)
    const library = await opened(t, root, { folders: ['pub', 'priv'] })
    await indexAll(library, {})
    const now = new Date().toISOString()
    const dates = { createdAt: now, updatedAt: now }
    const web = {
      id: 'web-1',
      name: 'site',
      kind: 'web',
      location: 'https://example.org/',
      details: {},
    } as const
    await library.store.putSource({ ...web, ...dates })
    await library.store.records.put('keepsake', 'd1', { text: 'kept' })
    const less = await opened(t, root, { folders: ['pub'] })
    await indexAll(less, {})
    assert.deepEqual(await less.store.records.get('keepsake', 'd1'), { text: 'kept' })
    assert.ok((await less.store.sources()).some(({ id }) => id === 'web-1'))
  })
})

describe('projects that share a data folder', () => {
  test('keep their folders: each sees its own, and forgets only its own', async (t) => {
    const data = join(temporaryFolder(t), 'shared')
    const [one, two] = [project(t, 'one'), project(t, 'two')]
    const first = await opened(t, one, { folders: ['pub', 'priv'], data })
    const second = await opened(t, two, { folders: ['pub'], data })
    await indexAll(first, {})
    await indexAll(second, {})
    assert.deepEqual(await found(second), ['a.md'])
    assert.deepEqual(await found(first), ['a.md', 'b.md'])
    assert.equal((await indexAll(first, {})).counts.unchanged, 2)
  })

  test('share a folder that both name until neither does', async (t) => {
    const data = join(temporaryFolder(t), 'shared')
    const [one, two] = [project(t, 'one'), project(t, 'two')]
    const notes = { name: 'notes', path: join(one, 'priv'), include: [], exclude: [] }
    const open = async (root: string, both: boolean) => {
      const own = { name: 'own', path: join(root, 'pub'), include: [], exclude: [] }
      const sources = both ? [own, notes] : [own]
      const library = await openForTest({ ...settingsFor(root), data, sources })
      t.after(() => library.close())
      return library
    }
    const total = async (library: Library) => (await library.store.counts()).documents
    await indexAll(await open(one, true), {})
    const second = await open(two, true)
    await indexAll(second, {})
    await indexAll(await open(one, false), {})
    assert.deepEqual(await found(second), ['a.md', 'b.md'], 'the other one still names it')
    await indexAll(await open(two, false), {})
    assert.equal(await total(second), 2)
  })

  test('do not keep sources of a project that is gone or has moved', async (t) => {
    const root = project(t)
    const library = await opened(t, root, { folders: ['pub'] })
    await indexAll(library, {})
    await library.close()
    const moved = `${realpathSync(root)}-moved`
    renameSync(root, moved)
    const again = await opened(t, moved, { folders: ['pub'] })
    await indexAll(again, {})
    assert.deepEqual(await found(again), ['a.md'])
    assert.equal((await again.store.counts()).documents, 1)
    rmSync(moved, { recursive: true })
  })
})
