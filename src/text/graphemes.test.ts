import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { characters, excerpt } from './excerpt.js'
import { tokens } from './tokens.js'
import { truncate, wholeCharacters } from './truncate.js'

const texts: Record<string, string> = {
  flags: '🇩🇪🇫🇷🇯🇵',
  'tones of skin': '👩🏽👍🏿👩🏽‍💻',
  'a family': '👨‍👩‍👧‍👦',
  'letters and marks': 'äöüéèñ'.normalize('NFD'),
  'parts of Korean syllables': '데이터베이스'.normalize('NFD'),
  'vowels of Hindi': 'मेरेपिताकीकिताबहै',
  'vowels of Thai': 'ระบบจะทำการติดตั้ง',
  'keys and lands': '1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿',
}
const seen = new Intl.Segmenter('en', { granularity: 'grapheme' })

describe('characters of several parts stay whole', () => {
  for (const [what, part] of Object.entries(texts)) {
    const text = part.repeat(40)
    const ends = new Set([text.length, ...Array.from(seen.segment(text), ({ index }) => index)])

    test(`${what}, where a text is cut`, () => {
      for (let length = 0; length <= 120; length++) {
        const start = wholeCharacters(text, length)
        assert.ok(start.length <= length && ends.has(start.length), `${length}`)
      }
      assert.ok(truncate(text, 100).length > 60)
      assert.equal(wholeCharacters(text, text.length), text)
    })

    test(`${what}, in an excerpt`, () => {
      for (const size of [characters(61), characters(97), tokens(30), tokens(45)]) {
        const { text: shown } = excerpt({ text, lines: [1, 1] }, 'किताब', size, '…')
        assert.ok(size.weigh(shown) <= size.most)
        assert.ok(standsWhole(text, shown.slice(0, -1), ends), JSON.stringify(shown))
      }
    })
  }
})

/** Somewhere in the text, from where a character begins to where one ends. */
function standsWhole(text: string, part: string, ends: ReadonlySet<number>): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (ends.has(at) && ends.has(at + part.length)) return part !== ''
  return false
}
