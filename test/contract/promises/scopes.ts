import assert from 'node:assert/strict'
import type { Scope } from '../../../src/model/scope.js'
import type { Ref } from '../../../src/model/source.js'
import type { Store } from '../../../src/store/port.js'
import {
  documentOf,
  embedAll,
  foundBy,
  placesOf,
  ranksOf,
  same,
  sourceOf,
  stock,
  vectorOf,
  wordsOf,
} from '../sample.js'
import type { PromiseThat } from '../store.js'

// Eight documents, each chunk with the word "common". Only the names and the labels differ.
const library = [
  documentOf('README.md', ['common', { body: 'common code', kind: 'code', language: 'sql' }], {
    tags: ['Module/Auth'],
  }),
  documentOf('docs/adr', ['common'], { format: 'text', tags: ['Project/Lantern'] }),
  documentOf('docs/adr.md', ['common'], {
    tags: ['projector'],
    metadata: { notes: [] },
    notes: [
      { code: 'guessed', message: 'The encoding was guessed.' },
      { code: 'cut', message: 'The "end" is missing.' },
    ],
  }),
  documentOf('docs/adr/x.md', ['common', { body: 'common table', kind: 'table' }], {
    tags: ['adr', 'PROJECT'],
  }),
  documentOf('docs/adrian.md', ['common'], {
    tags: ['project/lantern/oil'],
    stamp: { size: 6, mtimeMs: 1_800_000_000_000, ctimeMs: null, ino: 1 },
  }),
  documentOf('a.py', [{ body: 'common', kind: 'code', language: 'python' }, 'common'], {
    source: 'code',
    format: 'code',
    language: 'python',
    tags: [],
  }),
  documentOf('docs/adr/x.md', ['common'], { source: 'code', tags: ['project'], stamp: null }),
  documentOf('docs/empty.py', [], { source: 'code', format: 'code', language: 'python', tags: ['project'] }),
]

const [readme, adr, adrMd, x, adrian] = [
  'README.md',
  'docs/adr',
  'docs/adr.md',
  'docs/adr/x.md',
  'docs/adrian.md',
].map((path) => `notes:${path}`) as [string, string, string, string, string]
const [py, codeX, empty] = ['code:a.py', 'code:docs/adr/x.md', 'code:docs/empty.py']

const all = [
  `${py}#0`,
  `${py}#1`,
  `${codeX}#0`,
  `${readme}#0`,
  `${readme}#1`,
  `${adr}#0`,
  `${adrMd}#0`,
  `${x}#0`,
  `${x}#1`,
  `${adrian}#0`,
]

/** A scope, the chunks in it, and the documents listed that have no chunk. */
const cases: { says: string; scope: Scope; chunks: string[]; empty?: true }[] = [
  { says: 'an empty scope covers all', scope: {}, chunks: all, empty: true },
  { says: 'one source', scope: { sources: ['code'] }, chunks: all.slice(0, 3), empty: true },
  { says: 'two sources', scope: { sources: ['notes', 'code', 'nowhere'] }, chunks: all, empty: true },
  { says: 'an unknown source', scope: { sources: ['nowhere'] }, chunks: [] },
  { says: 'no source at all', scope: { sources: [] }, chunks: [] },
  {
    says: 'documents by their refs',
    scope: {
      documents: [
        { source: 'notes', path: 'docs/adr' },
        { source: 'code', path: 'docs/adr/x.md' },
        { source: 'code', path: 'docs/adr' },
      ],
    },
    chunks: [`${codeX}#0`, `${adr}#0`],
  },
  {
    says: 'documents by what has their refs and more, however deep',
    scope: { documents: [{ source: 'notes', path: 'docs/adr', more: nested(1_500) } as Ref] },
    chunks: [`${adr}#0`],
  },
  { says: 'no document at all', scope: { documents: [] }, chunks: [] },
  {
    says: 'all but some documents',
    scope: {
      except: [
        { source: 'notes', path: 'docs/adr' },
        { source: 'code', path: 'docs/adr/x.md' },
        { source: 'nowhere', path: 'docs/adrian.md' },
      ],
    },
    chunks: all.filter((chunk) => chunk !== `${adr}#0` && chunk !== `${codeX}#0`),
    empty: true,
  },
  { says: 'all but none', scope: { except: [] }, chunks: all, empty: true },
  {
    says: 'a folder, to the end of its name',
    scope: { under: ['docs/adr'] },
    chunks: [`${codeX}#0`, `${adr}#0`, `${x}#0`, `${x}#1`],
  },
  {
    says: 'a folder with a slash behind it',
    scope: { under: ['docs/adr/'] },
    chunks: [`${codeX}#0`, `${adr}#0`, `${x}#0`, `${x}#1`],
  },
  { says: 'a folder in other letters', scope: { under: ['Docs/adr'] }, chunks: [] },
  { says: 'a folder deeper down', scope: { under: ['adr'] }, chunks: [] },
  { says: 'a part of a folder name', scope: { under: ['docs/ad', 'doc', 'docs/adr/x'] }, chunks: [] },
  { says: 'wildcards are letters', scope: { under: ['%', 'docs_adr', 'docs/*', '_'] }, chunks: [] },
  { says: 'the root by an empty string', scope: { under: [''] }, chunks: all, empty: true },
  { says: 'the root by a dot', scope: { under: ['.'] }, chunks: all, empty: true },
  { says: 'the root by a dot and a slash', scope: { under: ['./'] }, chunks: all, empty: true },
  {
    says: 'two folders, one a document',
    scope: { under: ['a.py', 'docs/adrian.md'] },
    chunks: [`${py}#0`, `${py}#1`, `${adrian}#0`],
  },
  { says: 'no folder at all', scope: { under: [] }, chunks: [] },
  { says: 'a format', scope: { formats: ['text'] }, chunks: [`${adr}#0`] },
  {
    says: 'formats',
    scope: { formats: ['text', 'code'] },
    chunks: [`${py}#0`, `${py}#1`, `${adr}#0`],
    empty: true,
  },
  { says: 'no format at all', scope: { formats: [] }, chunks: [] },
  {
    says: 'the language of a document holds for chunks without their own',
    scope: { languages: ['python'] },
    chunks: [`${py}#0`, `${py}#1`],
    empty: true,
  },
  { says: 'the language of code inside prose', scope: { languages: ['sql'] }, chunks: [`${readme}#1`] },
  { says: 'no language at all', scope: { languages: [] }, chunks: [] },
  {
    says: 'a tag and what is below it',
    scope: { tags: ['project'] },
    chunks: [`${codeX}#0`, `${adr}#0`, `${x}#0`, `${x}#1`, `${adrian}#0`],
    empty: true,
  },
  {
    says: 'a tag below another, in any case',
    scope: { tags: ['PROJECT/lantern'] },
    chunks: [`${adr}#0`, `${adrian}#0`],
  },
  { says: 'several tags', scope: { tags: ['projector', 'ADR'] }, chunks: [`${adrMd}#0`, `${x}#0`, `${x}#1`] },
  { says: 'a part of a tag', scope: { tags: ['proj', 'project/lan', '%'] }, chunks: [] },
  { says: 'no tag at all', scope: { tags: [] }, chunks: [] },
  { says: 'a kind', scope: { kinds: ['code'] }, chunks: [`${py}#0`, `${readme}#1`] },
  { says: 'kinds', scope: { kinds: ['code', 'table'] }, chunks: [`${py}#0`, `${readme}#1`, `${x}#1`] },
  { says: 'no kind at all', scope: { kinds: [] }, chunks: [] },
  {
    says: 'a module by the path',
    scope: { modules: ['DOCS', 'nowhere'] },
    chunks: [`${codeX}#0`, `${adr}#0`, `${adrMd}#0`, `${x}#0`, `${x}#1`, `${adrian}#0`],
    empty: true,
  },
  { says: 'a module by a tag', scope: { modules: ['auth'] }, chunks: [`${readme}#0`, `${readme}#1`] },
  {
    says: 'a module by the folder that its source is',
    scope: { modules: ['Billing'], within: { code: 'packages/billing', other: 'billing' } },
    chunks: [`${py}#0`, `${py}#1`, `${codeX}#0`],
    empty: true,
  },
  {
    says: 'a folder of parts by what lies directly in it',
    scope: { modules: ['src'], within: { code: 'src' } },
    chunks: [`${py}#0`, `${py}#1`],
  },
  { says: 'no module at all', scope: { modules: [] }, chunks: [] },
  { says: 'the root is no module', scope: { modules: [''] }, chunks: [] },
  { says: 'a note of one of these codes', scope: { noted: ['no', 'cut'] }, chunks: [`${adrMd}#0`] },
  { says: 'a part of a code', scope: { noted: ['cu', '%'] }, chunks: [] },
  { says: 'no code at all', scope: { noted: [] }, chunks: [] },
  {
    says: 'one of two scopes',
    scope: { any: [{ sources: ['notes'], tags: ['adr'] }, { formats: ['code'] }] },
    chunks: [`${py}#0`, `${py}#1`, `${x}#0`, `${x}#1`],
    empty: true,
  },
  {
    says: 'one of two scopes, and narrower',
    scope: { any: [{ tags: ['adr'] }, { formats: ['code'] }], kinds: ['code'] },
    chunks: [`${py}#0`],
  },
  { says: 'one of a scope that covers all', scope: { any: [{}] }, chunks: all, empty: true },
  { says: 'one of none', scope: { any: [] }, chunks: [] },
  {
    says: 'one of two scopes and one of two others',
    scope: {
      any: [{ tags: ['adr'] }, { formats: ['code'] }],
      ofKinds: [{ sources: ['code'] }, { tags: ['none'] }],
    },
    chunks: [`${py}#0`, `${py}#1`],
    empty: true,
  },
  { says: 'of none of several kinds', scope: { ofKinds: [] }, chunks: [] },
  {
    says: 'changed at a time or later, and read then where there is no file',
    scope: { since: 1_700_000_000_000.25 },
    chunks: all.filter((chunk) => chunk !== `${codeX}#0`),
    empty: true,
  },
  {
    says: 'changed later than most',
    scope: { since: 1_700_000_000_001 },
    chunks: [`${adrian}#0`],
  },
  {
    says: 'read at a time, without a file',
    scope: { since: 1000, sources: ['code'], under: ['docs/adr'] },
    chunks: [`${codeX}#0`],
  },
  {
    says: 'two fields at once',
    scope: { under: ['docs'], tags: ['project/lantern'] },
    chunks: [`${adr}#0`, `${adrian}#0`],
  },
  { says: 'kind and language of one chunk', scope: { kinds: ['prose'], languages: ['sql'] }, chunks: [] },
  {
    says: 'every field at once',
    scope: {
      sources: ['notes'],
      documents: [
        { source: 'notes', path: 'README.md' },
        { source: 'code', path: 'a.py' },
      ],
      under: ['.'],
      formats: ['markdown'],
      languages: ['sql', 'python'],
      kinds: ['code'],
    },
    chunks: [`${readme}#1`],
  },
]

export function scopePromises(promise: PromiseThat): void {
  promise('never returns a chunk outside the scope, and every one inside', async ({ store }) => {
    await stock(store, library)
    await embedAll(store)
    for (const { says, scope, chunks } of cases) {
      same((await foundBy(store, wordsOf('common', { scope }))).sort(), chunks, `words: ${says}`)
      same((await nearestPlaces(store, scope, 1000)).sort(), chunks, `meaning: ${says}`)
    }
  })

  promise('lists the documents of a scope: those that have a chunk in it', async ({ store }) => {
    await stock(store, library)
    for (const { says, scope, chunks, empty: withEmpty } of cases) {
      const expected = [
        ...new Set(chunks.map((place) => place.split('#')[0]!)),
        ...(withEmpty ? [empty!] : []),
      ].sort()
      const { documents, total } = await store.documents(scope, { offset: 0, limit: 1000 })
      same(
        documents.map(({ ref }) => `${ref.source}:${ref.path}`),
        expected,
        says,
      )
      assert.equal(total, expected.length, says)
    }
  })

  promise('returns min(limit, matches) under any scope', async ({ store }) => {
    await stock(store, library)
    await embedAll(store)
    for (const { says, scope, chunks } of cases) {
      for (const limit of [0, 1, 2, 5, 100]) {
        const expected = Math.min(limit, chunks.length)
        assert.equal((await ranksOf(store, wordsOf('common', { scope, limit }))).length, expected, says)
        assert.equal((await nearestPlaces(store, scope, limit)).length, expected, says)
      }
    }
  })

  promise('finds the few in scope behind the many better ones outside', async ({ store }) => {
    const crowd = Array.from({ length: 600 }, (_, i) => documentOf(`crowd/${i}.md`, ['apple apple apple']))
    const few = Array.from({ length: 7 }, (_, i) =>
      documentOf(`few/${i}.md`, [`apple and much else besides ${i}`]),
    )
    await store.putSource(sourceOf('notes'))
    await store.replace([...crowd, ...few])
    const question = vectorOf('apple')
    const against = question.map((value) => -value)
    const pending = await store.vectors.pending('model', 1000)
    await store.vectors.put(
      'model',
      pending.map(({ chunk, hash, text }) => ({
        chunk,
        hash,
        vector: text.includes('besides') ? against : question,
      })),
    )
    for (const limit of [1, 5, 7, 100]) {
      const scope = { under: ['few'] }
      const expected = few.slice(0, limit).map(({ ref }) => `notes:${ref.path}#0`)
      same(await foundBy(store, wordsOf('apple', { scope, limit })), expected)
      same(
        await placesOf(
          store,
          await store.vectors.nearest({ model: 'model', vector: question, scope, limit }),
        ),
        expected,
      )
    }
  })

  promise('follows the time of a file that is only touched', async ({ store }) => {
    const stamp = (mtimeMs: number) => ({ size: 6, mtimeMs, ctimeMs: null, ino: 1 })
    const document = documentOf('a.md', ['common'], { readAt: 1, stamp: stamp(1_000) })
    await stock(store, [document])
    const search = () => foundBy(store, wordsOf('common', { scope: { since: 2_000 } }))
    same(await search(), [])
    await store.restamp([{ ref: document.ref, stamp: stamp(3_000), readAt: 2 }])
    same(await search(), ['notes:a.md#0'])
  })

  promise('follows labels that change', async ({ store }) => {
    const [before, after] = [['old'], ['new']].map((tags, i) =>
      documentOf('a.md', ['common'], { tags, readAt: i }),
    )
    await stock(store, [before!])
    await store.replace([{ ...after!, format: 'text', language: 'german' }])
    const scopes: Scope[] = [{ tags: ['old'] }, { formats: ['markdown'] }]
    for (const scope of scopes) same(await foundBy(store, wordsOf('common', { scope })), [])
    const scope: Scope = { tags: ['new'], formats: ['text'], languages: ['german'] }
    same(await foundBy(store, wordsOf('common', { scope })), ['notes:a.md#0'])
  })
}

async function nearestPlaces(store: Store, scope: Scope, limit: number): Promise<string[]> {
  return placesOf(
    store,
    await store.vectors.nearest({ model: 'model', vector: vectorOf('question'), scope, limit }),
  )
}

function nested(levels: number): object {
  let value = {}
  for (let i = 1; i < levels; i++) value = { value }
  return value
}
