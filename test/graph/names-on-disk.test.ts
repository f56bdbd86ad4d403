// Windows and macOS take a folder for one that is there in other letters, or with its accents written in the other way, and
// list it by the name that it was made with. A note's path has to have that name: it is looked for in the listing.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { asOnDisk } from '../../src/toolsets/graph/files.js'
import { temporaryFolder } from '../support/world.js'

/** A folder that answers to one name and is listed by another. */
function listedAs(t: TestContext, answers: string, listed: string): string {
  const root = temporaryFolder(t)
  mkdirSync(join(root, answers))
  const { readdir } = promises
  t.after(() => {
    promises.readdir = readdir
    syncBuiltinESMExports()
  })
  promises.readdir = (async (path: string) =>
    path === root ? [listed] : readdir(basename(path) === listed ? join(root, answers) : path)) as never
  syncBuiltinESMExports()
  return root
}

for (const [title, answers, listed] of [
  ['in other letters', 'Notes', 'notes'],
  ['with accents in the other way', 'Übergabe'.normalize('NFC'), 'Übergabe'.normalize('NFD')],
  ['in its own name', 'notes', 'notes'],
] as const)
  test(`a note goes into a folder that is listed ${title}`, async (t) => {
    const root = listedAs(t, answers, listed)
    assert.equal(await asOnDisk(root, `${answers}/a.md`), `${listed}/a.md`)
  })

const oneName = process.platform !== 'linux' && 'names that differ by case are one file here'

test('a folder that differs by case is another where the system says so', { skip: oneName }, async (t) => {
  const root = listedAs(t, 'notes', 'notes')
  assert.equal(await asOnDisk(root, 'Notes/a.md'), 'Notes/a.md')
})
