import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { type SearchHit, search } from '../../src/answer/search.js'
import { loadSettings } from '../../src/app/config/load.js'
import { indexAll } from '../../src/app/index-all.js'
import { readerVersion } from '../../src/ingest/reader-version.js'
import { openForTest, temporaryFolder, undo, write } from '../support/world.js'

const files = {
  'guide/setup.md': '# Setup\n\nThe heron watches the weir.\n',
  'guide/use.md': '# Use\n\nThe otter builds a holt.\n',
  'src/main.ts': 'export function start() {\n  return "lantern"\n}\n',
}

describe('worktrees of a repository', () => {
  test('share one store, and answer as if each had its own', async (t) => {
    const { root, repository, linked, open } = repositoryOf(t)
    const first = await open(linked('one'))
    const stored = await indexAll(first.library, {})
    assert.deepEqual([stored.counts.stored, stored.counts.bytes > 0], [3, true])
    const second = linked('two')
    write(second, { 'guide/use.md': '# Use\n\nThe marten climbs the larch.\n' })
    const { library } = await open(second)
    const report = await indexAll(library, {})
    assert.equal(report.counts.stored, 3)
    const changed = '# Use\n\nThe marten climbs the larch.\n'.length
    assert.equal(report.counts.bytes, changed, 'only the file that differs is read')
    const alone = await open(second, { CARREL_WORKTREES: 'apart' }, join(root, 'apart'))
    await indexAll(alone.library, {})
    for (const text of ['heron weir', 'marten larch', 'otter holt', 'start']) {
      const [here, there] = [await found(library, text), await found(alone.library, text)]
      assert.deepEqual(here, there, text)
    }
    assert.deepEqual(await found(library, 'otter'), [], 'nothing of the other worktree')
    assert.equal((await found(first.library, 'otter')).length, 1)
    assert.ok(existsSync(join(repository, '.git/carrel/index.sqlite')))
    assert.equal(statSync(join(repository, '.git/carrel')).mode & 0o777, 0o700)
  })

  test('start from the index that the main one made for itself', async (t) => {
    const { repository, linked, open } = repositoryOf(t)
    const main = await open(repository)
    assert.equal(main.settings.shared, undefined, 'a repository without worktrees keeps its index')
    await indexAll(main.library, {})
    const one = await open(linked('one'))
    assert.equal(one.settings.shared?.main?.data, join(repository, '.carrel'))
    const report = await indexAll(one.library, {})
    assert.deepEqual([report.counts.stored, report.counts.bytes], [3, 0])
    assert.equal((await found(one.library, 'heron')).length, 1)
    assert.equal((await open(repository)).settings.shared, undefined, 'the main one stays with its own')
  })

  test('forget documents that only a removed one had', async (t) => {
    const { linked, open } = repositoryOf(t)
    const first = await open(linked('one'))
    await indexAll(first.library, {})
    const second = linked('two')
    write(second, { 'guide/more.md': '# More\n\nThe marten climbs the larch.\n' })
    const opened = await open(second)
    await indexAll(opened.library, {})
    await opened.library.close()
    const versions = async () => {
      const [source] = await first.library.store.sources()
      return [...(await first.library.store.shared!.versions(source!.id, readerVersion)).keys()].sort()
    }
    assert.deepEqual(await versions(), [...Object.keys(files), 'guide/more.md'].sort())
    rmSync(second, { recursive: true })
    await first.library.store.settle()
    assert.deepEqual(await versions(), Object.keys(files).sort())
  })
})

describe('which store a worktree uses', () => {
  test('its own, where the configuration says so or the user names a data folder', async (t) => {
    const { linked, settingsOf } = repositoryOf(t)
    const one = linked('one')
    assert.ok((await settingsOf(one)).shared)
    assert.equal((await settingsOf(one, { CARREL_WORKTREES: 'apart' })).shared, undefined)
    assert.equal((await settingsOf(one, { CARREL_DATA: join(one, '.carrel') })).shared, undefined)
  })

  test('the one that clones share, where the user names it; a project cannot', async (t) => {
    const { linked, settingsOf, root } = repositoryOf(t)
    const one = linked('one')
    const folder = join(root, 'for-all-clones')
    assert.equal((await settingsOf(one, { CARREL_WORKTREES: folder })).shared?.folder, folder)
    write(one, { 'carrel.json': JSON.stringify({ worktrees: folder }) })
    await assert.rejects(settingsOf(one), { code: 'bad_configuration', message: /outside the root/ })
  })

  test('its own, where git does not know the worktree', async (t) => {
    const { root, repository, linked, settingsOf } = repositoryOf(t)
    linked('one')
    const stray = join(root, 'stray')
    write(stray, { ...files, '.git': `gitdir: ${join(repository, '.git/worktrees/one')}\n` })
    assert.equal((await settingsOf(stray)).shared, undefined)
  })

  test('its own, where the shared folder came from elsewhere', async (t) => {
    const { repository, linked, load } = repositoryOf(t)
    const one = linked('one')
    write(repository, { '.git/carrel/index.sqlite': 'planted', '.git/carrel/id': `${'a'.repeat(32)}\n` })
    const { settings, notes } = await load(one)
    assert.equal(settings.shared, undefined)
    assert.match(notes.map(({ message }) => message).join(), /is not known to be yours/)
  })
})

/** A repository as far as its worktrees go, without git. */
function repositoryOf(t: TestContext) {
  const root = temporaryFolder(t)
  const state = join(root, 'state')
  const repository = join(root, 'main')
  write(repository, { ...files, '.git/HEAD': 'ref: refs/heads/main\n' })
  const load = (at: string, env: Record<string, string> = {}) =>
    loadSettings({ flags: {}, env: { CARREL_STATE: state, ...env }, cwd: at, home: join(root, 'home') })
  const settingsOf = async (at: string, env?: Record<string, string>) => (await load(at, env)).settings
  return {
    root,
    repository,
    load,
    settingsOf,
    linked(name: string): string {
      const folder = join(root, name)
      const own = join(repository, '.git/worktrees', name)
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, 'gitdir'), `${join(folder, '.git')}\n`)
      writeFileSync(join(own, 'commondir'), '../..\n')
      write(folder, { ...files, '.git': `gitdir: ${own}\n` })
      return folder
    },
    async open(at: string, env: Record<string, string> = {}, data = join(at, '.carrel')) {
      const loaded = await settingsOf(at, { ...env, CARREL_EMBEDDING_PROVIDER: 'none' })
      const settings = { ...loaded, data, watch: false }
      const library = await openForTest(settings)
      undo(t, () => void library.close())
      return { settings, library }
    },
  }
}

async function found(library: Library, query: string): Promise<SearchHit[]> {
  return (await search(library, { query, mode: 'text' })).hits
}
