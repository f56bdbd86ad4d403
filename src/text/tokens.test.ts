import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { charactersWithin, estimateTokens } from './tokens.js'

const hash = (i: number, as: 'hex' | 'base64') => createHash('sha256').update(String(i)).digest(as)
const lines = (many: number, line: (i: number) => string) =>
  Array.from({ length: many }, (_, i) => line(i)).join('\n')
const number = (i: number) => Number.parseInt(hash(i, 'hex').slice(0, 5), 16)

const decisions = fileURLToPath(new URL('../../../docs/decisions', import.meta.url))
const english = readdirSync(decisions)
  .map((name) => readFileSync(join(decisions, name), 'utf8'))
  .join('\n')

/** The estimate over the true count, as the dearer of two tokenizers has it. */
function check(what: string, text: string, [least, most]: [number, number]) {
  test(what, () => {
    const share = estimateTokens(text) / Math.max(o200k(text), cl100k(text))
    assert.ok(share >= least && share <= most, share.toFixed(3))
  })
}

describe('the estimate is near what is counted, and rather above it', () => {
  check('English', english, [0.97, 1.1])
  check('code', readFileSync(fileURLToPath(import.meta.url), 'utf8'), [0.97, 1.25])
  check(
    'hex',
    lines(100, (i) => hash(i, 'hex')),
    [0.97, 1.2],
  )
  check(
    'identifiers of machines',
    lines(100, (i) =>
      hash(i, 'hex')
        .slice(0, 32)
        .replace(/.{8}\B/g, '$&-'),
    ),
    [0.97, 1.2],
  )
  check(
    'base64',
    lines(100, (i) => hash(i, 'base64')),
    [0.97, 1.2],
  )
  check('base64 without an end', lines(100, (i) => hash(i, 'base64')).replace(/=?\n/g, ''), [0.97, 1.2])
  check(
    'tables of numbers',
    lines(100, (i) => lines(8, (k) => String(number(i * 8 + k))).replace(/\n/g, ' ')),
    [0.97, 1.2],
  )
  check(
    'prices',
    lines(100, (i) => `${(number(i) / 100).toFixed(2)},${(number(i + 1) / 100).toFixed(2)}`),
    [0.97, 1.2],
  )
  check(
    'times',
    lines(100, (i) => `${new Date(1e12 + number(i) * 1e6).toISOString()} INFO`),
    [0.97, 1.2],
  )
  check(
    'signs',
    lines(100, (i) => `a${i % 7}[i]=(x)=>{!y&&z;}||$<%>{{}}~^`),
    [0.97, 1.3],
  )
  check(
    'pictures',
    lines(100, (i) => String.fromCodePoint(0x1f300 + ((i * 7) % 0x2ff))),
    [0.97, 1.5],
  )
  check('Amharic', 'ይህ ሶፍትዌር በአካባቢው ይሠራል እና የአውታረ መረብ ግንኙነት አያስፈልገውም። '.repeat(20), [0.97, 1.5])
  check('Chinese', '这个软件在本地运行，不需要网络连接。它会读取文件夹里的文档。'.repeat(20), [0.97, 1.5])
  check(
    'Japanese',
    'このソフトウェアはローカルで動作し、文書を小さな段落に分割します。'.repeat(20),
    [0.97, 1.5],
  )
  check(
    'Korean',
    '이 소프트웨어는 로컬에서 실행되며 네트워크 연결이 필요하지 않습니다. '.repeat(20),
    [0.97, 1.5],
  )
  check(
    'Russian',
    'Эта программа работает локально и не требует подключения к сети. '.repeat(20),
    [0.97, 1.6],
  )
  check('Hindi', 'यह सॉफ्टवेयर स्थानीय रूप से चलता है और इसे नेटवर्क की आवश्यकता नहीं है। '.repeat(20), [0.97, 1.6])
  check('Thai', 'ซอฟต์แวร์นี้ทำงานในเครื่องและไม่ต้องการการเชื่อมต่อเครือข่าย '.repeat(20), [0.97, 1.6])
  check(
    'rules and blanks',
    `${'-'.repeat(60)}\n${' '.repeat(40)}x\n${'='.repeat(30)}\n`.repeat(20),
    [0.97, 2.5],
  )
})

test('a longer text never weighs less, and what fits is the most that does', () => {
  const part = fc.constantFrom('word ', 'aB3', '1234', ' 5', '{};', '\n', '  ', 'é', '語', '😀', 'ሰ')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.nat(30), (parts, most) => {
      const text = parts.join('')
      const end = charactersWithin(text, most)
      assert.ok(estimateTokens(text.slice(0, end)) <= most)
      if (end < text.length) assert.ok(estimateTokens(text.slice(0, end + 1)) > most)
    }),
    { seed: 42, numRuns: 300 },
  )
})
