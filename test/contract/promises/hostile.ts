import assert from 'node:assert/strict'
import type { IndexedDocument } from '../../../src/model/document.js'
import type { Store } from '../../../src/store/port.js'
import {
  documentOf,
  embedAll,
  firstChunk,
  foundBy,
  ranksOf,
  same,
  sourceOf,
  stock,
  storedChunksOf,
  storedOf,
  summaryOf,
  vectorOf,
  withoutId,
  wordsOf,
} from '../sample.js'
import type { PromiseThat } from '../store.js'

const strings: Record<string, string> = {
  NUL: 'before\0after',
  emoji: 'family 👩‍👩‍👧‍👦 flag 🇩🇪 😀',
  'half a surrogate pair': 'a \ud83d b \ude00 c \udfff',
  'SQL quotes': `'; DROP TABLE documents; -- " \` [x] \\ %_ :name $1 ? @p`,
  'search operators': 'NEAR("a" b*) AND col:x OR -y ^z {"a"} NOT ()',
  'JSON and brackets': '{"a":[1,"\\u0000"]} <script>&amp;',
  'line ends of all kinds': 'a\r\nb\rc\nd\u2028e\u0085f\v\f',
  'invisible signs': '\ufeffmark \u200b\u202eright\u202c \u0001\u001f\u007f',
  'many scripts': 'Straße ÇİĞ 日本語 العربية हिन्दी e\u0301 ﬁ',
  'a prototype': '__proto__ constructor toString hasOwnProperty',
}

const paths = [
  "it's/a 'quoted' \"path\".md",
  '; DROP TABLE documents; --.md',
  '100%_done/[x]?*.md',
  'émoji 😀/日本語.md',
  'back\\slash.md',
  ' leading and trailing ',
  '../outside.md',
  '/rooted.md',
  '__proto__',
  'constructor',
  'line\nbreak.md',
  `${'deep/'.repeat(500)}end.md`,
  'x'.repeat(10_000),
]

export function hostilePromises(promise: PromiseThat): void {
  for (const [name, text] of Object.entries(strings)) {
    promise(`keeps ${name} wherever text may stand`, async ({ store }) => keeps(store, everywhere(text)))
  }

  promise('keeps documents under any path that is one', async ({ store }) => {
    const documents = paths.map((path) => documentOf(path, [`common ${path.length}`]))
    await stock(store, documents)
    for (const document of documents) await returns(store, document)
    const listed = (await store.documents({}, { offset: 0, limit: 100 })).documents
    same(
      listed.map(({ ref }) => ref.path),
      [...paths].sort(),
    )
    same([...(await store.fingerprints('notes')).keys()].sort(), [...paths].sort())
    for (const { ref } of documents) {
      same(await foundBy(store, wordsOf('common', { scope: { documents: [ref] } })), [`notes:${ref.path}#0`])
    }
    assert.equal(await store.forget(documents.map(({ ref }) => ref)), documents.length)
  })

  promise('keeps sources, models and leases under names that look like something else', async ({ store }) => {
    const names = ['__proto__', 'constructor', "o'clock", 'a"b', 'ünï😀', '100%', 'x;y--', 'a/b:c#d']
    for (const name of names) {
      await stock(store, [documentOf('a.md', ['apple'], { source: name })])
      await embedAll(store, name)
      assert.equal(await store.leases.take(name, { id: name, pid: 1, host: name }, 60_000), null)
      same(await foundBy(store, wordsOf('apple', { scope: { sources: [name] } })), [`${name}:a.md#0`])
      assert.deepEqual(
        { ...(await store.leases.take(name, { id: '', pid: 1, host: '' }, 1)) },
        { id: name, pid: 1, host: name },
      )
    }
    same(
      (await store.sources()).map(({ id }) => id),
      [...names].sort(),
    )
    const { bySource } = await store.counts()
    const vectors = await store.vectors.counts()
    for (const name of names) {
      assert.deepEqual(
        { ...Object.getOwnPropertyDescriptor(bySource, name)?.value },
        { documents: 1, chunks: 1 },
        name,
      )
      assert.ok(Object.getOwnPropertyDescriptor(vectors, name)?.value >= 1, name)
      assert.equal(await store.forgetSource(name), true)
    }
    assert.equal((await store.counts()).documents, 0)
  })

  promise('a name with NUL in it is another name, not the part before it', async ({ store }) => {
    const document = documentOf('a.md', ['apple'])
    await stock(store, [document])
    await store.records.put('kind', 'a', 1)
    const ref = { source: 'notes', path: 'a.md\0.png' }
    same([await store.document(ref), await store.chunksOf(ref), await store.forget([ref])], [null, [], 0])
    same(await store.document({ source: 'notes\0', path: 'a.md' }), null)
    same([(await store.fingerprints('notes\0')).size, await store.forgetSource('notes\0')], [0, false])
    same(await ranksOf(store, wordsOf('apple\0')), [])
    const scopes = [
      { sources: ['notes\0'] },
      { documents: [ref] },
      { under: ['a.md\0'] },
      { tags: ['sample\0'] },
    ]
    for (const scope of scopes) same(await ranksOf(store, wordsOf('apple', { scope })), [])
    await store.records.put('kind', 'a\0b', 2)
    same([await store.records.get('kind', 'a'), await store.records.get('kind', 'a\0b')], [1, 2])
    await returns(store, document)
  })

  promise('tells words apart that only look alike', async ({ store }) => {
    const words = [
      'apple',
      'Apple',
      'äpple',
      'a\u0308pple',
      'apple\0',
      'apple\0x',
      'ap',
      '😀',
      '😁',
      "'",
      '"',
      '%',
      '_',
      '*',
      '1',
      '1.0',
      '01',
    ]
    await stock(
      store,
      words.map((word, i) => documentOf(`${i}.md`, [word])),
    )
    for (const [i, word] of words.entries()) {
      same(
        await foundBy(store, { ...wordsOf(''), terms: [{ term: word, weight: 1 }] }),
        [`notes:${i}.md#0`],
        word,
      )
    }
    for (const absent of ['APPLE', 'app', 'apple ', '1.00', '**']) {
      same(await ranksOf(store, { ...wordsOf(''), terms: [{ term: absent, weight: 1 }] }), [], absent)
    }
  })

  promise('keeps a word of 100,000 characters', async ({ store }) => {
    const [long, other] = ['x'.repeat(100_000), `${'x'.repeat(99_999)}y`]
    await stock(store, [documentOf('a.md', [`${long} apple`]), documentOf('b.md', [other])])
    same(await foundBy(store, wordsOf(`${long}`)), ['notes:a.md#0'])
    same(await foundBy(store, wordsOf(`${other}`)), ['notes:b.md#0'])
    await store.replace([documentOf('a.md', ['apple'], { readAt: 2000 })])
    same(await foundBy(store, wordsOf(`${long}`)), [])
  })

  promise('keeps a document of two million characters and one of 3,000 chunks', async ({ store }) => {
    const large = documentOf('large.txt', [`${'lorem ipsum '.repeat(170_000)}😀`, 'apple'])
    large.words = [...large.words, 'lorem']
    large.chunks[0]!.terms = {
      places: Uint32Array.of(large.words.indexOf('lorem')),
      counts: Uint16Array.of(0, 0, 0, 65535),
      lengths: [0, 0, 0, 340_001],
    }
    const many = documentOf(
      'many.txt',
      Array.from({ length: 3000 }, (_, i) => `pear ${i}`),
    )
    await stock(store, [large, many])
    assert.equal((await store.document(large.ref))?.text, large.text)
    assert.equal((await store.chunksOf(many.ref)).length, 3000)
    same(await foundBy(store, wordsOf('apple 2321')), ['notes:large.txt#1', 'notes:many.txt#2321'])
    assert.equal((await ranksOf(store, wordsOf('pear', { limit: 10_000 }))).length, 3000)
  })

  promise('answers about more things at once than a statement takes parameters', async ({ store }) => {
    const document = documentOf('a.md', ['apple'])
    await stock(store, [document])
    await embedAll(store)
    const { id } = await firstChunk(store, document.ref)
    const ids = [...Array.from({ length: 40_000 }, (_, i) => 1_000_000 + i), id]
    const refs = [...ids.map((n) => ({ source: 'notes', path: `${n}.md` })), document.ref]
    const texts = ids.map(String)
    same(
      (await store.chunks(ids)).map(({ text }) => text),
      ['apple'],
    )
    assert.equal((await store.vectors.of('model', ids)).size, 1)
    assert.equal((await store.vectors.cosines('model', vectorOf('x'), ids)).size, 1)
    const scopes = [
      { documents: refs },
      { sources: ['notes', ...texts] },
      { tags: ['sample', ...texts] },
      { under: ['a.md', ...texts] },
    ]
    for (const scope of scopes) {
      same(await foundBy(store, wordsOf('apple', { scope })), ['notes:a.md#0'])
      assert.equal((await store.documents(scope, { offset: 0, limit: 5 })).total, 1)
    }
    const terms = texts.slice(0, 2000).map((term) => ({ term, weight: 1 }))
    same(await foundBy(store, { ...wordsOf(''), terms: [...terms, { term: 'apple', weight: 1 }] }), [
      'notes:a.md#0',
    ])
    assert.equal(await store.forget(refs), 1)
  })
}

/** A document that has the text in every place where text may stand. */
function everywhere(text: string): IndexedDocument {
  const document = documentOf('a.md', [{ body: text, headings: 'h', names: 'n' }, `${text} ${text}`])
  return {
    ...document,
    title: text,
    language: text,
    hash: text,
    sections: document.sections.map((section) => ({ ...section, text })),
    links: document.links.map((link) => ({ ...link, target: text, label: text, heading: text, block: text })),
    tags: [text],
    aliases: [text],
    metadata: JSON.parse(JSON.stringify({ [text]: text, ['__proto__']: { x: text }, list: [text] })),
    notes: [{ code: text, message: text }],
    chunks: document.chunks.map((chunk) => ({
      ...chunk,
      language: text,
      headings: [text, text],
      symbols: [text],
      context: text,
    })),
  }
}

async function keeps(store: Store, document: IndexedDocument): Promise<void> {
  const { title: text } = document
  await store.putSource(
    sourceOf('notes', { name: text, location: text, description: text, details: { [text]: text } }),
  )
  same((await store.sources())[0]?.details, { [text]: text })
  await store.replace([document])
  await returns(store, document)
  assert.equal((await store.counts()).chars, document.text.length)
  await embedAll(store)
  assert.equal((await store.vectors.pending('model', 5)).length, 0)
  await store.records.put(text, text, { [text]: text })
  same(await store.records.all(text), [{ id: text, value: { [text]: text } }])
  same(await store.document({ source: text, path: text }), null)
}

async function returns(store: Store, document: IndexedDocument): Promise<void> {
  same(await store.document(document.ref), storedOf(document))
  same((await store.chunksOf(document.ref)).map(withoutId), storedChunksOf(document))
  const { documents } = await store.documents({ documents: [document.ref] }, { offset: 0, limit: 5 })
  same(documents, [summaryOf(document)])
}
