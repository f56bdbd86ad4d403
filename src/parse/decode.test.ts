import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../model/problem.js'
import { decode, encodingWithin } from './decode.js'

function check(what: string, bytes: Uint8Array | number[], text: string, note?: RegExp, declared?: string) {
  test(what, () => {
    const decoded = decode(Uint8Array.from(bytes), declared)
    assert.equal(decoded.text, text)
    assert.deepEqual(
      decoded.notes.map((n) => n.code),
      note ? ['encoding_guessed'] : [],
    )
    if (note) assert.match(decoded.notes[0]!.message, note)
  })
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, big: boolean) =>
  [...text].flatMap((c) =>
    big ? [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255] : [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8],
  )

describe('text is decoded', () => {
  check('when there is none', [], '')
  check('from UTF-8', utf8('añ漢😀\r\n'), 'añ漢😀\r\n')
  check('from UTF-8 with a mark, which goes', [0xef, 0xbb, 0xbf, ...utf8('é')], 'é')
  check('from UTF-16 with a mark, little end first', [0xff, 0xfe, ...utf16('aé漢', false)], 'aé漢')
  check('from UTF-16 with a mark, big end first', [0xfe, 0xff, ...utf16('aé漢', true)], 'aé漢')
  check(
    'as Windows-1252 when it is not UTF-8',
    [0x63, 0xe9, 0x20, 0x93, 0x68, 0x69, 0x94, 0x20, 0x80],
    'cé “hi” €',
    /Windows-1252/,
  )
  check(
    'as UTF-8 when only a few bytes are broken',
    [...utf8('äöüß'), 0xff, ...utf8('é')],
    'äöüß\ufffdé',
    /UTF-8 with 1 broken/,
  )
  check('as the file declares', [0x93, 0xfa, 0x96, 0x7b], '日本', undefined, 'shift_jis')
  check('as guessed when the declared encoding is unknown', [0xe9], 'é', /1252/, 'x-no-such')
  check('with the escape sequences of a terminal', utf8('\x1b[31mred\x1b[0m\f\b'), '\x1b[31mred\x1b[0m\f\b')
  check('with a zero far behind the start', [...utf8('a'.repeat(9000)), 0], `${'a'.repeat(9000)}\0`)
})

test('a file names its encoding, which is never UTF-16 where the name can be read', () => {
  const named = (text: string) => encodingWithin(utf8(text))
  assert.equal(named('<meta charset="Shift_JIS">'), 'Shift_JIS')
  assert.equal(named('<?xml version="1.0" encoding=\'koi8-r\'?>'), 'koi8-r')
  assert.equal(named('<meta http-equiv="Content-Type" content="text/html; charset=utf-16">'), null)
  assert.equal(named('<meta charset=UTF-16LE>'), null)
  assert.equal(named('<meta charset=unicode>'), null)
  assert.equal(named('<p>none</p>'), null)
})

test('binaries are refused, and nothing else is', () => {
  const refuses = (bytes: number[]) =>
    assert.throws(
      () => decode(Uint8Array.from(bytes)),
      (error) => error instanceof Problem && error.code === 'binary',
    )
  refuses([0x7f, 0x45, 0x4c, 0x46, 0, 0])
  refuses([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])
  refuses(Array.from({ length: 100 }, (_, i) => (i % 10 === 0 ? 1 : 0x41)))
  refuses([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
})
