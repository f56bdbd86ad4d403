import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Problem } from '../model/problem.js'
import { openFolder, readEntry, withFolder } from './opened-folder.js'

const skip = process.platform === 'win32' && 'links need rights there'
const onLinux = process.platform !== 'linux' && 'asks the kernel'

/** `vault/notes` with a file, and `outside` beside the vault. */
function stage(t: TestContext) {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), 'carrel-opened-')))
  t.after(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))
  for (const folder of ['vault/notes', 'outside']) mkdirSync(join(base, folder), { recursive: true })
  writeFileSync(join(base, 'vault/notes/a.md'), 'inside')
  writeFileSync(join(base, 'outside/a.md'), 'outside')
  const root = join(base, 'vault')
  const swap = () => {
    renameSync(join(root, 'notes'), join(root, 'hold'))
    symlinkSync(join(base, 'outside'), join(root, 'notes'))
  }
  return { root, outside: join(base, 'outside'), swap }
}

function isProblem(message: RegExp) {
  return (error: unknown) => error instanceof Problem && message.test(error.message)
}

for (const platform of ['linux', 'darwin'] as const)
  test(`a folder behind a link is refused, wherever it leads (as on ${platform})`, { skip }, (t) => {
    const { root, outside } = stage(t)
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(root, 'notes'), join(root, 'in'))
    mkdirSync(join(outside, 'deeper'))
    const open = (folder: string) => openFolder(root, folder, folder, platform).close()
    assert.throws(() => open('out'), isProblem(/^out leads out of the vault through a link/))
    assert.throws(() => open('out/deeper'), isProblem(/^out\/deeper leads out of the vault/))
    assert.throws(() => open('..'), isProblem(/leads out|reached through/))
    assert.throws(() => open('in'), isProblem(/^in is reached through a link/))
    assert.throws(() => open('gone'), { code: 'ENOENT' })
    assert.throws(() => open('notes/a.md'))
    open('notes')
    open('.')
  })

test('a name leads into the folder that was opened, whatever takes its place', {
  skip: onLinux,
}, async (t) => {
  const { root, outside, swap } = stage(t)
  await withFolder(root, 'notes', (folder) => {
    swap()
    writeFileSync(folder.entry('b.md'), 'new')
    rmSync(folder.entry('a.md'))
  })
  assert.deepEqual(readdirSync(outside), ['a.md'])
  assert.deepEqual(readdirSync(join(root, 'hold')), ['b.md'])
})

test('without help of the kernel, a replaced folder is noticed before a name in it is used', {
  skip,
}, (t) => {
  const { root, swap } = stage(t)
  const folder = openFolder(root, 'notes', 'notes', 'darwin')
  assert.equal(readFileSync(folder.entry('a.md'), 'utf8'), 'inside')
  swap()
  assert.throws(() => folder.entry('a.md'), isProblem(/leads out of the vault/))
  assert.throws(() => folder.check(), isProblem(/leads out of the vault/))
  rmSync(join(root, 'notes'))
  mkdirSync(join(root, 'notes'))
  assert.throws(() => folder.entry('a.md'), isProblem(/was replaced while it was written to/))
})

test('a name is the name of an entry, and no path', (t) => {
  const { root } = stage(t)
  const folder = openFolder(root, 'notes')
  for (const name of ['', '..', '../x', 'a/b', '/etc', 'a\0b']) assert.throws(() => folder.entry(name), name)
  folder.close()
})

test('only regular files are read, and no link is followed', { skip }, (t) => {
  const { root, outside } = stage(t)
  symlinkSync(join(outside, 'a.md'), join(root, 'notes/link.md'))
  mkdirSync(join(root, 'notes/folder'))
  const folder = openFolder(root, 'notes')
  const read = (name: string, most = 100) => readEntry(folder, name, most)?.toString() ?? null
  assert.deepEqual(
    [read('a.md'), read('a.md', 5), read('link.md'), read('folder'), read('gone')],
    ['inside', null, null, null, null],
  )
  folder.close()
})
