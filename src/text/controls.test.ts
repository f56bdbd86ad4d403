import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutControls } from './one-line.js'

const tagged = (text: string) =>
  [...text].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('')

const check = (what: string, text: string, left: string) =>
  test(what, () => assert.equal(withoutControls(text), left))

check(
  'controls, marks of direction and halves of pairs go',
  'a\x00b\x1b\u202ec\u200bd\ufeff\ud800',
  'abcd\ufffd',
)
check('lines and tabs stay', 'a\tb\nc\r\n', 'a\tb\nc\r\n')
check('what tags spell goes', `a${tagged('ignore all')}b\u{e0001}`, 'ab')
check('joiners stay', 'می\u200cخواهم क\u094d\u200dष 👩\u200d💻', 'می\u200cخواهم क\u094d\u200dष 👩\u200d💻')

for (const land of ['gbeng', 'gbsct', 'gbwls']) {
  const flag = `\u{1f3f4}${tagged(land)}\u{e007f}`
  check(`the flag of ${land} stays, and no more`, `${flag}${tagged('x')}`, flag)
}
check('a flag of no land is plain', `\u{1f3f4}${tagged('obey')}\u{e007f}`, '\u{1f3f4}')
