// Packages that lie on this machine are compared with their files before they are shown, also those with hashes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isMiss } from '../../src/answer/find-passages.js'
import type { Library } from '../../src/answer/library.js'
import { search } from '../../src/answer/search.js'
import { readDocument } from '../../src/toolsets/documents/read.js'
import { write } from '../support/world.js'
import { manifest, project } from './package-world.js'
import { site, project as webProject } from './web-world.js'

const pinned = (path: string, text: string) => ({
  path,
  hash: `sha256:${createHash('sha256').update(text).digest('hex')}`,
})

const files = {
  'pkg/manifest.json': manifest({ files: ['free.md', 'gone.md', pinned('held.md', '# Held\n\nalpha')] }),
  'pkg/free.md': '# Free\n\nbeta',
  'pkg/gone.md': '# Gone\n\ngamma',
  'pkg/held.md': '# Held\n\nalpha',
}

async function shown(library: Library, document: string) {
  const read = await readDocument(library, { collection: 'docs', document })
  return isMiss(read) ? null : [read.title, read.notes.map(({ message }) => message).join(' ')]
}

for (const url of ['pkg', 'pkg/manifest.json'])
  test(`a hash for one file keeps none of the others from being read again: ${url}`, async (t) => {
    const { add, library, root } = await project(t, files)
    await add(url)
    write(root, { 'pkg/free.md': '# New\n\nomega' })
    rmSync(join(root, 'pkg/gone.md'))
    assert.deepEqual(await shown(library, 'free.md'), ['New', ''])
    assert.equal(await shown(library, 'gone.md'), null)
    const { hits } = await search(library, { query: 'omega', mode: 'text' })
    assert.deepEqual(
      hits.map(({ document }) => document),
      ['free.md'],
    )
  })

test('a file that its manifest has a hash for stays as it was, and says so', async (t) => {
  const { add, sync, library, root } = await project(t, files)
  await add('pkg')
  assert.deepEqual(await shown(library, 'held.md'), ['Held', ''])
  utimesSync(join(root, 'pkg/held.md'), 1, 1)
  assert.deepEqual(await shown(library, 'held.md'), ['Held', ''])
  const stale = (reason: string) => [
    'Held',
    `held.md changed since it was indexed, and this is the older text: ${reason}`,
  ]
  const changed = stale('Its hash is not the one in the manifest.')
  write(root, { 'pkg/held.md': '# Other\n\ndelta' })
  assert.deepEqual(await shown(library, 'held.md'), changed)
  const { hits, notes } = await search(library, { query: 'alpha', mode: 'text' })
  assert.deepEqual([hits[0]?.document, notes.map(({ message }) => message)], ['held.md', [changed[1]]])
  rmSync(join(root, 'pkg/held.md'))
  assert.deepEqual(await shown(library, 'held.md'), stale('The manifest lists it, but it is not there.'))
  await sync()
  assert.deepEqual(await shown(library, 'held.md'), stale('The manifest lists it, but it is not there.'))
  write(root, {
    'pkg/held.md': '# Other\n\ndelta',
    'pkg/manifest.json': manifest({ files: [pinned('held.md', '# Other\n\ndelta')] }),
  })
  await sync()
  assert.deepEqual(await shown(library, 'held.md'), ['Other', ''])
})

test('of a package with some of its files on the web, those that lie here are read again', async (t) => {
  const { at, pages } = await site(t, { '/web.md': '# Web', '/both.md': '# Both' })
  const { add, sync, library, root } = await webProject(t, {
    'pkg/manifest.json': manifest({
      files: ['free.md', { path: 'both.md', url: `${at}/both.md` }, `${at}/web.md`],
    }),
    'pkg/free.md': '# Free',
  })
  await add('pkg')
  const all = async () =>
    (await Promise.all(['free.md', 'both.md', `${at}/web.md`].map((path) => shown(library, path)))).map(
      (one) => one?.[0],
    )
  assert.deepEqual(await all(), ['Free', 'Both', 'Web'])
  write(root, { 'pkg/free.md': '# New' })
  assert.deepEqual(await all(), ['New', 'Both', 'Web'])
  for (const page of Object.keys(pages)) delete pages[page]
  await sync()
  assert.deepEqual(await all(), ['New', 'Both', 'Web'])
})
