import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexedDocument } from '../model/document.js'
import { prepare } from './prepare.js'
import { pack, unpack } from './task.js'

for (const [what, text] of Object.entries({
  'several chunks': `# A\n\n${'words and more words. '.repeat(200)}\n\n## B\n\n${'other text here. '.repeat(200)}`,
  'no chunk at all': '',
  'a chunk without a word': '# …\n\n!!! ???\n\n---\n',
}))
  test(`a document with ${what} comes through a thread as it was`, async () => {
    const ref = { source: 's', path: 'a.md' }
    const document = await prepare({
      ref,
      bytes: Buffer.from(text),
      stamp: { size: 1, mtimeMs: 2.5 },
      readAt: 3,
    })
    const through = unpack(structuredClone(pack(document)))
    // JSON has no place for what is undefined, which a thread drops too.
    assert.deepEqual(factsOf(through), JSON.parse(JSON.stringify(factsOf(document))))
    assert.deepEqual(
      through.chunks.map(({ terms }) => terms),
      document.chunks.map(({ terms }) => terms),
    )
  })

function factsOf(document: IndexedDocument) {
  const { numbered: _, ...rest } = document
  return { ...rest, chunks: document.chunks.map(({ terms: __, ...facts }) => facts) }
}
