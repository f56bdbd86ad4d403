import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { documentOf, stock, vectorOf } from '../../../test/contract/sample.js'
import { temporaryFolder } from '../../../test/support/world.js'
import { openSqliteStore } from './store.js'

test('disk use accounts for every byte of the file', async (t) => {
  const folder = temporaryFolder(t)
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  const before = await store.diskUse()
  const documents = Array.from({ length: 100 }, (_, n) =>
    documentOf(`p${n}.md`, [
      `lantern wick page${n} ${Array.from({ length: 40 }, (_, i) => `w${n * 40 + i}`).join(' ')}`,
    ]),
  )
  await stock(store, documents)
  const chunks = await store.vectors.pending('m', 1000)
  await store.vectors.put(
    'm',
    chunks.map(({ chunk, hash }) => ({ chunk, hash, vector: vectorOf(String(chunk)) })),
  )
  await store.settle()
  const use = await store.diskUse()
  for (const part of ['texts', 'postings', 'vectors', 'rest'] as const)
    assert.ok(use[part] > before[part], `${part}: ${use[part]}`)
  const sum = use.texts + use.postings + use.vectors + use.rest
  assert.equal(sum, statSync(join(folder, 'index.sqlite')).size)
})
