import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from './one-line.js'

const cases: [string, string, string][] = [
  ['line breaks of every kind', 'a\nb\r\nc\u2028d\u2029e\u0085f\vg\fh', 'a b c d ef g h'],
  ['control characters and escape sequences', 'a\x1b[31mb\0c\x07', 'a[31mbc'],
  ['direction marks', 'a\u202eb\u2066c\u2069\u200e\u200f\u061cd', 'abcd'],
  ['hidden tags', `a\u{e0049}\u{e0067}\u{e006e}b`, 'ab'],
  ['zero-width signs', 'a\u200bb\ufeffc\u2060d\u00ade', 'abcde'],
  ['text in variation selectors', `a\u{e0141}\u{e0142}b\ufe00\ufe01\ufe02c`, 'abc'],
  ['halves of pairs', 'a\ud800b', 'a\ufffdb'],
  ['blanks around and between', '  a \t b  ', 'a b'],
]
for (const [what, given, expected] of cases)
  test(`removes ${what}`, () => assert.equal(oneLine(given), expected))

test('keeps emoji, joined letters and Han variants', () => {
  for (const text of [
    '❤️ 👩‍💻 family',
    'می‌خواهم',
    '葛\u{e0100}城',
    'שלום עולם',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ])
    assert.equal(oneLine(text), text)
})

test('is as long as asked for at most, and cuts between characters', () => {
  assert.equal(oneLine('x'.repeat(300)), `${'x'.repeat(199)}…`)
  assert.equal(oneLine(`${'x'.repeat(8)}👩‍💻`, 10), `${'x'.repeat(8)}…`)
  assert.ok(oneLine('\u202e'.repeat(1_000_000)).length === 0)
})
