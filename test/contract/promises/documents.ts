import assert from 'node:assert/strict'
import type { IndexedDocument } from '../../../src/model/document.js'
import type { Store } from '../../../src/store/port.js'
import {
  documentOf,
  foundBy,
  ranksOf,
  same,
  sourceOf,
  stock,
  storedOf,
  summaryOf,
  wordsOf,
} from '../sample.js'
import type { PromiseThat } from '../store.js'

const all = { offset: 0, limit: 1000 }

export function documentPromises(promise: PromiseThat): void {
  promise('a new store is empty and answers every question', async ({ store }) => {
    const ref = { source: 'notes', path: 'a.md' }
    same(await store.sources(), [])
    same(await store.documents({}, all), { documents: [], total: 0 })
    same([await store.document(ref), await store.chunksOf(ref), await store.chunks([1])], [null, [], []])
    same([...(await store.fingerprints('notes'))], [])
    same(await ranksOf(store, wordsOf('apple')), [])
    same(await store.counts(), { sources: 0, documents: 0, chunks: 0, chars: 0, bySource: {} })
    same([await store.forget([ref]), await store.forgetSource('notes')], [0, false])
  })

  promise(
    'keeps sources by id, and putting one again changes it without touching its documents',
    async ({ store }) => {
      await stock(store, [documentOf('a.md', ['apple'], { source: 'b' })])
      await store.putSource(sourceOf('a'))
      const renamed = sourceOf('b', { name: 'Renamed', description: 'Now told', version: '2.0', details: {} })
      await store.putSource(renamed)
      same(await store.sources(), [sourceOf('a'), renamed])
      assert.equal((await store.documents({}, all)).total, 1)
    },
  )

  promise('gives a document back as it came, with its chunks counted', async ({ store }) => {
    const bare: Partial<IndexedDocument> = {
      stamp: null,
      language: 'python',
      format: 'code',
      tags: [],
      aliases: [],
      links: [],
      sections: [],
      metadata: {},
      notes: [],
    }
    const documents = [documentOf('a.md', ['apple', 'pear\nplum']), documentOf('b.py', [], bare)]
    await stock(store, documents)
    for (const document of documents) same(await store.document(document.ref), storedOf(document))
    assert.equal(await store.document({ source: 'notes', path: 'c.md' }), null)
    assert.equal(await store.document({ source: 'other', path: 'a.md' }), null)
  })

  promise('tells names, tags and links of Markdown documents without their texts', async ({ store }) => {
    const [b, a] = [documentOf('b.md', ['two']), documentOf('a é 日.md', ['one'], { stamp: null, notes: [] })]
    await stock(store, [
      b,
      a,
      documentOf('c.py', [], { format: 'code' }),
      documentOf('a.md', [], { source: 'o' }),
    ])
    const noted = ({ ref, title, hash, stamp, readAt, tags, aliases, links, notes }: IndexedDocument) => {
      return { path: ref.path, title, hash, stamp, readAt, tags, aliases, links, notes }
    }
    same(await store.noted('notes'), [noted(a), noted(b)])
    same(await store.noted('notes', ['c.py', 'never.md', 'b.md', 'b.md']), [noted(b)])
    same([await store.noted('notes', []), await store.noted('nothing')], [[], []])
  })

  promise('lists documents by source and path, in pages, with the total', async ({ store }) => {
    const [a, b, c, d] = await stockFour(store)
    const page = async (offset: number, limit: number) => store.documents({}, { offset, limit })
    same(await page(0, 10), { documents: [a, b, c, d].map((x) => summaryOf(x!)), total: 4 })
    same(await page(1, 2), { documents: [b, c].map((x) => summaryOf(x!)), total: 4 })
    same(await page(3, 2), { documents: [summaryOf(d!)], total: 4 })
    for (const [offset, limit] of [
      [4, 2],
      [0, 0],
      [0, -1],
    ] as const) {
      same(await page(offset, limit), { documents: [], total: 4 })
    }
    same(await page(-1, 1), { documents: [summaryOf(a!)], total: 4 })
  })

  promise('tells characters and lines of every document', async ({ store }) => {
    const texts = ['', 'one', 'one\n', 'one\ntwo', 'one\r\ntwo\r\n\r\nfour', '\n']
    const documents = texts.map((text, i) => documentOf(`${i}.txt`, [], { text }))
    await stock(store, documents)
    const listed = (await store.documents({}, all)).documents
    same(
      listed.map(({ chars, lines }) => [chars, lines]),
      [
        [0, 0],
        [3, 1],
        [4, 1],
        [7, 2],
        [16, 4],
        [1, 1],
      ],
    )
  })

  promise('replaces a document whole', async ({ store }) => {
    const old = documentOf('a.md', ['apple', 'pear'])
    const fresh = documentOf('a.md', ['plum'], { readAt: 2000, title: 'New', tags: [], format: 'text' })
    await stock(store, [old])
    await store.replace([fresh])
    same(await store.document(old.ref), storedOf(fresh))
    same(await foundBy(store, wordsOf('apple pear')), [])
    same(await foundBy(store, wordsOf('plum')), ['notes:a.md#0'])
    assert.equal((await store.counts()).chunks, 1)
  })

  promise('a document read earlier never replaces one read later', async ({ store }) => {
    const [early, late] = [documentOf('a.md', ['apple']), documentOf('a.md', ['pear'], { readAt: 2000 })]
    await stock(store, [late])
    await store.replace([early, documentOf('b.md', ['plum'])])
    same(await store.document(late.ref), storedOf(late))
    same(await foundBy(store, wordsOf('apple pear plum')), ['notes:a.md#0', 'notes:b.md#0'])
  })

  promise('a document read at the same moment replaces, and the last of a batch wins', async ({ store }) => {
    const versions = ['apple', 'pear', 'plum'].map((word) => documentOf('a.md', [word]))
    await stock(store, [versions[0]!])
    await store.replace([versions[1]!, versions[2]!])
    same(await store.document(versions[2]!.ref), storedOf(versions[2]!))
    await store.replace([
      documentOf('a.md', ['fig'], { readAt: 3000 }),
      documentOf('a.md', ['nut'], { readAt: 2000 }),
    ])
    same(await foundBy(store, wordsOf('pear plum fig nut')), ['notes:a.md#0'])
    assert.equal((await store.document(versions[0]!.ref))?.text, 'fig')
  })

  promise('is not touched when what was given or returned is changed afterwards', async ({ store }) => {
    const document = documentOf('a.md', ['apple'])
    const expected = structuredClone(storedOf(document))
    await stock(store, [document])
    document.tags.push('changed')
    document.chunks[0]!.terms.counts.fill(0)
    const returned = await store.document(document.ref)
    returned!.tags.push('changed')
    returned!.metadata.author = 'Changed'
    ;(await store.chunksOf(document.ref))[0]!.headings.push('Changed')
    same(await store.document(document.ref), expected)
    same(await foundBy(store, wordsOf('apple')), ['notes:a.md#0'])
    same((await store.chunksOf(document.ref))[0]!.headings, [])
  })

  promise('forgets a document with its chunks', async ({ store }) => {
    const [a, b] = [documentOf('a.md', ['apple', 'pear']), documentOf('b.md', ['apple'])]
    await stock(store, [a, b])
    const ids = (await store.chunksOf(a.ref)).map(({ id }) => id)
    assert.equal(await store.forget([a.ref, a.ref, { source: 'notes', path: 'never.md' }]), 1)
    same([await store.document(a.ref), await store.chunksOf(a.ref), await store.chunks(ids)], [null, [], []])
    same(await foundBy(store, wordsOf('apple pear')), ['notes:b.md#0'])
    same((await store.counts()).bySource, { notes: { documents: 1, chunks: 1 } })
    same([...(await store.fingerprints('notes')).keys()], ['b.md'])
  })

  promise('does not forget a document that was read after the moment named', async ({ store }) => {
    const document = documentOf('a.md', ['apple'], { readAt: 2000 })
    await stock(store, [document])
    assert.equal(await store.forget([document.ref], 1999), 0)
    same(await store.document(document.ref), storedOf(document))
    assert.equal(await store.forget([document.ref], 2000), 1)
    assert.equal(await store.document(document.ref), null)
  })

  promise('takes an older document once the newer one is forgotten', async ({ store }) => {
    const [early, late] = [documentOf('a.md', ['apple']), documentOf('a.md', ['pear'], { readAt: 2000 })]
    await stock(store, [late])
    await store.forget([late.ref])
    await store.replace([early])
    same(await store.document(early.ref), storedOf(early))
  })

  promise('a time that lies ahead proves nothing: a clock was wrong', async ({ store }) => {
    const [soon, ahead] = [Date.now() + 500, Date.now() + 3_600_000]
    const stamp = { size: 5, mtimeMs: 7.5, ctimeMs: 8.25, ino: 9 }
    const at = (path: string, word: string, readAt: number) => documentOf(path, [word], { readAt })
    const stored = ['a.md', 'b.md', 'c.md', 'd.md']
    await stock(
      store,
      stored.map((path) => at(path, 'apple', path === 'd.md' ? soon : ahead)),
    )
    await store.replace([at('a.md', 'pear', 1000), at('d.md', 'pear', 1000)])
    assert.equal((await store.document({ source: 'notes', path: 'a.md' }))?.text, 'pear')
    assert.equal((await store.document({ source: 'notes', path: 'd.md' }))?.text, 'apple')
    await store.restamp([{ ref: { source: 'notes', path: 'b.md' }, stamp, readAt: 1000 }])
    assert.equal((await store.document({ source: 'notes', path: 'b.md' }))?.readAt, 1000)
    assert.equal(await store.forget([{ source: 'notes', path: 'c.md' }], 1000), 1)
    await store.replace([at('e.md', 'apple', ahead), at('e.md', 'pear', 1000)])
    assert.equal((await store.document({ source: 'notes', path: 'e.md' }))?.text, 'pear')
  })

  promise('forgets a source with its documents and leaves the others alone', async ({ store }) => {
    const [mine, other] = [documentOf('a.md', ['apple']), documentOf('a.md', ['apple'], { source: 'other' })]
    await stock(store, [mine, other])
    assert.equal(await store.forgetSource('notes'), true)
    assert.equal(await store.forgetSource('notes'), false)
    same(await store.sources(), [sourceOf('other')])
    same(await store.document(mine.ref), null)
    same(await foundBy(store, wordsOf('apple')), ['other:a.md#0'])
    const { chars, ...rest } = await store.counts()
    same(rest, { sources: 1, documents: 1, chunks: 1, bySource: { other: { documents: 1, chunks: 1 } } })
    await store.putSource(sourceOf('notes'))
    assert.equal((await store.documents({ sources: ['notes'] }, all)).total, 0)
  })

  promise('remembers how a file looked, by source', async ({ store }) => {
    const a = documentOf('a.md', ['apple'])
    const b = documentOf('b.md', ['pear'], { stamp: null, readAt: 5 })
    await stock(store, [a, b, documentOf('a.md', ['plum'], { source: 'other' })])
    const found = await store.fingerprints('notes')
    same([...found].sort(), [
      ['a.md', { stamp: a.stamp, hash: a.hash, readAt: 1000 }],
      ['b.md', { stamp: null, hash: b.hash, readAt: 5 }],
    ])
    assert.equal((await store.fingerprints('nowhere')).size, 0)
  })

  promise('restamps a touched file and nothing else of it, unless it was read later', async ({ store }) => {
    const document = documentOf('a.md', ['apple'])
    await stock(store, [document])
    const stamp = { size: 5, mtimeMs: 7.5, ctimeMs: 8.25, ino: 9 }
    const never = { source: 'notes', path: 'never.md' }
    await store.restamp([
      { ref: document.ref, stamp, readAt: 2000 },
      { ref: never, stamp, readAt: 2000 },
    ])
    await store.restamp([
      { ref: document.ref, stamp: { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 }, readAt: 1500 },
    ])
    same(await store.document(document.ref), storedOf({ ...document, stamp, readAt: 2000 }))
    same([...(await store.fingerprints('notes'))], [['a.md', { stamp, hash: document.hash, readAt: 2000 }]])
    assert.equal(await store.document(never), null)
    assert.equal(await store.forget([document.ref], 1500), 0)
  })

  promise('counts what there is, sources without documents too', async ({ store }) => {
    await stockFour(store)
    await store.putSource(sourceOf('empty'))
    same(await store.counts(), {
      sources: 3,
      documents: 4,
      chunks: 5,
      chars: 'apple'.length * 4 + '\n\npear'.length,
      bySource: {
        empty: { documents: 0, chunks: 0 },
        notes: { documents: 3, chunks: 4 },
        other: { documents: 1, chunks: 1 },
      },
    })
  })

  promise('takes 1,000 documents in one replace, and forgets them in one forget', async ({ store }) => {
    const documents = Array.from({ length: 1000 }, (_, i) =>
      documentOf(`${i % 7}/${i}.md`, [`common word${i}`, `part${i % 10} two`]),
    )
    await stock(store, documents)
    same([(await store.counts()).documents, (await store.counts()).chunks], [1000, 2000])
    same(await foundBy(store, wordsOf('word777')), ['notes:0/777.md#0'])
    assert.equal((await ranksOf(store, wordsOf('common part3', { limit: 5000 }))).length, 1100)
    assert.equal(await store.forget(documents.map(({ ref }) => ref)), 1000)
    same([(await store.counts()).chunks, await ranksOf(store, wordsOf('common'))], [0, []])
  })
}

async function stockFour(store: Store): Promise<IndexedDocument[]> {
  const documents = [
    documentOf('B.md', ['apple', 'pear']),
    documentOf('a.md', ['apple']),
    documentOf('a/b.md', ['apple']),
    documentOf('A.md', ['apple'], { source: 'other' }),
  ]
  await stock(store, documents.toReversed())
  return documents
}
