// A place outside the project is read when its user typed it, and not because the project's own file names it.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryFolder, write } from '../support/world.js'
import { project } from './package-world.js'

const strict = { outside: false, network: false }

async function desk(t: TestContext) {
  const outside = temporaryFolder(t)
  write(outside, { 'a.md': '# Alpha outside', 'deep/b.md': '# Beta' })
  const made = await project(t, { 'in/c.md': '# C' }, strict)
  const { typed, library, root } = made
  const consents = () => {
    const file = join(dirname(library.settings.contexts.global), 'allowed-packages.json')
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  }
  const name = (url: string, alias = 'docs') =>
    writeFileSync(join(root, 'context.json'), JSON.stringify({ collections: { [alias]: { url } } }))
  return { ...made, outside, consents, name, add: (url: string) => typed('add', url, '--as', 'docs') }
}

describe('a place outside the project', () => {
  test('that a person types is read, and at every later sync too', async (t) => {
    const { add, typed, outside, ids } = await desk(t)
    const added = await add(outside)
    assert.deepEqual([added.code, await ids()], [0, ['a.md', 'deep/b.md']], added.out + added.err)
    write(outside, { 'c.md': '# Gamma' })
    const synced = await typed('sync')
    assert.deepEqual([synced.code, await ids()], [0, ['a.md', 'c.md', 'deep/b.md']], synced.out)
  })

  test("that only the project's file names is refused, with what to type", async (t) => {
    const { typed, outside, name } = await desk(t)
    name(outside)
    const { code, out } = await typed('sync')
    assert.equal(code, 1)
    assert.match(out, /"docs" lies outside the project/)
    assert.ok(out.includes(`carrel add ${outside} --as docs`), out)
  })

  test('is allowed alone, not with its surroundings or the target of a link', async (t) => {
    const { add, typed, outside, name } = await desk(t)
    assert.equal((await add(join(outside, 'deep'))).code, 0)
    name(outside)
    assert.equal((await typed('sync')).code, 1)
    name(join(outside, 'deep'))
    assert.equal((await typed('sync')).code, 0)
    const secret = temporaryFolder(t)
    write(secret, { 's.md': '# Secret' })
    renameSync(join(outside, 'deep'), join(outside, 'was'))
    symlinkSync(secret, join(outside, 'deep'))
    assert.equal((await typed('sync')).code, 1)
  })

  test('is not allowed to other projects of the same user', async (t) => {
    const [one, two] = [await desk(t), await desk(t)]
    assert.equal((await one.add(one.outside)).code, 0)
    const { global } = two.library.settings.contexts
    mkdirSync(dirname(global), { recursive: true })
    writeFileSync(join(dirname(global), 'allowed-packages.json'), JSON.stringify(one.consents()))
    two.name(one.outside)
    assert.equal((await two.typed('sync')).code, 1)
  })

  test('is allowed no longer after "carrel remove", or when adding failed', async (t) => {
    const { add, typed, outside, consents, name, root } = await desk(t)
    assert.equal((await add(outside)).code, 0)
    assert.deepEqual(Object.keys(consents()), [root])
    assert.equal((await typed('remove', 'docs')).code, 0)
    assert.deepEqual(consents(), {})
    name(outside)
    assert.equal((await typed('sync')).code, 1)
    write(outside, { 'bad/manifest.json': '{' })
    assert.equal((await typed('add', join(outside, 'bad/manifest.json'), '--as', 'bad')).code, 1)
    assert.deepEqual(consents(), {})
  })

  test('is not allowed by a damaged file of consents, which the next consent replaces', async (t) => {
    const { add, typed, outside, name, library, ids } = await desk(t)
    const folder = dirname(library.settings.contexts.global)
    mkdirSync(folder, { recursive: true })
    for (const damage of ['', '{', '[]', `{"${library.settings.root}": "file:${outside}"}`]) {
      writeFileSync(join(folder, 'allowed-packages.json'), damage)
      name(outside)
      assert.equal((await typed('sync')).code, 1, damage)
    }
    assert.equal((await add(outside)).code, 0)
    assert.deepEqual(await ids(), ['a.md', 'deep/b.md'])
  })
})
