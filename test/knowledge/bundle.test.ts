// A source written to a file and taken in elsewhere: the same answers there, and nothing from a file that is not whole.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Library } from '../../src/answer/library.js'
import { coverage, fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import type { Embedder } from '../../src/embed/port.js'
import { Problem } from '../../src/model/problem.js'
import { packTar } from '../../src/sources/package/tar.js'
import { listName } from '../../src/toolsets/knowledge/bundle/contents.js'
import { exportSource } from '../../src/toolsets/knowledge/bundle/export-source.js'
import { type ImportRequest, importSource } from '../../src/toolsets/knowledge/bundle/import-source.js'
import { openBundle } from '../../src/toolsets/knowledge/bundle/open-bundle.js'
import { runOn } from '../cli-stage.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { pdf } from '../support/office-files.js'
import { blobFiles, type KnowledgeWorld, knowledgeWorld, sharedWorld } from './kit.js'

async function exported(t: TestContext) {
  const from = await knowledgeWorld(t)
  const { source } = await from.source({
    action: 'create',
    title: 'Birds',
    source_type: 'crawl',
    url: 'https://birds.example/',
  })
  const texts = [
    'The heron stands in the reeds.',
    'A kingfisher dives for minnows.',
    'Swifts sleep on the wing.',
  ]
  for (const [n, text] of texts.entries())
    await from.document({
      action: 'create',
      source_id: source.id,
      title: `Bird ${n}`,
      content: `# Bird ${n}\n\n${text}\n\n## Food\n\n${'It eats what it finds. '.repeat(70)}\n`,
      url: `https://birds.example/${n}`,
      metadata: { n },
    })
  writeFileSync(join(from.root, 'paper.pdf'), pdf([[[12, 'Owls hunt at night.']]]))
  await from.document({ action: 'create', source_id: source.id, file_path: 'paper.pdf' })
  await fillVectors(from.library)
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bundle-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'birds.carrel.gz')
  const done = await exportSource(from.library, { source: source.id, file, cwd: folder })
  return { from, source, file, folder, done }
}

const queries = [
  'heron in the reeds',
  'what does a kingfisher eat',
  'sleeping swifts',
  'owls at night',
  'food',
]

async function answers(w: KnowledgeWorld, source: string) {
  const all: unknown[] = []
  for (const query of queries)
    for (const search_type of ['hybrid', 'vector'])
      all.push(await w.search({ query, source_id: source, search_type, similarity_threshold: 0 }))
  return all
}

function take(library: Library, file: string, more: Partial<ImportRequest> = {}) {
  return importSource(library, { file, cwd: tmpdir(), ...more })
}

describe('a source in a file', () => {
  test('gives the same answers after the import, without embedding anything again', async (t) => {
    const { from, source, file, done } = await exported(t)
    assert.deepEqual([done.documents, done.source.title], [4, 'Birds'])
    const to = await knowledgeWorld(t)
    const report = await take(to.library, file)
    assert.deepEqual([report.added, report.failed, report.notes, report.source.id], [4, [], [], source.id])
    assert.equal(report.vectors, done.vectors)
    assert.equal((await coverage(to.library.store, to.library.embedder!.model)).missing, 0)
    assert.deepEqual(await answers(to, source.id), await answers(from, source.id))
    const got = await to.source({ action: 'get', source_id: source.id })
    assert.deepEqual(
      [got.source.url, got.source.source_type, got.source.documents_count],
      ['https://birds.example/', 'crawl', 4],
    )
    assert.equal(existsSync(join(to.library.settings.data, 'imports')), false)
    assert.ok(
      readdirSync(join(to.library.settings.data, 'uploads')).every((name) => !name.startsWith('new-')),
    )
  })

  test('is the same file for the same source', async (t) => {
    const { from, source, file, folder } = await exported(t)
    await exportSource(from.library, { source: 'Birds', file: 'again.gz', cwd: folder })
    assert.deepEqual(readFileSync(file), readFileSync(join(folder, 'again.gz')))
    assert.deepEqual(readdirSync(folder).sort(), ['again.gz', 'birds.carrel.gz'], source.id)
  })

  test('is not imported twice without --replace or --as', async (t) => {
    const { from, source, file } = await exported(t)
    await assert.rejects(take(from.library, file), { code: 'source_exists', hint: /--replace.*--as/ })
    const copy = await take(from.library, file, { as: 'Birds of May' })
    assert.notEqual(copy.source.id, source.id)
    await from.document({ action: 'create', source_id: source.id, title: 'Extra', content: 'Only here.' })
    const again = await take(from.library, file, { replace: true })
    assert.deepEqual([again.unchanged, again.removed, again.added], [4, 1, 0])
  })

  test('stays unpacked during the import, however long that takes and whatever indexes meanwhile', async (t) => {
    const { file } = await exported(t)
    const to = await knowledgeWorld(t)
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { folder, close } = await openBundle(to.library, { file, cwd: tmpdir() })
    const longAgo = Date.now() / 1000 - 3_600
    utimesSync(folder, longAgo, longAgo)
    t.mock.timers.tick(5 * 60_000)
    await indexAll(to.library, {})
    assert.ok(existsSync(join(folder, listName)))
    await close()
    assert.equal(existsSync(folder), false)
  })

  test('with vectors of another model is embedded anew, and says so', async (t) => {
    const { file } = await exported(t)
    const to = await knowledgeWorld(t)
    const library = { ...to.library, embedder: fakeEmbedder({ dimensions: 48 }) }
    const report = await take(library, file)
    assert.equal(report.vectors, 0)
    assert.match(report.notes[0]!, /of the model .* is set up\. Its passages are embedded anew\./)
    assert.ok((await coverage(library.store, library.embedder.model)).missing > 0)
  })

  test('is imported if the model does not answer, and says why its vectors are not', async (t) => {
    const { file } = await exported(t)
    const to = await knowledgeWorld(t)
    const embedder: Embedder = {
      ...to.library.embedder!,
      embed: async () => {
        throw new Problem('embedder_down', 'The service is away.', 'Start it.')
      },
    }
    const library = { ...to.library, embedder, close: async () => {} }
    const result = await runOn({ services: { open: async () => library, fillVectors } }, 'import', file)
    assert.equal(result.code, 0)
    assert.match(
      result.out,
      /^Birds .*: 4 added, .* 0 failed; 0 vectors imported, 0 computed\.\nnote: .* could not be checked\./,
    )
    assert.match(result.out, /The service is away\. Start it\. Its passages are embedded anew\.\n$/)
    assert.match(result.err, /^note: not everything could be embedded; search finds the rest by words\./)
  })

  test('a folder of the configuration is not exported', async (t) => {
    const { from, folder } = await exported(t)
    await assert.rejects(exportSource(from.library, { source: 'library', file: 'x.gz', cwd: folder }), {
      code: 'configured_source',
      hint: /carrel pack/,
    })
    assert.ok(!existsSync(join(folder, 'x.gz')))
  })

  test('an unknown name is reported with the known ones', async (t) => {
    const { from, folder } = await exported(t)
    await assert.rejects(exportSource(from.library, { source: 'Bards', file: 'x.gz', cwd: folder }), {
      message: 'There is no source Bards.',
      hint: /: .*Birds/,
    })
  })
})

describe('a file that is incomplete or does not match its list changes nothing', () => {
  interface Entry {
    path: string
    bytes: Uint8Array
  }
  type List = {
    version: number
    documents: { path: string; name: string; hash: string; url: string | null }[]
    source: { id: string }
    vectors: { parts: { hash: string }[] }
  }
  const spoils: Record<string, (bytes: Buffer) => Buffer> = {
    'cut short': (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.7)),
    'cut by one byte': (bytes) => bytes.subarray(0, -1),
    'a byte turned': (bytes) => {
      const copy = Buffer.from(bytes)
      copy[Math.floor(copy.length / 2)]! ^= 0xff
      return copy
    },
    'no archive': () => Buffer.from('hello'),
    empty: () => Buffer.alloc(0),
    'an archive of something else': () => packTar([{ path: 'manifest.json', bytes: Buffer.from('{}') }]),
    'a document that is another': spoilt((entries) =>
      entries.map((one) => (one.path.startsWith('documents/') ? { ...one, bytes: Buffer.from('x') } : one)),
    ),
    'a document that is missing': spoilt((entries) =>
      entries.filter(({ path }, i) => !path.startsWith('documents/') || i > 1),
    ),
    'a file that is not listed': spoilt((entries) => [
      ...entries,
      { path: 'documents/extra', bytes: Buffer.from('x') },
    ]),
    'a path that leads out': spoilt((entries) => [
      ...entries,
      { path: '../../outside.txt', bytes: Buffer.from('x') },
    ]),
    'an absolute path': spoilt((entries) => [
      ...entries,
      { path: '/tmp/carrel-outside.txt', bytes: Buffer.from('x') },
    ]),
    'a newer version': relisted((list) => ({ ...list, version: 2 })),
    'an id that is a path': relisted((list) => ({ ...list, source: { ...list.source, id: '../../etc' } })),
    'a name that is a path': relisted((list) => ({
      ...list,
      documents: list.documents.map((one) => ({ ...one, name: '../x.md' })),
    })),
    'a url that runs': relisted((list) => ({
      ...list,
      documents: list.documents.map((one) => ({ ...one, url: 'javascript:alert(1)' })),
    })),
    'two documents at one address': relisted((list) => ({
      ...list,
      documents: list.documents.map((one) => ({ ...one, path: 'same.md' })),
    })),
    'a field that nobody knows': relisted((list) => ({ ...list, run: 'rm -rf /' }) as never),
    'a bomb': () => Buffer.concat(Array<Buffer>(52).fill(gzipSync(Buffer.alloc(10_000_000)))),
  }

  // One bundle and one world for all: nothing changes them.
  const folder = mkdtempSync(join(tmpdir(), 'carrel-bundle-'))
  const file = join(folder, 'birds.carrel.gz')
  const world = sharedWorld()
  before(async () => {
    const from = await world()
    const { source } = await from.source({ action: 'create', title: 'Birds' })
    for (const title of ['Heron', 'Swift'])
      await from.document({ action: 'create', source_id: source.id, title, content: `The ${title} flies.` })
    await exportSource(from.library, { source: source.id, file, cwd: folder })
    await from.source({ action: 'delete', source_id: source.id })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const [what, spoil] of Object.entries(spoils))
    test(what, async (t) => {
      const to = await world()
      const was = await state(to.library)
      const broken = `${file}.${Math.random()}`
      writeFileSync(broken, spoil(readFileSync(file)))
      t.after(() => rmSync(broken, { force: true }))
      await assert.rejects(take(to.library, broken), { name: 'Problem', code: /^(bad_bundle|newer_bundle)$/ })
      assert.deepEqual(await state(to.library), was)
      assert.ok(!existsSync('/tmp/carrel-outside.txt'))
    })

  test('vectors that are not those of the texts are left out', async (t) => {
    const to = await knowledgeWorld(t)
    const broken = `${file}.vectors`
    t.after(() => rmSync(broken, { force: true }))
    const bytes = spoilt((entries) => {
      const part = entries.find(({ path }) => path === 'vectors/0000')!
      const turned = Buffer.from(part.bytes)
      const dimensions = to.library.embedder!.dimensions
      const row = 16 + dimensions * 4
      for (let at = 0; at < turned.length; at += row)
        for (let d = 0; d < dimensions; d++) turned.writeFloatLE(d === 0 ? 1 : 0, at + 16 + d * 4)
      return rehashed(entries.map((one) => (one === part ? { ...one, bytes: turned } : one)))
    })(readFileSync(file))
    writeFileSync(broken, bytes)
    const report = await take(to.library, broken)
    assert.equal(report.vectors, 0)
    assert.match(report.notes[0]!, /not those of its texts/)
  })

  async function state(library: Library) {
    return [
      await library.store.version(),
      blobFiles(library),
      await library.store.records.all('knowledge-source'),
    ]
  }

  function spoilt(change: (entries: Entry[]) => Entry[]) {
    return (bytes: Buffer) => packTar(change(entriesOf(gunzipSync(bytes))))
  }

  function relisted(change: (list: List) => List) {
    return spoilt((entries) =>
      entries.map((one) =>
        one.path === 'carrel-source.json'
          ? {
              ...one,
              bytes: Buffer.from(
                JSON.stringify(change(JSON.parse(Buffer.from(one.bytes).toString()) as List)),
              ),
            }
          : one,
      ),
    )
  }

  function rehashed(entries: Entry[]): Entry[] {
    const part = entries.find(({ path }) => path === 'vectors/0000')!
    const hash = createHash('sha256').update(part.bytes).digest('hex')
    return entries.map((one) => {
      if (one.path !== 'carrel-source.json') return one
      const list = JSON.parse(Buffer.from(one.bytes).toString()) as List
      list.vectors.parts[0]!.hash = hash
      return { ...one, bytes: Buffer.from(JSON.stringify(list)) }
    })
  }
})

/** The files of a tar archive as it is written here. */
function entriesOf(tar: Buffer): { path: string; bytes: Buffer }[] {
  const entries: { path: string; bytes: Buffer }[] = []
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '')
    if (name === '') break
    const size = Number.parseInt(tar.toString('ascii', at + 124, at + 135), 8)
    entries.push({ path: name, bytes: tar.subarray(at + 512, at + 512 + size) })
    at += 512 + Math.ceil(size / 512) * 512
  }
  return entries
}
