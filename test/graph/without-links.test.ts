// Disks without hard links (exFAT, some shares) say so in many ways: a note is written there all the same.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFile } from '../../src/toolsets/graph/write-files.js'
import { temporaryFolder } from '../support/world.js'

// What Windows calls an incorrect function is "is a folder" to Node.
for (const code of ['EPERM', 'ENOTSUP', 'EISDIR'])
  test(`a file is created if links fail with ${code}, and no file is replaced`, async (t) => {
    const root = temporaryFolder(t)
    const { link } = promises
    t.after(() => {
      promises.link = link
      syncBuiltinESMExports()
    })
    promises.link = async () => {
      throw Object.assign(new Error(code), { code })
    }
    syncBuiltinESMExports()
    writeFileSync(join(root, 'old.md'), 'old')
    assert.equal(await createFile(root, 'new.md', Buffer.from('new')), true)
    assert.equal(await createFile(root, 'old.md', Buffer.from('new')), false)
    assert.equal(readFileSync(join(root, 'new.md'), 'utf8'), 'new')
    assert.equal(readFileSync(join(root, 'old.md'), 'utf8'), 'old')
    assert.deepEqual(readdirSync(root).sort(), ['new.md', 'old.md'])
  })
