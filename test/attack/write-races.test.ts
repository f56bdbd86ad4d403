// Another process swaps a folder of the vault with a link to a folder outside while notes are written. Whatever the
// writer does then, nothing outside is created, changed or deleted.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hashOf } from '../../src/text/hash.js'
import { recoverRenames } from '../../src/toolsets/graph/journal.js'
import { type Page, writeDown } from '../../src/toolsets/graph/journal-pages.js'
import { createFile, removeFile, replaceFile, sweep } from '../../src/toolsets/graph/write-files.js'
import { vault } from '../graph/vault.js'

const skip = process.platform !== 'linux' && 'writes are proven by the kernel on Linux only'
const raceMs = 500
const patienceMs = 3_000
const same = Buffer.from('# The same inside and outside\n')
const hash = hashOf(same)

/** Runs `attempt` again and again while `place` is swapped; then nothing outside may have changed. */
async function race(
  t: TestContext,
  {
    place,
    hold,
    names,
    text = same,
  }: { place: string; hold: string; names: readonly string[]; text?: Buffer },
  attempt: (name: string) => Promise<unknown>,
) {
  const outside = realpathSync.native(mkdtempSync(join(tmpdir(), 'carrel-outside-')))
  t.after(() => rmSync(outside, { recursive: true, force: true, maxRetries: 3 }))
  for (const name of names) writeFileSync(join(outside, name), text)
  const swapper = fork(fileURLToPath(new URL('./swap-child.js', import.meta.url)), [place, hold, outside])
  const calls = { done: 0, refused: 0 }
  try {
    await once(swapper, 'message')
    const end = Date.now() + raceMs
    // On a busy machine a call may need longer to get through at all.
    for (let i = 0; Date.now() < end || (calls.done === 0 && Date.now() < end + patienceMs); i++) {
      const name = names.length > 0 ? names[i % names.length]! : `new-${i}.md`
      await attempt(name).then(
        () => calls.done++,
        () => calls.refused++,
      )
    }
  } finally {
    await stop(swapper)
  }
  // On a busy machine every call may meet a swap. Without one the same call gets through.
  if (calls.done === 0) {
    await attempt(names[0] ?? 'new.md')
    calls.done++
  }
  t.diagnostic(`${calls.done} calls done, ${calls.refused} refused`)
  const there = readdirSync(outside)
  const created = there.filter((name) => !names.includes(name))
  const deleted = names.filter((name) => !there.includes(name))
  const changed = names.filter(
    (name) => there.includes(name) && !readFileSync(join(outside, name)).equals(text),
  )
  assert.deepEqual({ created, deleted, changed }, { created: [], deleted: [], changed: [] })
}

async function stop(swapper: ChildProcess) {
  const ended = once(swapper, 'exit')
  swapper.disconnect()
  await ended
}

const many = Array.from({ length: 1_500 }, (_, i) => `note-${i}.md`)

/** A folder to be swapped below a root, with files. */
function folder(t: TestContext, names: readonly string[]) {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'carrel-races-')))
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))
  const place = join(root, 'notes')
  mkdirSync(place)
  for (const name of names) writeFileSync(join(place, name), same)
  return { root, place, hold: join(root, 'hold'), names }
}

test('no file is created outside', { skip }, async (t) => {
  const there = folder(t, [])
  await race(t, there, (name) => createFile(there.root, `notes/${name}`, same))
})

test('no folder is created outside', { skip }, async (t) => {
  const there = folder(t, [])
  await race(t, there, (name) => createFile(there.root, `notes/${name}/deeper/note.md`, same))
})

test('no file is deleted outside', { skip }, async (t) => {
  const there = folder(t, many)
  await race(t, there, (name) => removeFile(there.root, `notes/${name}`, hash))
})

test('no file is replaced outside', { skip }, async (t) => {
  const there = folder(t, many)
  const bytes = Buffer.from('# New\n')
  await race(t, there, (name) =>
    replaceFile(there.root, { path: `notes/${name}`, before: hash, bytes, rights: null }),
  )
})

test('no file is swept away outside', { skip }, async (t) => {
  const mark = '0123456789ab'
  const there = folder(t, [`.carrel-${mark}-01234567.tmp`])
  await race(t, there, () => sweep(there.root, 'notes', mark))
})

test('no page of the rename journal is written outside', { skip }, async (t) => {
  const there = folder(t, [])
  const page: Page = {
    source: 'x',
    from: 'a.md',
    to: 'b.md',
    title: 'B',
    before: hash,
    after: hash,
    mark: '0123456789ab',
    files: [],
  }
  mkdirSync(join(there.root, 'renames'))
  await race(t, { ...there, place: join(there.root, 'renames') }, () => writeDown(there.root, page))
})

test('create_node and delete_node stay inside', { skip }, async (t) => {
  const { root, call } = await vault(t, { 'notes/first.md': '# First\n', 'home.md': '# Home\n' })
  await race(t, { place: join(root, 'notes'), hold: join(root, 'hold'), names: [] }, async (name) => {
    await call('create_node', { title: name.replace('.md', ''), content: 'Text.\n', directory: 'notes' })
    await call('delete_node', { id: `notes/${name}` })
  })
})

test('a rename rewrites no link outside', { skip }, async (t) => {
  const names = Array.from({ length: 5 }, (_, i) => `l${i}.md`)
  const linking = Object.fromEntries(names.map((name) => [`notes/${name}`, 'See [[Hub]].\n']))
  const { root, call } = await vault(t, { ...linking, 'hub.md': '# Hub\n' })
  const outside = { names, text: Buffer.from('See [[Hub]].\n') }
  await race(t, { place: join(root, 'notes'), hold: join(root, 'hold'), ...outside }, async () => {
    // By what is on the disk: a call that met a swap may have been finished by the next one.
    const isHub = existsSync(join(root, 'hub.md'))
    await call('update_node', { id: isHub ? 'hub.md' : 'other.md', title: isHub ? 'Other' : 'Hub' })
  })
})

test('a page of the journal that leads out of the vault is not acted on', async (t) => {
  const { root, settings, library } = await vault(t, { 'a.md': '# A\n' })
  const outside = join(root, '..', 'victim.md')
  writeFileSync(outside, same)
  const renames = join(settings.data, 'renames')
  mkdirSync(renames, { recursive: true })
  const source = library.sources[0]!.id
  const rest = { source, title: 'B', before: hash, after: hash, mark: '0123456789ab' }
  const swaps = [['The same', 'Another']]
  for (const [i, page] of [
    { ...rest, from: '../victim.md', to: 'b.md', files: [] },
    { ...rest, from: 'b.md', to: '../victim.md', files: [] },
    { ...rest, from: 'b.md', to: 'a.md', files: [{ path: '../victim.md', swaps }] },
    { ...rest, from: 'b.md', to: 'a.md', files: [{ path: 'a.md', swaps: 'x' }] },
    { ...rest, from: 'b.md', to: 'a.md', files: [null] },
    null,
  ].entries())
    writeFileSync(join(renames, `${i}.json`), JSON.stringify(page))
  const troubles = await recoverRenames(library)
  assert.equal(troubles.length, 6)
  for (const trouble of troubles) assert.match(trouble, /It is no page/)
  assert.deepEqual(readFileSync(outside), same)
})
