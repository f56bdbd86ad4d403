import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { Problem } from '../model/problem.js'
import { listFolder } from './folder.js'
import { grep } from './grep.js'

const everything = '*\n'

/** What is listed in `root`, and whether a text search looks at the same files. `repository/.git/` is made as a folder. */
function check(title: string, paths: Record<string, string>, root: string, expected: string[]) {
  test(title, async (t) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-ignore-')))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    for (const [path, text] of Object.entries(paths)) {
      mkdirSync(path.endsWith('/') ? join(home, path) : dirname(join(home, path)), { recursive: true })
      if (!path.endsWith('/')) writeFileSync(join(home, path), text)
    }
    const path = join(home, root)
    const { items } = await listFolder({ path, include: [], exclude: [] })
    assert.deepEqual(
      items.map((item) => item.path),
      expected,
    )
    const { places } = await grep({ root: path, pattern: 'words', caseSensitive: true, limit: 50 })
    assert.deepEqual(
      places.map((place) => place.path),
      expected,
      'a text search looks at the same files',
    )
  })
}

describe('ignore files above a folder', () => {
  const above = { '.gitignore': everything, 'project/n.md': 'words', 'project/sub/m.md': 'words' }

  check('do not reach into a repository', { ...above, 'project/.git/': '' }, 'project', ['n.md', 'sub/m.md'])
  check('do not reach into a linked working tree', { ...above, 'project/.git': 'gitdir: x' }, 'project', [
    'n.md',
    'sub/m.md',
  ])
  check('do not reach into a folder of a repository', { ...above, 'project/.git/': '' }, 'project/sub', [
    'm.md',
  ])
  check('do not reach into a folder outside any repository', above, 'project', ['n.md', 'sub/m.md'])
  check('of another tool do not reach there either', { ...above, '.ignore': everything }, 'project', [
    'n.md',
    'sub/m.md',
  ])
  check(
    'count where they are of the same repository',
    {
      '.git/': '',
      '.gitignore': 'sub/drafts/\n*.tmp.md\n',
      'sub/a.md': 'words',
      'sub/b.tmp.md': 'words',
      'sub/drafts/c.md': 'words',
    },
    'sub',
    ['a.md'],
  )
  check('leave all out where git would', { ...above, '.git/': '' }, 'project', [])
})

describe('ignore files in a folder', () => {
  const inside = {
    '.gitignore': '*.tmp.md\n',
    'a.md': 'words',
    'b.tmp.md': 'words',
    'sub/c.tmp.md': 'words',
    'sub/.gitignore': 'd.md\n',
    'sub/d.md': 'words',
  }
  check('count with a repository', { ...inside, '.git/': '' }, '.', ['a.md'])
  check('count without one', inside, '.', ['a.md'])
})

test('a pipe with the name of an ignore file ends the listing with its name', {
  skip: process.platform === 'win32' && 'there are no such pipes',
}, async (t) => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'carrel-ignore-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const listed = ['.gitignore', 'src/.ignore'].map(async (pipe, i) => {
    const path = join(home, String(i))
    mkdirSync(join(path, 'src'), { recursive: true })
    writeFileSync(join(path, 'n.md'), 'words')
    execFileSync('mkfifo', [join(path, pipe)])
    await assert.rejects(listFolder({ path, include: [], exclude: [] }), (error) => {
      assert.ok(error instanceof Problem && error.hint)
      assert.ok(error.message.includes(`${pipe} is a pipe`), error.message)
      return true
    })
  })
  await Promise.all(listed)
})
