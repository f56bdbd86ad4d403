import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexedDocument } from '../model/document.js'
import { prepare } from './prepare.js'
import { pack, packShared, unpack } from './task.js'

for (const [what, text] of Object.entries({
  'several chunks': `# A\n\n${'words and more words. '.repeat(200)}\n\n## B\n\n${'other text here. '.repeat(200)}`,
  'no chunk at all': '',
  'a chunk without a word': '# …\n\n!!! ???\n\n---\n',
}))
  for (const [where, packed] of Object.entries({ thread: packShared, process: pack }))
    test(`a document with ${what} passes a ${where} unchanged`, async () => {
      const ref = { source: 's', path: 'a.md' }
      const document = await prepare({
        ref,
        bytes: Buffer.from(text),
        stamp: { size: 1, mtimeMs: 2.5, ctimeMs: 3.5, ino: 4 },
        readAt: 3,
      })
      const through = unpack(structuredClone(packed(document)))
      // JSON has no place for what is undefined, which a thread drops too.
      assert.deepEqual(factsOf(through), JSON.parse(JSON.stringify(factsOf(document))))
      assert.deepEqual(termsOf(through), termsOf(document))
    })

function factsOf({ words: _, ...document }: IndexedDocument) {
  return { ...document, chunks: document.chunks.map(({ terms: _, ...facts }) => facts) }
}

function termsOf({ chunks, words }: IndexedDocument) {
  return chunks.map(({ terms: { places, counts, lengths } }) => ({
    words: Array.from(places, (place) => words[place]),
    counts,
    lengths,
  }))
}

test('for another process a document has its own words only, each once', async () => {
  const ref = { source: 's', path: 'a.md' }
  const raw = { ref, stamp: null, readAt: 0 }
  await prepare({ ...raw, bytes: Buffer.from('zebra crossing') })
  const document = await prepare({ ...raw, bytes: Buffer.from('oil and oil') })
  assert.ok(document.words.includes('zebra'), 'words are shared')
  assert.deepEqual([...pack(document).words].sort(), ['a', 'a.md', 'and', 'md', 'oil'])
})
