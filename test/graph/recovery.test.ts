// Renames that were killed and cannot be finished at once: the possible part is done, the rest waits and is reported.
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBackgroundWork } from '../../src/app/background.js'
import { doctor } from '../../src/app/doctor.js'
import { indexAll } from '../../src/app/index-all.js'
import { underLease } from '../../src/runtime/lease.js'
import { hashOf } from '../../src/text/hash.js'
import { recoverRenames, writingLease } from '../../src/toolsets/graph/journal.js'
import { openForTest } from '../support/world.js'
import { toolsFor, vault } from './vault.js'

const linkers = ['n0.md', 'n1.md', 'n2.md', 'n3.md', 'n4.md']
const before = '# Hub\n'
const after = '# Hub a\n'
const linking = 'See [[Hub]] and `[[Hub]]`.\n'
const linked = 'See [[Hub a]] and `[[Hub]]`.\n'

/** A vault as a process leaves it that is killed when the note has been moved and the first file rewritten. */
async function killed(t: TestContext) {
  const files = Object.fromEntries(linkers.map((path) => [path, linking]))
  const made = await vault(t, { ...files, 'hub.md': before })
  const { root, settings, library } = made
  const renames = join(settings.data, 'renames')
  mkdirSync(renames, { recursive: true })
  const page = {
    source: library.sources[0]!.id,
    from: 'hub.md',
    to: 'hub-a.md',
    title: 'Hub a',
    before: hashOf(Buffer.from(before)),
    after: hashOf(Buffer.from(after)),
    mark: '0123456789ab',
    files: linkers.map((path) => ({ path, swaps: [['[[Hub]]', '[[Hub a]]']] })),
  }
  writeFileSync(join(renames, 'page.json'), JSON.stringify(page))
  renameSync(join(root, 'hub.md'), join(root, 'hub-a.md'))
  writeFileSync(join(root, 'hub-a.md'), after)
  writeFileSync(join(root, 'n0.md'), linked)
  const pages = () => readdirSync(renames)
  const waiting = async () => (await doctor(settings, {})).filter(({ name }) => name === 'rename')
  return { ...made, renames, pages, waiting }
}

/** The same vault in another process. */
async function restarted(t: TestContext, { settings, root }: Awaited<ReturnType<typeof killed>>) {
  const library = await openForTest(settings)
  t.after(() => library.close())
  return { library, ...toolsFor(library, root) }
}

test('a file that cannot be written is reported, and the others are rewritten', async (t) => {
  const left = await killed(t)
  const { root, read, library, pages, waiting, renames } = left
  chmodSync(join(root, 'n1.md'), 0o444)
  const troubles = await recoverRenames(library)
  assert.deepEqual(troubles, [
    'The rename of hub.md to hub-a.md is done but for the links in one file. n1.md is read-only.',
  ])
  assert.deepEqual(linkers.map(read), [linked, linking, linked, linked, linked])
  const page = JSON.parse(readFileSync(join(renames, pages()[0]!), 'utf8'))
  assert.deepEqual(
    page.files.map(({ path }: { path: string }) => path),
    ['n1.md'],
  )
  const [check, ...others] = await waiting()
  assert.deepEqual([check?.state, check?.message, others], ['warning', troubles[0], []])
  const { call } = await restarted(t, left)
  assert.equal((await call('get_node', { id: 'hub-a.md', depth: 1 })).incomingCount, 4)
  assert.deepEqual((await call('get_node', { id: 'n1.md' }))._warnings, ['Broken link: [[Hub]]'])
  assert.equal(pages().length, 1)
})

test('remaining work is done with the next change, in the same process, once that is possible', async (t) => {
  const { root, read, call, refused, pages, waiting } = await killed(t)
  chmodSync(join(root, 'n1.md'), 0o444)
  await call('create_node', { title: 'Other', content: 'x' })
  assert.deepEqual([read('n1.md'), read('n4.md'), pages().length], [linking, linked, 1])
  const { code, message } = await refused('update_node', { id: 'hub-a.md', title: 'Hub b' })
  assert.equal(code, 'PROVIDER_ERROR')
  assert.match(message, /n1\.md is read-only\. Make such files writable/)
  assert.equal(read('hub-a.md'), after)
  chmodSync(join(root, 'n1.md'), 0o644)
  assert.equal((await call('update_node', { id: 'hub-a.md', title: 'Hub b' })).id, 'hub-b.md')
  assert.equal(read('n1.md'), linked.replace('Hub a', 'Hub b'))
  assert.deepEqual([pages(), await waiting()], [[], []])
})

test('a server reports it when it starts', async (t) => {
  const { root, library } = await killed(t)
  chmodSync(join(root, 'n3.md'), 0o444)
  const troubles: string[] = []
  const live = runBackgroundWork(library, { onTrouble: (message) => troubles.push(message) })
  await live.indexed
  await live.close()
  assert.match(troubles.join('\n'), /n3\.md is read-only/)
})

test('a link that would break frontmatter written meanwhile is left and reported', async (t) => {
  const { root, read, library, renames, pages } = await killed(t)
  const page = join(renames, pages()[0]!)
  const becoming = JSON.parse(readFileSync(page, 'utf8'))
  for (const file of becoming.files) file.swaps = [['[[Hub]]', '[[Hub: a]]']]
  writeFileSync(page, JSON.stringify(becoming))
  const written = '---\nup: see [[Hub]]\n---\n\nSee [[Hub]].\n'
  writeFileSync(join(root, 'n1.md'), written)
  assert.deepEqual(await recoverRenames(library), [
    'The rename of hub.md to hub-a.md is done but for the links in one file. n1.md has frontmatter that would say something else: change its links by hand.',
  ])
  assert.deepEqual([read('n1.md'), read('n2.md')], [written, linking.replace('[[Hub]]', '[[Hub: a]]')])
  writeFileSync(
    join(root, 'n1.md'),
    written.replaceAll('see [[Hub]]', '"see [[Hub: a]]"').replaceAll('[[Hub]]', '[[Hub: a]]'),
  )
  const again = await openForTest(library.settings)
  t.after(() => again.close())
  assert.deepEqual([await recoverRenames(again), pages()], [[], []])
})

test('links changed by hand in a read-only file are done', async (t) => {
  const { root, library, pages } = await killed(t)
  chmodSync(join(root, 'n1.md'), 0o444)
  assert.equal((await recoverRenames(library)).length, 1)
  chmodSync(join(root, 'n1.md'), 0o644)
  writeFileSync(join(root, 'n1.md'), 'See [[Hub a]], by hand.\n')
  chmodSync(join(root, 'n1.md'), 0o444)
  const again = await openForTest(library.settings)
  t.after(() => again.close())
  assert.deepEqual([await recoverRenames(again), pages()], [[], []])
})

test('whatever became of a file, the others are rewritten', async (t) => {
  const { root, read, library } = await killed(t)
  rmSync(join(root, 'n1.md'))
  mkdirSync(join(root, 'n1.md'))
  writeFileSync(join(root, 'n2.md'), Buffer.from('caf\xe9 [[Hub]]', 'latin1'))
  rmSync(join(root, 'n3.md'))
  symlinkSync(join(root, 'n4.md'), join(root, 'n3.md'))
  const [message] = await recoverRenames(library)
  assert.match(message!, /links in 3 files\. n1\.md .*n2\.md is not UTF-8.* n3\.md /)
  assert.equal(read('n4.md'), linked)
  assert.equal(readFileSync(join(root, 'n2.md'), 'latin1'), 'caf\xe9 [[Hub]]')
})

test('a new note under the old name never costs the renamed one', async (t) => {
  const unmoved = await killed(t)
  writeFileSync(join(unmoved.root, 'hub.md'), 'Another note.\n')
  assert.match((await recoverRenames(unmoved.library))[0]!, /Both are kept/)
  assert.deepEqual([unmoved.read('hub.md'), unmoved.read('hub-a.md')], ['Another note.\n', after])

  for (const text of ['Another note.\n', before]) {
    const left = await killed(t)
    chmodSync(join(left.root, 'n1.md'), 0o444)
    await recoverRenames(left.library)
    writeFileSync(join(left.root, 'hub.md'), text)
    const { call } = await restarted(t, left)
    await call('get_hubs', {})
    assert.deepEqual([left.read('hub.md'), left.read('hub-a.md')], [text, after])
    assert.equal(left.pages().length, 1)
  }
})

test('a rename waits for a folder that is away', async (t) => {
  const left = await killed(t)
  const { root, read, pages } = left
  const away = `${root}-away`
  mkdirSync(away)
  for (const name of [...linkers, 'hub-a.md']) renameSync(join(root, name), join(away, name))
  const first = await restarted(t, left)
  assert.match((await recoverRenames(first.library))[0]!, /there is nothing in .* just now/)
  assert.equal(pages().length, 1)
  for (const name of [...linkers, 'hub-a.md']) renameSync(join(away, name), join(root, name))
  const second = await restarted(t, left)
  assert.deepEqual(await recoverRenames(second.library), [])
  assert.deepEqual([linkers.map(read), pages()], [linkers.map(() => linked), []])
  assert.equal((await second.call('get_node', { id: 'hub-a.md', depth: 1 })).incomingCount, linkers.length)
})

test('a page that cannot be read is reported, stays, and stops no other', async (t) => {
  const { library, read, pages, waiting, renames } = await killed(t)
  writeFileSync(join(renames, 'a.json'), '{"from": ')
  writeFileSync(join(renames, 'b.json'), 'null')
  writeFileSync(join(renames, 'c.json'), '[]')
  const troubles = await recoverRenames(library)
  assert.equal(troubles.length, 3)
  assert.match(troubles[0]!, /a\.json.*carrel graph check/)
  assert.deepEqual([read('n4.md'), pages()], [linked, ['a.json', 'b.json', 'c.json']])
  assert.equal((await waiting()).length, 3)
})

test('nothing waits for a note that was deleted', async (t) => {
  const left = await killed(t)
  chmodSync(join(left.root, 'n1.md'), 0o444)
  await recoverRenames(left.library)
  rmSync(join(left.root, 'hub-a.md'))
  const { library } = await restarted(t, left)
  assert.deepEqual([await recoverRenames(library), left.pages()], [[], []])
  await indexAll(library, {})
  assert.equal(existsSync(join(left.root, 'hub-a.md')), false)
})

test('reading does not wait long for an interrupted rename, which is finished in the background', async (t) => {
  const { library, call, read, pages } = await killed(t)
  await underLease(library.store.leases, writingLease, {}, async () => {
    const answers = await Promise.all(['n0.md', 'n1.md'].map((id) => call('get_node', { id })))
    assert.deepEqual(
      answers.map(({ id }) => id),
      ['n0.md', 'n1.md'],
    )
    assert.equal(pages().length, 1, 'it waits for the other writer')
  })
  await until(() => pages().length === 0)
  assert.deepEqual(linkers.map(read), Array(linkers.length).fill(linked))
})

test('a server finishes the rename of another process without any request', async (t) => {
  const { library, read, renames, pages, root } = await killed(t)
  renameSync(renames, `${renames}-later`)
  const live = runBackgroundWork(library)
  t.after(() => live.close())
  await live.indexed
  assert.equal(read('n1.md'), linking)
  renameSync(`${renames}-later`, renames)
  await until(() => pages().length === 0)
  assert.deepEqual(linkers.map(read), Array(linkers.length).fill(linked))
  assert.deepEqual(
    readdirSync(root).filter((name) => name.endsWith('.tmp')),
    [],
  )
})

async function until(done: () => boolean) {
  for (const end = performance.now() + 30_000; !done() && performance.now() < end; ) await sleep(20)
}
