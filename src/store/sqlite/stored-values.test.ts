import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openText, packText, unpackText } from './stored-values.js'

describe('a packed text', () => {
  test('is smaller than the text, unless the text is short', () => {
    const page = Buffer.from('The lantern burns in the window. '.repeat(100))
    assert.ok(packText(page).length < page.length / 4)
    const line = Buffer.from('The lantern burns.')
    assert.equal(packText(line), line)
  })

  test('is never larger than the text', () => {
    let seed = 7
    const noise = Uint8Array.from({ length: 5000 }, () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return (seed >> 16) & 127
    })
    assert.ok(packText(noise).length <= noise.length)
  })

  test('gives back every slice of the text, also across blocks', () => {
    const word = fc.constantFrom('lantern ', 'wick ', 'élan ', '灯 ', '\n', '\0')
    const text = fc
      .tuple(fc.array(word, { maxLength: 40 }), fc.nat({ max: 3000 }))
      .map(([words, times]) => Buffer.from(words.join('').repeat(times)))
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (bytes, a, b) => {
        const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ]
        const opened = openText(packText(bytes))
        assert.equal(opened.length, bytes.length)
        assert.ok(Buffer.from(opened.slice(from, to)).equals(bytes.subarray(from, to)))
        assert.ok(Buffer.from(unpackText(packText(bytes))).equals(bytes))
      }),
      { numRuns: 200 },
    )
  })

  test('that was damaged is a Problem or another text, never a crash', () => {
    const packed = packText(Buffer.from('The lantern burns in the window. '.repeat(4000)))
    for (let at = 1; at < packed.length; at++)
      for (const bit of [1, 128]) {
        const flipped = Uint8Array.from(packed)
        flipped[at]! ^= bit
        try {
          unpackText(flipped)
        } catch (error) {
          assert.equal((error as { code: string }).code, 'store_damaged')
        }
      }
    for (const length of [1, 4, 5, 8])
      assert.throws(() => unpackText(packed.subarray(0, length)), { code: 'store_damaged' })
  })
})
