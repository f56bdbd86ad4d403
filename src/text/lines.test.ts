import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt, lineCount, lineStarts, withPlainEnds } from './lines.js'

const cases: [text: string, lines: string[]][] = [
  ['', []],
  ['a', ['a']],
  ['a\n', ['a\n']],
  ['a\nb', ['a\n', 'b']],
  ['a\r\nb\r\n', ['a\r\n', 'b\r\n']],
  ['1%\r2%\rdone\nerror', ['1%\r2%\rdone\n', 'error']],
  ['a\r\r\nb', ['a\r\r\n', 'b']],
  ['a\rb\r', ['a\r', 'b\r']],
  ['\n\r', ['\n', '\r']],
]
for (const [text, lines] of cases)
  test(`lines end with a line feed, or in old files with a return: ${JSON.stringify(text)}`, () => {
    const starts = lineStarts(text)
    const found = Array.from(starts, (start, i) => text.slice(start, starts[i + 1]))
    assert.deepEqual(found.at(-1) === '' ? found.slice(0, -1) : found, lines)
    assert.equal(lineCount(text), lines.length)
    assert.equal(lineCount(withPlainEnds(text)), lines.length)
    for (const [i, start] of starts.entries()) assert.equal(lineAt(starts, start), i + 1)
  })

test('a part of a text keeps the ends of the whole', () => {
  assert.equal(withPlainEnds('a\nb\rc', 2), 'b c')
  assert.equal(withPlainEnds('a\rb\rc', 2), 'b\nc')
})
