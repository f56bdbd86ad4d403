import fc from 'fast-check'

const first = 0xd800
const surrogates = 0x800
const character = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((n) => String.fromCodePoint(n < first ? n : n + surrogates))

/** Text of any characters: what `fc.string({ unit: 'binary' })` is, which spends a second on a table of all characters. */
export function anyText(constraints: { maxLength?: number } = {}) {
  return fc.string({ ...constraints, unit: character })
}
