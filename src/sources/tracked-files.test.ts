import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { trackedFiles, trackedFolders } from './tracked-files.js'

const hasGit = (() => {
  try {
    execFileSync('git', ['--version'])
    return true
  } catch {
    return false
  }
})()
const skip = hasGit ? false : 'git is not installed'

const long = `${'long/'.repeat(60)}${'x'.repeat(200)}/`.repeat(1)
const names = [
  ...['a.ts', 'src/a.ts', 'src/ab.ts', 'src/build/x.ts', 'src/build/y/z.ts', 'é/build/q.ts'],
  ...['target/t.rs', 'lib/build', `${long}deep.ts`],
]

function folder(t: TestContext): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-tracked-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function git(root: string, ...args: string[]) {
  execFileSync(
    'git',
    ['-c', 'protocol.file.allow=always', '-c', 'user.name=x', '-c', 'user.email=x', ...args],
    {
      cwd: root,
      stdio: 'ignore',
    },
  )
}

function repository(root: string, files: readonly string[], ...how: string[]) {
  mkdirSync(root, { recursive: true })
  git(root, 'init', ...how)
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
  git(root, 'add', '-f', '.')
}

const built = ['build', 'target']
const sorted = (all: Iterable<string>) => [...all].sort()

for (const version of ['2', '3', '4'])
  test(`the files of an index of version ${version} are those that were added`, { skip }, async (t) => {
    const root = folder(t)
    repository(root, names)
    git(root, 'update-index', '--index-version', version === '3' ? '2' : version)
    // Version 3 is what git writes where an entry says more of itself.
    if (version === '3') git(root, 'update-index', '--skip-worktree', 'src/a.ts')
    writeFileSync(join(root, 'new.ts'), 'untracked')
    assert.deepEqual(sorted(await trackedFiles(root)), sorted(names))
    assert.deepEqual(sorted(await trackedFolders(root, built)), ['src/build', 'target', 'é/build'])
    assert.deepEqual(
      sorted(await trackedFiles(join(root, 'src'))),
      sorted(['a.ts', 'ab.ts', 'build/x.ts', 'build/y/z.ts']),
    )
    assert.deepEqual(sorted(await trackedFolders(join(root, 'src', 'build'), ['y'])), ['y'])
  })

test('hashes may be longer', { skip }, async (t) => {
  const root = folder(t)
  repository(root, names, '--object-format=sha256')
  assert.deepEqual(sorted(await trackedFiles(root)), sorted(names))
})

test('submodules and linked working trees have their own', { skip }, async (t) => {
  const root = folder(t)
  repository(join(root, 'other'), ['build/o.ts'])
  git(join(root, 'other'), 'commit', '-m', 'x')
  repository(join(root, 'one'), names)
  git(join(root, 'one'), 'submodule', 'add', join(root, 'other'), 'vendor/other')
  git(join(root, 'one'), 'commit', '-m', 'x')
  git(join(root, 'one'), 'worktree', 'add', join(root, 'linked'))
  assert.ok((await trackedFiles(join(root, 'one'))).includes('vendor/other/build/o.ts'))
  assert.ok((await trackedFolders(join(root, 'one'), built)).has('vendor/other/build'))
  assert.deepEqual(await trackedFiles(join(root, 'one', 'vendor', 'other')), ['build/o.ts'])
  assert.deepEqual(sorted(await trackedFiles(join(root, 'linked'))), sorted([...names, '.gitmodules']))
})

test('files that were added or removed since are known', { skip }, async (t) => {
  const root = folder(t)
  repository(root, ['a.ts', 'build/b.ts'])
  assert.deepEqual([...(await trackedFolders(root, built))], ['build'])
  git(root, 'rm', '-rf', 'build')
  assert.deepEqual([...(await trackedFolders(root, built))], [])
})

test('an index that is no index tracks nothing', async (t) => {
  const root = folder(t)
  assert.deepEqual(await trackedFiles(root), [])
  writeFileSync(join(root, '.git'), 'gitdir: .git')
  assert.deepEqual([await trackedFiles(root), [...(await trackedFolders(root, built))]], [[], []])
  rmSync(join(root, '.git'))
  mkdirSync(join(root, '.git'))
  assert.deepEqual(await trackedFiles(root), [])
  for (const text of [
    '',
    'DIRC',
    'DIRC\0\0\0\x02\0\0\0\x09',
    `DIRC\0\0\0\x04\0\0\xff\xff${'\xff'.repeat(500)}`,
  ]) {
    writeFileSync(join(root, '.git', 'index'), text, 'latin1')
    assert.deepEqual(await trackedFiles(root), [])
    assert.deepEqual([...(await trackedFolders(root, built))], [])
  }
})

test('an index that was cut off tracks nothing', { skip }, async (t) => {
  const root = folder(t)
  repository(root, names)
  truncateSync(join(root, '.git', 'index'), 300)
  assert.deepEqual(await trackedFiles(root), [])
})
