import assert from 'node:assert/strict'
import { chmodSync, linkSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { search } from '../../src/answer/search.js'
import { indexAll } from '../../src/app/index-all.js'
import { status } from '../../src/app/status.js'
import { watchAndReindex } from '../../src/app/watch-and-reindex.js'
import { track } from '../support/git-index.js'
import {
  asOrdinaryUser,
  type Files,
  openForTest,
  settingsFor,
  temporaryFolder,
  type World,
  world,
  write,
} from '../support/world.js'

async function watched(t: TestContext, files: Files) {
  // Beside the folder: what becomes of the folder is not to touch the index.
  const w = await world(t, files, { data: join(temporaryFolder(t), 'data') })
  await indexAll(w.library, {})
  return watch(t, w)
}

async function watch(t: TestContext, w: World, options: { lookMs?: number } = {}) {
  const errors: unknown[] = []
  const fresh = await watchAndReindex(w.library, { ...options, onError: (error) => errors.push(error) })
  await fresh.settled()
  t.after(() => fresh.close())
  t.after(() => assert.deepEqual(errors, []))
  const first = async (query: string) => (await search(w.library, { query, mode: 'text' })).hits[0]?.document
  /** Waits until the answer is as expected: two seconds on an idle machine, more where it is shared. */
  const becomes = async (query: string, expected: string | undefined) => {
    const until = Date.now() + 20_000
    while ((await first(query)) !== expected && Date.now() < until) await sleep(50)
    assert.equal(await first(query), expected)
  }
  return { ...w, becomes, fresh }
}

test('a look that failed is tried again', async (t) => {
  const { library, root } = await world(t, { 'a.md': 'alpha' })
  await indexAll(library, {})
  let failures = 0
  const replace: typeof library.store.replace = (documents) => {
    if (failures++ < 2) return Promise.reject(new Error('The disk is full.'))
    return library.store.replace(documents)
  }
  const fresh = await watchAndReindex({ ...library, store: { ...library.store, replace } }, { retryMs: 50 })
  t.after(() => fresh.close())
  write(root, { 'b.md': 'beta' })
  const until = Date.now() + 20_000
  while ((await library.store.counts()).documents < 2 && Date.now() < until) await sleep(50)
  assert.deepEqual([(await library.store.counts()).documents, failures], [2, 3])
})

describe('a running server', () => {
  test('finds an edit, a new file, and misses a deleted one', async (t) => {
    const { root, becomes } = await watched(t, { 'a.md': 'alpha', 'b.md': 'beta' })
    write(root, { 'a.md': 'gamma' })
    await becomes('gamma', 'a.md')
    write(root, { 'deep/er/c.md': 'delta' })
    await becomes('delta', 'deep/er/c.md')
    rmSync(join(root, 'b.md'))
    await becomes('beta', undefined)
  })

  test('understands atomic saves, as editors do them', async (t) => {
    const { root, becomes } = await watched(t, { 'a.md': 'alpha' })
    for (const word of ['first', 'second', 'third']) {
      writeFileSync(join(root, '.a.md.swp'), `about ${word}`)
      renameSync(join(root, '.a.md.swp'), join(root, 'a.md'))
      await becomes(word, 'a.md')
    }
  })

  test('understands renamed folders and edits in them', async (t) => {
    const { root, becomes } = await watched(t, { 'old/a.md': 'alpha', 'old/b.md': 'beta' })
    renameSync(join(root, 'old'), join(root, 'new'))
    await becomes('alpha', 'new/a.md')
    write(root, { 'new/a.md': 'gamma' })
    await becomes('gamma', 'new/a.md')
  })

  test('goes on in folders that others took the place of at once', async (t) => {
    const files = { 'docs/a.md': 'alpha', 'docs/sub/b.md': 'beta', 'p/c.md': 'gamma', 'q/d.md': 'delta' }
    const { root, becomes } = await watched(t, files)
    const outside = temporaryFolder(t)
    const move = (from: string, to: string) => renameSync(join(root, from), join(root, to))
    const ways: Record<string, () => void> = {
      moved() {
        write(outside, { 'docs/sub/a.md': 'moved' })
        renameSync(join(root, 'docs'), join(outside, 'old'))
        renameSync(join(outside, 'docs'), join(root, 'docs'))
      },
      made() {
        rmSync(join(root, 'docs'), { recursive: true })
        write(root, { 'docs/sub/a.md': 'made' })
      },
      away() {
        move('docs', 'x')
        move('x', 'docs')
      },
    }
    for (const [way, replace] of Object.entries(ways)) {
      replace()
      // Nothing else happens that would be noticed instead.
      await sleep(500)
      write(root, { [`docs/${way}.md`]: `one${way}` })
      await becomes(`one${way}`, `docs/${way}.md`)
      write(root, { [`docs/sub/${way}.md`]: `two${way}` })
      await becomes(`two${way}`, `docs/sub/${way}.md`)
    }
    move('p', 'x')
    move('q', 'p')
    move('x', 'q')
    await becomes('delta', 'p/d.md')
    write(root, { 'p/n.md': 'heron', 'q/n.md': 'lantern' })
    await becomes('heron', 'p/n.md')
    await becomes('lantern', 'q/n.md')
  })

  test('notices files that git begins to track, and rules in the exclude file of this clone', async (t) => {
    const w = await world(t, { 'a.md': 'alpha', 'src/build/b.md': 'beta', '.git/info/exclude': '' })
    track(w.root, ['a.md'])
    await indexAll(w.library, {})
    const { root, becomes } = await watch(t, w)
    await becomes('alpha', 'a.md')
    await becomes('beta', undefined)
    track(root, ['a.md', 'src/build/b.md'])
    await becomes('beta', 'src/build/b.md')
    write(root, { 'src/build/b.md': 'heron' })
    await becomes('heron', 'src/build/b.md')
    write(root, { '.git/info/exclude': 'a.md\n' })
    await becomes('alpha', undefined)
    write(root, { '.git/info/exclude': '' })
    await becomes('alpha', 'a.md')
  })

  test('reads a file once it becomes readable', async (t) => {
    const files = { 'a.md': 'alpha', 'b.md': 'beta', 'locked/c.md': 'gamma', 'half/in/e.md': 'heron' }
    const w = await world(t, files)
    await asOrdinaryUser(dirname(w.root), async () => {
      for (const path of ['b.md', 'locked']) chmodSync(join(w.root, path), 0)
      chmodSync(join(w.root, 'half'), 0o400)
      await indexAll(w.library, {})
      const { becomes, fresh } = await watch(t, w)
      chmodSync(join(w.root, 'b.md'), 0o600)
      await becomes('beta', 'b.md')
      chmodSync(join(w.root, 'locked'), 0o700)
      await becomes('gamma', 'locked/c.md')
      write(w.root, { 'locked/d.md': 'delta' })
      await becomes('delta', 'locked/d.md')
      chmodSync(join(w.root, 'half'), 0o700)
      await becomes('heron', 'half/in/e.md')
      write(w.root, { 'half/in/f.md': 'lantern' })
      await becomes('lantern', 'half/in/f.md')
      await fresh.close()
    })
  })

  test('looks from time to time at folders without events', async (t) => {
    const w = await world(t, { 'a.md': 'alpha' })
    const outside = join(temporaryFolder(t), 'b.md')
    linkSync(join(w.root, 'a.md'), outside)
    await indexAll(w.library, {})
    const { becomes } = await watch(t, w, { lookMs: 100 })
    writeFileSync(outside, 'gamma')
    await becomes('gamma', 'a.md')
  })

  test('takes in a burst of a thousand files', async (t) => {
    const { root, becomes, library } = await watched(t, { 'a.md': 'alpha' })
    mkdirSync(join(root, 'many'))
    for (let n = 0; n < 1000; n++) writeFileSync(join(root, `many/f${n}.md`), `file number${n}`)
    await becomes('number999', 'many/f999.md')
    const until = Date.now() + 20_000
    while ((await library.store.counts()).documents < 1001 && Date.now() < until) await sleep(50)
    assert.equal((await library.store.counts()).documents, 1001)
  })

  test('does not look again because of its own writes into the folder', async (t) => {
    const root = temporaryFolder(t)
    write(root, { 'a.md': 'alpha' })
    const library = await openForTest({ ...settingsFor(root), data: join(root, 'index') })
    t.after(() => library.close())
    await indexAll(library, {})
    let looks = 0
    const fresh = await watchAndReindex(library, { onReport: () => looks++ })
    t.after(() => fresh.close())
    await sleep(1_000)
    const before = looks
    await sleep(1_500)
    assert.equal(looks, before)
  })

  test('obeys a changed .gitignore', async (t) => {
    const { root, becomes } = await watched(t, { 'a.md': 'alpha', 'secret/b.md': 'beta' })
    write(root, { '.gitignore': 'secret/\n' })
    await becomes('beta', undefined)
  })

  test('goes on when its folder was away for a moment', async (t) => {
    const { root, becomes } = await watched(t, { 'a.md': 'alpha', 'sub/b.md': 'beta' })
    renameSync(root, `${root}-elsewhere`)
    await sleep(300)
    renameSync(`${root}-elsewhere`, root)
    await sleep(300)
    write(root, { 'sub/c.md': 'gamma' })
    await becomes('gamma', 'sub/c.md')
    write(root, { 'sub/c.md': 'delta' })
    await becomes('delta', 'sub/c.md')
  })

  test('keeps its documents while its folder is missing or empty, says so, and continues when it is back', async (t) => {
    const { root, becomes, fresh, library } = await watched(t, { 'a.md': 'alpha', 'b.md': 'beta' })
    const failure = async () => (await status(library)).lastFailures[0]?.reason ?? ''
    const showsFailure = async (words: RegExp) => {
      const until = Date.now() + 20_000
      while (!words.test(await failure()) && Date.now() < until) await sleep(50)
      assert.match(await failure(), words)
    }
    renameSync(root, `${root}-elsewhere`)
    await showsFailure(/There is no folder at/)
    mkdirSync(root)
    await showsFailure(/is empty, as if its disk were away/)
    await fresh.settled()
    assert.equal((await library.store.counts()).documents, 2)
    await becomes('alpha', 'a.md')
    rmdirSync(root)
    renameSync(`${root}-elsewhere`, root)
    write(root, { 'c.md': 'gamma' })
    await becomes('gamma', 'c.md')
    await showsFailure(/^$/)
    for (const name of ['a.md', 'b.md', 'c.md']) rmSync(join(root, name))
    // Nobody searches: a search looks at the files it shows by itself.
    const until = Date.now() + 20_000
    while ((await library.store.counts()).documents > 0 && Date.now() < until) await sleep(50)
    assert.equal((await library.store.counts()).documents, 0, 'a folder that was emptied is believed')
  })
})
