// On Windows and macOS one folder goes by many names: other letters, short forms. The system says which is the real one,
// and files are compared with that, so the real path of a folder has to come from the system.
import assert from 'node:assert/strict'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { folderId } from '../../src/sources/folder.js'
import { readLocation } from '../../src/sources/package/location.js'
import { openPackage } from '../../src/sources/package/open-package.js'
import { blobFolder } from '../../src/toolsets/knowledge/blob-store.js'
import { homeOf, newFolder } from '../../src/toolsets/packages/projects.js'
import { temporaryFolder } from '../support/world.js'

test('a folder in other letters than the disk has is known by those of the disk', async (t) => {
  const root = temporaryFolder(t)
  for (const name of ['docs/uploads', 'docs/packages', 'Docs/packages'])
    mkdirSync(join(root, name), { recursive: true })
  const { native } = realpathSync
  t.after(() => {
    realpathSync.native = native
  })
  realpathSync.native = ((path: string) => native(path).replace('Docs', 'docs')) as typeof native
  const [written, real] = [join(root, 'Docs'), join(root, 'docs')]
  const location = readLocation('Docs', root)
  assert.ok(location.kind === 'folder')
  assert.equal(location.path, real)
  assert.equal((await openPackage({ ...location, path: written }, { folder: root, web: null })).root, real)
  assert.equal(folderId(written), folderId(real))
  const library = { settings: { data: written } } as Library
  assert.equal(blobFolder(library), join(real, 'uploads'))
  assert.ok(newFolder(library).startsWith(join(real, 'packages')))
  assert.ok(homeOf(library, location).startsWith(join(real, 'packages')))
})
