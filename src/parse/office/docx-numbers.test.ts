import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { docx, paragraph, wordNames } from '../../../test/support/office-files.js'
import { convertDocx } from './docx.js'

const level = (at: number, kind: string, start = 1) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${kind}"/></w:lvl>`
const abstract = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const num = (id: number, list: number, inside = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${list}"/>${inside}</w:num>`
const anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
const numbering = `<w:numbering ${wordNames}>${[
  abstract(0, level(0, 'decimal'), level(1, 'lowerLetter')),
  abstract(1, level(0, 'bullet')),
  abstract(2, level(0, 'decimal', 5)),
  num(1, 0),
  num(2, 1),
  num(3, 2),
  num(4, 0, anew),
].join('')}</w:numbering>`

const item = (id: number, text: string, at = 0, more = '') =>
  `<w:p><w:pPr>${more}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${text === '' ? '' : `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`

function check(what: string, body: string[], text: string) {
  test(what, async () => {
    const file = docx(body.join(''), {
      more: { 'word/numbering.xml': numbering },
      document: { n: ['numbering', 'numbering.xml'] },
    })
    assert.equal((await convertDocx(file)).text, text)
  })
}

describe('a numbered list in Word', () => {
  check(
    'goes on behind a paragraph and other lists',
    [item(1, 'a'), item(1, 'b'), paragraph('Wait.'), item(1, 'c'), item(2, 'x'), item(1, 'd')],
    '1. a\n2. b\n\nWait.\n\n3. c\n\n- x\n\n4. d',
  )
  check(
    'begins where it says, and anew where it says',
    [item(3, 'five'), item(3, 'six'), item(1, 'one'), item(4, 'one again'), item(4, 'two')],
    '5. five\n6. six\n\n1. one\n\n1. one again\n2. two',
  )
  check(
    'counts each level by itself',
    [item(1, 'a'), item(1, 'aa', 1), item(1, 'ab', 1), item(1, 'b'), item(1, 'ba', 1)],
    '1. a\n   1. aa\n   2. ab\n2. b\n   1. ba',
  )
  check(
    'counts what is empty, and is no part of a heading',
    [item(1, 'a'), item(1, ''), item(1, 'Head', 0, '<w:pStyle w:val="heading1"/>'), item(1, 'd')],
    '1. a\n\n# Head\n\n4. d',
  )
  check(
    'is the one that it became',
    [
      item(1, 'a'),
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:pPrChange w:id="9"><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr></w:pPrChange></w:pPr><w:r><w:t>b</w:t></w:r></w:p>`,
      item(3, 'five'),
    ],
    '1. a\n2. b\n\n5. five',
  )
})
