import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder, write } from '../support/world.js'
import { vault } from './vault.js'

const skip = process.getuid?.() === 0 ? false : 'only the superuser can give files away'

test('a write leaves a note to whose it is, and so does a rename with the notes that link to it', {
  skip,
}, async (t) => {
  const { root, call } = await vault(t, { 'a.md': '# A\n', 'b.md': '[[A]]\n' })
  for (const path of ['a.md', 'b.md']) own(root, path, 15_000, 20_000, 0o640)
  await call('update_node', { id: 'a.md', tags: ['t'] })
  assert.equal(ownerOf(root, 'a.md'), '15000:20000 640')
  await call('update_node', { id: 'a.md', title: 'Alpha' })
  assert.deepEqual([ownerOf(root, 'alpha.md'), ownerOf(root, 'b.md')], Array(2).fill('15000:20000 640'))
})

test('a process that cannot restore a note’s owner writes into the file, and keeps its group', {
  skip,
}, (t) => {
  const root = temporaryFolder(t)
  const paths = ['theirs.md', 'own.md', 'closed.md']
  write(root, Object.fromEntries(paths.map((path) => [path, 'an older and longer text\n'])))
  chmodSync(root, 0o777)
  own(root, 'theirs.md', 15_000, 20_000, 0o660)
  own(root, 'own.md', 15_001, 30_000, 0o660)
  own(root, 'closed.md', 15_000, 20_000, 0o644)
  const child = join(dirname(fileURLToPath(import.meta.url)), 'other-user-child.js')
  const { stdout, stderr } = spawnSync(process.execPath, [child, root, '15001', '20000', ...paths], {
    encoding: 'utf8',
  })
  assert.deepEqual([stdout, stderr], ['closed.md is read-only.\n', ''])
  assert.deepEqual(
    readdirSync(root)
      .sort()
      .map((path) => `${path} ${ownerOf(root, path)} ${readFileSync(join(root, path), 'utf8').trim()}`),
    [
      'closed.md 15000:20000 644 an older and longer text',
      'moved-own.md 15001:15001 660 moved',
      'moved-theirs.md 15001:20000 660 moved',
      'own.md 15001:30000 660 new',
      'theirs.md 15000:20000 660 new',
    ],
  )
})

function own(root: string, path: string, uid: number, gid: number, mode: number) {
  chownSync(join(root, path), uid, gid)
  chmodSync(join(root, path), mode)
}

function ownerOf(root: string, path: string): string {
  const { uid, gid, mode } = statSync(join(root, path))
  return `${uid}:${gid} ${(mode & 0o777).toString(8)}`
}
