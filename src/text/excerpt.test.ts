import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { characters, excerpt } from './excerpt.js'
import { estimateTokens, tokens } from './tokens.js'

const mark = '... [truncated]'

const part = (text: string, question: string, most: number) =>
  excerpt({ text, lines: [0, text.split('\n').length - 1] }, question, characters(most), mark)

const plain = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `plain line number ${from + i}`).join('\n')

test('a passage that fits is shown whole, from its first line that is not blank', () => {
  assert.deepEqual(part('one\ntwo\n', 'two', 100), { text: 'one\ntwo', lines: [0, 1] })
  assert.deepEqual(part('\n\none\ntwo', '', 100), { text: 'one\ntwo', lines: [2, 3] })
  assert.deepEqual(part('', 'two', 100), { text: '', lines: [0, 0] })
})

test('a long one is shown where the words of the question stand, with something around them', () => {
  const text = `${plain(0, 30)}\nthe lantern is trimmed\n${plain(31, 60)}`
  const { text: shown, lines } = part(text, 'trimming lanterns', 200)
  assert.ok(lines[0] < 30 && lines[1] > 30, String(lines))
  assert.match(shown, /lantern is trimmed\nplain line/)
  assert.ok(shown.endsWith('\n... [truncated]'))
})

test('of one long line the words around those of the question are shown, cut at the ends of words', () => {
  const text = `# Head\n\n${plain(0, 60).replaceAll('\n', ' ')} the lantern is trimmed ${plain(61, 99).replaceAll('\n', ' ')}`
  const { text: shown, lines } = part(text, 'lantern', 200)
  assert.deepEqual(lines, [2, 2])
  assert.match(shown, /number \d+ the lantern is trimmed plain line/)
  assert.ok(shown.length > 150 && shown.length <= 200, shown)
  assert.ok(` ${text} `.includes(` ${shown.replace(mark, '')} `), shown)
})

test('a line without blanks is cut where its names end', () => {
  const text = Array.from({ length: 300 }, (_, i) => `"name${i}":${i}`).join(',')
  const { text: shown } = part(text, 'name150', 100)
  assert.match(shown, /"name150":150,/)
  const names = shown.replace(mark, '').match(/\w+/g) ?? []
  assert.ok(
    names.every((name) => /^(name)?\d+$/.test(name) && text.match(/\w+/g)!.includes(name)),
    shown,
  )
})

test('without such words, or with all of them at the start, it is shown from the start', () => {
  assert.equal(part(plain(0, 60), 'nothing of that', 200).lines[0], 0)
  assert.equal(part(`lantern\n${plain(1, 60)}\nlantern`, 'lantern', 200).lines[0], 0)
})

const line = fc.oneof(
  fc.constantFrom('', '  ', 'lantern', '🏮 wick'),
  fc.string({ maxLength: 80, unit: 'grapheme' }),
)
const texts = fc.array(line.map((one) => one.replace(/[\r\n]/g, ' '))).map((lines) => lines.join('\n'))

test('what is shown is the lines that are named, within the length, of any text', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 30, max: 200 }), (text, most) => {
      const shown = part(text, 'lantern wick', most)
      assert.ok(shown.text.length <= most)
      const [first, last] = shown.lines
      const named = text
        .trimEnd()
        .split('\n')
        .slice(first, last + 1)
      const bare = shown.text.replace(/\n?\.\.\. \[truncated\]$/, '')
      if (named.every(({ length }) => length < most - mark.length))
        assert.equal(bare, named.join('\n').trimEnd())
      else assert.ok(named.join('\n').includes(bare))
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('a number of tokens holds in any script', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 4, max: 100 }), (text, most) => {
      const { text: shown } = excerpt({ text, lines: [1, 99] }, 'lantern', tokens(most))
      assert.ok(estimateTokens(shown) <= most, shown)
      assert.ok(!/\p{Surrogate}/u.test(shown) && text.includes(shown))
    }),
    { seed: 7, numRuns: 300 },
  )
})
