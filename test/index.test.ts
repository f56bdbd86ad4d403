import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { openCarrel } from '../src/index.js'
import { temporaryFolder, write } from './support/world.js'

test('a program opens a folder, indexes it and asks', async (t) => {
  const root = temporaryFolder(t)
  write(root, {
    'a.md': '# Wick\n\nTrim it often.',
    'carrel.json': '{ "embedding": { "provider": "none" } }',
  })
  const carrel = await openCarrel({ root })
  t.after(() => carrel.close())
  const { counts } = await carrel.index()
  assert.equal(counts.stored, 2)
  const { hits } = await carrel.search({ query: 'trim' })
  assert.deepEqual([hits[0]!.document, hits[0]!.heading], ['a.md', 'Wick'])
  assert.equal((await carrel.status()).documents, 2)
})

test('a relative folder is relative to the folder of the process', async (t) => {
  const root = temporaryFolder(t)
  write(root, { 'a.md': '# Wick', 'carrel.json': '{ "embedding": { "provider": "none" } }' })
  const carrel = await openCarrel({ root: relative(process.cwd(), root) })
  t.after(() => carrel.close())
  assert.equal((await carrel.status()).root, root)
})

test("a project's folder does not pass for the user's home, whose configuration may do more", async (t) => {
  const folder = temporaryFolder(t)
  const config = JSON.stringify({ embedding: { provider: 'none' }, sources: [join(folder, 'private')] })
  write(folder, {
    'private/secret.md': '# Secret\n\nThe combination of the safe.',
    'project/a.md': '# Wick\n\nTrim it often.',
    'project/carrel.json': '{ "embedding": { "provider": "none" } }',
    'project/.config/carrel/config.json': config,
    'project/.carrel-home/config.json': config,
  })
  const home = join(folder, 'home')
  mkdirSync(home)
  const before = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME }
  t.after(() => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
  process.env.HOME = home
  delete process.env.XDG_CONFIG_HOME
  const carrel = await openCarrel({ root: join(folder, 'project') })
  t.after(() => carrel.close())
  await carrel.index()
  const { hits } = await carrel.search({ query: 'combination safe' })
  assert.deepEqual(hits, [])
  assert.equal((await carrel.search({ query: 'trim' })).hits.length, 1)
})
