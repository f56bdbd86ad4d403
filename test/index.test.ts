import assert from 'node:assert/strict'
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
