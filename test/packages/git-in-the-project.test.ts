// A git repository in the project's folder is the project's own, unless git would read files elsewhere through it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type Files, temporaryFolder, write } from '../support/world.js'
import { project } from './package-world.js'

const strict = { outside: false, network: false }

function git(cwd: string, ...args: string[]) {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'commit.gpgsign=false']
  const ran = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' })
  assert.equal(ran.status, 0, ran.stderr)
}

function makeRepository(folder: string, files: Files) {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet')
  write(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '--quiet', '-m', 'x')
}

async function desk(t: TestContext) {
  const made = await project(t, { 'readme.md': '# R' }, strict)
  const outside = join(temporaryFolder(t), 'private')
  makeRepository(outside, { 'secret.md': '# Secret' })
  return { ...made, outside, inside: join(made.root, 'vendor/handbook') }
}

const noGit = spawnSync('git', ['--version']).error ? 'git is not installed' : false

describe('a git repository in the project', { skip: noGit }, () => {
  test('is read without --allow-outside', async (t) => {
    const { inside, add, ids } = await desk(t)
    makeRepository(inside, { 'a.md': '# A' })
    const report = await add(`git+file://${inside}`)
    assert.deepEqual([report.state, report.error ?? null], ['synced', null])
    assert.deepEqual(await ids(), ['a.md'])
  })

  test('that is bare is read as well', async (t) => {
    const { inside, root, add, ids } = await desk(t)
    makeRepository(inside, { 'a.md': '# A' })
    git(root, 'clone', '--quiet', '--bare', inside, join(root, 'bare.git'))
    await add(`git+file://${join(root, 'bare.git')}`)
    assert.deepEqual(await ids(), ['a.md'])
  })

  const borrowing: [how: string, (inside: string, outside: string) => void][] = [
    ['is a link to one elsewhere', (inside, outside) => symlinkSync(outside, inside)],
    [
      'names a git folder elsewhere',
      (inside, outside) => {
        mkdirSync(inside)
        writeFileSync(join(inside, '.git'), `gitdir: ${join(outside, '.git')}\n`)
      },
    ],
    [
      'borrows the objects of one elsewhere',
      (inside, outside) => {
        makeRepository(inside, { 'a.md': '# A' })
        writeFileSync(join(inside, '.git/objects/info/alternates'), `${join(outside, '.git/objects')}\n`)
      },
    ],
    [
      'has a folder that is a link',
      (inside, outside) => {
        makeRepository(inside, { 'a.md': '# A' })
        renameSync(join(inside, '.git/refs/heads'), join(inside, '.git/refs/old'))
        symlinkSync(join(outside, '.git/refs/heads'), join(inside, '.git/refs/heads'))
      },
    ],
  ]
  for (const [how, make] of borrowing)
    test(`that ${how} needs the user's word`, async (t) => {
      const { inside, outside, root, add, ids } = await desk(t)
      mkdirSync(join(root, 'vendor'))
      make(inside, outside)
      const report = await add(`git+file://${inside}`)
      assert.match(report.error ?? '', /outside the project/)
      assert.match(String(await ids()), /docs/, 'nothing was taken in')
    })
})
