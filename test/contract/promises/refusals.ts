import assert from 'node:assert/strict'
import type { IndexedChunk, IndexedDocument } from '../../../src/model/document.js'
import { Problem } from '../../../src/model/problem.js'
import { contentOf, documentOf, foundBy, ranksOf, sourceOf, stock, wordsOf } from '../sample.js'
import type { PromiseThat } from '../store.js'

const chunkFaults: Record<string, Partial<IndexedChunk>> = {
  'ends beyond the text': { end: 6 },
  'starts before the text': { start: -1 },
  'ends before it starts': { start: 3, end: 2 },
  'starts between two characters': { start: 0.5 },
  'has no offset': { end: Number.NaN },
  'stands on line 0': { line: 0 },
  'ends on a line before its first': { line: 2, endLine: 1 },
  'has no hash': { hash: '' },
  'has a count too few': {
    terms: { places: new Uint32Array(1), counts: new Uint16Array(3), lengths: [0, 0, 0, 1] },
  },
  'has counts without words': {
    terms: { places: new Uint32Array(0), counts: new Uint16Array(4), lengths: [0, 0, 0, 1] },
  },
  'has a length below nothing': {
    terms: { places: new Uint32Array(1), counts: Uint16Array.of(0, 0, 0, 1), lengths: [0, 0, 0, -1] },
  },
  'has a word that its document has not': {
    terms: { places: Uint32Array.of(7), counts: Uint16Array.of(0, 0, 0, 1), lengths: [0, 0, 0, 1] },
  },
}

const documentFaults: Record<string, IndexedDocument> = {
  'without a path': documentOf('', ['apple']),
  'with NUL in its path': documentOf('a\0.md', ['apple']),
  'with half a surrogate pair in its path': documentOf('a\ud800.md', ['apple']),
  'of an unknown source': documentOf('bad.md', ['apple'], { source: 'unknown' }),
  'read at no time': documentOf('bad.md', ['apple'], { readAt: Number.NaN }),
}

export function refusalPromises(promise: PromiseThat): void {
  for (const [fault, change] of Object.entries(chunkFaults)) {
    refuses(promise, `a chunk that ${fault}`, withChunk(documentOf('bad.md', ['apple']), change))
  }
  for (const [fault, document] of Object.entries(documentFaults))
    refuses(promise, `a document ${fault}`, document)

  promise('keeps the old document whole when one of the batch is refused', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['apple', 'pear'])])
    const before = await contentOf(store)
    const batch = [documentOf('a.md', ['plum'], { readAt: 2000 }), documentOf('b.md', ['plum'])]
    await assert.rejects(store.replace([...batch, documentFaults['without a path']!]), isRefusal)
    assert.equal(await contentOf(store), before)
    assert.deepEqual(await foundBy(store, wordsOf('apple pear plum')), ['notes:a.md#0', 'notes:a.md#1'])
    await store.replace(batch)
    assert.deepEqual(await foundBy(store, wordsOf('plum')), ['notes:a.md#0', 'notes:b.md#0'])
  })

  promise('refuses a document of a source that was forgotten', async ({ store }) => {
    await stock(store, [documentOf('a.md', ['apple'])])
    await store.forgetSource('notes')
    await assert.rejects(store.replace([documentOf('a.md', ['apple'])]), isRefusal)
    assert.equal((await store.counts()).documents, 0)
  })
}

function refuses(promise: PromiseThat, fault: string, document: IndexedDocument): void {
  promise(`refuses ${fault}, and stores nothing`, async ({ store }) => {
    await store.putSource(sourceOf('notes'))
    const before = [await contentOf(store), await store.version()]
    await assert.rejects(store.replace([documentOf('good.md', ['apple']), document]), isRefusal)
    assert.deepEqual([await contentOf(store), await store.version()], before)
    assert.deepEqual(await ranksOf(store, wordsOf('apple')), [])
  })
}

function withChunk(document: IndexedDocument, change: Partial<IndexedChunk>): IndexedDocument {
  return { ...document, chunks: document.chunks.map((chunk) => ({ ...chunk, ...change })) }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid_document' && error.message.length > 10
}
