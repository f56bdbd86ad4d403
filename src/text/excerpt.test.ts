import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerpt } from './excerpt.js'

const plain = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `plain line number ${from + i}`).join('\n')

test('a passage that fits is shown whole, from its first line that is not blank', () => {
  assert.deepEqual(excerpt('one\ntwo\n', 'two', 100), { text: 'one\ntwo', lines: [0, 1] })
  assert.deepEqual(excerpt('\n\none\ntwo', '', 100), { text: 'one\ntwo', lines: [2, 3] })
  assert.deepEqual(excerpt('', 'two', 100), { text: '', lines: [0, 0] })
})

test('a long one is shown where the words of the question stand, with something around them', () => {
  const text = `${plain(0, 30)}\nthe lantern is trimmed\n${plain(31, 60)}`
  const { text: shown, lines } = excerpt(text, 'trimming lanterns', 200)
  assert.ok(lines[0] < 30 && lines[1] > 30, String(lines))
  assert.match(shown, /lantern is trimmed\nplain line/)
  assert.ok(shown.endsWith('\n... [truncated]'))
})

test('without such words, or with all of them at the start, it is shown from the start', () => {
  assert.equal(excerpt(plain(0, 60), 'nothing of that', 200).lines[0], 0)
  assert.equal(excerpt(`lantern\n${plain(1, 60)}\nlantern`, 'lantern', 200).lines[0], 0)
})

test('what is shown is the lines that are named, within the length, of any text', () => {
  const line = fc.oneof(fc.constantFrom('', '  ', 'lantern', '🏮 wick'), fc.string({ maxLength: 80 }))
  const texts = fc.array(line.map((one) => one.replace(/[\r\n]/g, ' '))).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(texts, fc.integer({ min: 30, max: 200 }), (text, most) => {
      const shown = excerpt(text, 'lantern wick', most)
      assert.ok(shown.text.length <= most)
      const [first, last] = shown.lines
      const named = text
        .trimEnd()
        .split('\n')
        .slice(first, last + 1)
      const bare = shown.text.replace(/\n?\.\.\. \[truncated\]$/, '')
      if (first < last) assert.equal(bare, named.join('\n'))
      else assert.ok(named[0]!.startsWith(bare))
    }),
    { seed: 7, numRuns: 300 },
  )
})
