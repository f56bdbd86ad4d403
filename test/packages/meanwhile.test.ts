// What two processes do to the packages of a project at the same moment, from servers of the test's own on loopback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSource } from '../../src/services/knowledge/sources.js'
import { configuredPackages } from '../../src/services/packages/configured.js'
import { manifest, project, site } from './web-world.js'

test('an alias that another collection takes while a package is fetched is refused', async (t) => {
  const { add, library, places } = await project(t)
  const web = await site(t, {
    '/manifest.json': async (_, response) => {
      await createSource(library, { title: 'Docs', type: 'upload' })
      response.end(manifest(['a.md']))
    },
    '/a.md': '# A',
  })
  const { state, error } = await add(`${web.at}/manifest.json`)
  assert.deepEqual([state, error?.split(' (')[0]], ['failed', '"docs" is the name of another collection'])
  assert.deepEqual(
    (await library.whole.sources()).map(({ name }) => name),
    ['Docs'],
  )
  assert.deepEqual(configuredPackages(places), [])
})
