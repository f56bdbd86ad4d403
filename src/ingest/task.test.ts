import assert from 'node:assert/strict'
import { test } from 'node:test'
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
    assert.deepEqual(
      unpack(structuredClone(pack(document))),
      JSON.parse(JSON.stringify(document), revive(document)),
    )
  })

// JSON has no typed arrays; those are compared as they are.
function revive(document: Awaited<ReturnType<typeof prepare>>) {
  let chunk = 0
  return (key: string, value: unknown) => (key === 'counts' ? document.chunks[chunk++]!.terms.counts : value)
}
