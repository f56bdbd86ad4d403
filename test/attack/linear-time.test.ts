// Untrusted text is read in linear time: four times the text takes about four times as long, whatever it is made of.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAdr } from '../../src/parse/adr/parse-adr.js'
import { docOf } from '../../src/parse/code/declarations.js'
import { dependenciesIn } from '../../src/parse/dependencies.js'
import { parseMarkdown } from '../../src/parse/markdown.js'
import { plainWord } from '../../src/parse/office/docx-html.js'
import { htmlText } from '../../src/parse/office/html-text.js'
import { markupReaders } from '../../src/parse/text.js'
import { readPageHead } from '../../src/sources/web/page-links.js'
import { processorTime } from '../support/processor-time.js'

const pageHead = (html: string) => readPageHead(html, 'carrel')

describe('reads HTML from documents and pages in linear time', () => {
  const brackets = ['[', '\\[', '[a](#', '](#', '<p>[', '[a](#b)', '![', '```\n', ' ']
  for (const part of brackets) check('htmlText', htmlText, (n) => part.repeat(n))

  const elements = [
    '<p>a</p>',
    '<p>[',
    '<br>',
    '<p><br></p>',
    '<input>',
    '<sup>1</sup>',
    'a<sub>1</sub>',
    '<em>a</em>',
    '<ol><li>a</li></ol>',
    '<li>\ue0025\ue003a</li>',
    '<li>\ue0025\ue003a',
    '<a href="#footnote-ref-1">a</a>',
    '<sup><a href="#footnote-1">[1]</a></sup>',
    '<li id="footnote-1"><p>a',
    '<table><tr><td>a</table>',
    '<table><tr><td rowspan=200>',
  ]
  for (const part of elements) check('plainWord', plainWord, (n) => part.repeat(n))
  check('plainWord', plainWord, (n) => `<ol>${'<li id="footnote-1">a</li>'.repeat(n)}</ol>`)
  check('plainWord', plainWord, (n) => `<ol>${'<li>\ue0025\ue003a</li>'.repeat(n)}</ol>`)

  const tags = [
    '<a href=x>',
    '<div>',
    '<a b="',
    '<!--',
    '</p>',
    '<div></p>',
    `<meta http-equiv=refresh content="${'1'.repeat(2_990)}">`,
    `<meta http-equiv=refresh content="${'1.'.repeat(1_495)}">`,
    `<meta http-equiv=refresh content="${' '.repeat(2_990)}">`,
    `<link rel="${' a'.repeat(100)}">`,
  ]
  for (const part of tags)
    check('readPageHead', pageHead, (n) => part.repeat(Math.ceil(n / part.length) * 16))
  check('readPageHead', pageHead, (n) => '<div>'.repeat(n) + '</p>'.repeat(n))
  check('readPageHead', pageHead, (n) => '<div>'.repeat(n) + '</div></b>'.repeat(n))
})

describe('reads records, headings, comments and manifests in linear time', () => {
  const rows = [' ', '\t', '\t\t  ', '.', '- ', '{,', '[', '(', 'a ']
  for (const row of rows) {
    check('readAdr', record, (n) => `x${row.repeat(n)}x`)
    check('parseMarkdown', heading, (n) => `x${row.repeat(n)}x`)
    check('AsciiDoc', asciidoc, (n) => `x${row.repeat(n)}x`)
    check('docOf', docstring, (n) => `x${row.repeat(n)}x`)
  }
  for (const row of ['\n ', '\r\n', '\n:a', ':a']) check('docOf', docstring, (n) => row.repeat(n))
  check(
    'dependenciesIn',
    (text) => dependenciesIn('pom.xml', text),
    (n) => `</${'a'.repeat(n)}`,
  )
})

function record(text: string) {
  const parts = [`* Status: ${text}`, `* Deciders: ${text}`, '## Status', text, '## Decision', text]
  readAdr('docs/adr/0001-x.md', `# 1. Use x\n\n${parts.join('\n\n')}\n`)
}

function heading(text: string) {
  parseMarkdown(`# ${text}\n`)
}

function asciidoc(text: string) {
  const lines = [`= ${text}`, '', text]
  markupReaders.asciidoc.headings(lines)
}

function docstring(text: string) {
  docOf(`"""${text}"""`, [], { start: 0, end: 0 }, { start: 0, end: text.length + 6 })
}

test('cells over many rows and columns add a bounded amount to a document', () => {
  const row = `<tr><td rowspan=200 colspan=200>${'a'.repeat(2_000)}</td></tr>`
  const html = `<table>${row.repeat(500)}</table>`
  assert.ok(plainWord(html).length < html.length + 3_000_000)
})

/** Says how the text grows by its beginning. Time that is short at the larger size is not compared. */
function check(name: string, read: (text: string) => unknown, make: (size: number) => string) {
  test(`${name} on ${JSON.stringify(make(1).slice(0, 60))} again and again`, () => {
    const [small, large] = [make(5_000), make(20_000)]
    read(make(100))
    let least = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3; tries++) {
      const [one, four] = [processorTime(() => read(small)), processorTime(() => read(large))]
      if (four < 100) return
      least = Math.min(least, four / one)
      if (least < 9) return
    }
    assert.fail(`four times the text takes ${least.toFixed(1)} times as long`)
  })
}
