// What two processes do to the packages of a project at the same moment, from servers of the test's own on loopback.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { configuredPackages, type PackagePlaces } from '../../src/answer/configured-packages.js'
import { createSource } from '../../src/answer/source-records.js'
import { indexingLease, underLease } from '../../src/runtime/lease.js'
import { addPackage, removePackage } from '../../src/toolsets/packages/configured.js'
import { type PackageReport, syncPackages } from '../../src/toolsets/packages/sync.js'
import { sharing } from './package-world.js'
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

describe('changes of context.json by another process meanwhile', () => {
  const named = (places: PackagePlaces) => configuredPackages(places).map(({ alias, url }) => [alias, url])

  test('a package that cannot be added leaves the one that took its alias', async (t) => {
    const { add, library, places } = await project(t, { 'h/a.md': '# A' })
    const web = await site(t, {
      '/manifest.json': async (_, response) => {
        await addPackage(library, places, { url: './h', alias: 'docs' })
        response.end('{ broken')
      },
    })
    assert.equal((await add(`${web.at}/manifest.json`)).state, 'failed')
    assert.deepEqual(named(places), [['docs', './h']])
  })

  test('a package that is removed while it is fetched is gone', async (t) => {
    const { sync, library, places, root } = await project(t, { 'h/a.md': '# A' })
    const web = await site(t, {
      '/manifest.json': async (_, response) => {
        await removePackage(library, places, 'docs')
        response.end(manifest(['a.md']))
      },
      '/a.md': '# A',
    })
    await addPackage(library, places, { url: `${web.at}/manifest.json`, alias: 'docs' })
    assert.match((await sync()).error ?? '', /^"docs" was removed/)
    assert.deepEqual([named(places), await library.whole.sources()], [[], []])
    assert.deepEqual(existsSync(join(root, 'context.lock')), false)
  })

  test('a sync that had to wait reads the packages that are named when it begins', async (t) => {
    const { library, places, root } = await project(t, { 'one/a.md': '# A', 'two/b.md': '# B' })
    await addPackage(library, places, { url: './one', alias: 'one' })
    let waiting: Promise<PackageReport[]> | undefined
    await underLease(library.store.leases, indexingLease, {}, async () => {
      waiting = syncPackages(library, places)
      await sleep(100)
      await removePackage(library, places, 'one')
      await addPackage(library, places, { url: './two', alias: 'two' })
    })
    assert.deepEqual(
      (await waiting!).map(({ alias, state }) => [alias, state]),
      [['two', 'synced']],
    )
    const lock = JSON.parse(readFileSync(join(root, 'context.lock'), 'utf8'))
    assert.deepEqual(Object.keys(lock.collections), ['two'])
    assert.deepEqual(
      (await library.whole.sources()).map(({ name }) => name),
      ['two'],
    )
  })
})

test('a package that one project lets go while another takes it up stays for that one', async (t) => {
  const [one, two] = await sharing(
    t,
    { files: { 'h/a.md': '# A\n\nThe yak.' }, packages: { docs: './h' } },
    { files: {}, packages: { handbook: '../p0/h' } },
  )
  await one!.sync()
  let taking: Promise<PackageReport[]> | undefined
  const { whole } = one!.library
  const slow = {
    ...whole,
    async sources() {
      const rows = await whole.sources()
      taking ??= two!.sync()
      await sleep(500)
      return rows
    },
  }
  await removePackage({ ...one!.library, whole: slow }, one!.places, 'docs')
  assert.equal((await taking)?.[0]?.error, null)
  assert.deepEqual([await one!.found(), await two!.found()], [[], ['handbook:a.md']])
})
