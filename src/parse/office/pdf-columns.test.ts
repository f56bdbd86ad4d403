import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PdfLine, pdf } from '../../../test/support/office-files.js'
import { convertPdf } from './pdf.js'
import { columnsApart } from './pdf-columns.js'

const placed = (lines: string[], x: number, top = 600): PdfLine[] =>
  lines.map((text, i) => [11, text, x, top - 14 * i])

function check(what: string, columns: string[][], expected: string, above: PdfLine[] = []) {
  test(what, async () => {
    const lines = columns.flatMap((column, i) => placed(column, 64 + 230 * i))
    assert.equal((await convertPdf(pdf([[...above, ...lines]]))).text, expected)
  })
}

describe('columns of a few lines', () => {
  check(
    'of two are read one after the other',
    [
      ['Harbour cranes lift every crate that', 'ships bring. They stop at dusk.'],
      ['Bakeries open at four and sell rye', 'bread to those who work at night.'],
    ],
    'Harbour cranes lift every crate that ships bring. They stop at dusk.\n\nBakeries open at four and sell rye bread to those who work at night.',
  )
  check(
    'of three are read one after the other below a paragraph',
    [
      [
        'Harbour cranes lift every crate that',
        'ships bring in from the north until',
        'the wind makes the hooks swing.',
      ],
      [
        'Bakeries open at four and sell rye',
        'bread to those who work at night.',
        'They close when it is sold.',
      ],
    ],
    `${'The whole width of the page is used by this line of text. '.repeat(2)}It ends here.\n\nHarbour cranes lift every crate that ships bring in from the north until the wind makes the hooks swing.\n\nBakeries open at four and sell rye bread to those who work at night. They close when it is sold.`,
    placed(
      [
        'The whole width of the page is used by this line of text. The whole width of the page is',
        'used by this line of text. It ends here.',
      ],
      64,
      640,
    ),
  )
  check(
    'may cut words',
    [
      ['Harbour cranes lift every crate deliv-', 'ered by *ships* until the wind blows.'],
      ['Bakeries open at four in the morn-', 'ing and sell their bread.'],
    ],
    'Harbour cranes lift every crate delivered by \\*ships\\* until the wind blows.\n\nBakeries open at four in the morning and sell their bread.',
  )
  check(
    'may end one before the other',
    [['Harbour cranes lift every crate that', 'ships bring.'], ['Bakeries open at four.']],
    'Harbour cranes lift every crate that ships bring.\n\nBakeries open at four.',
  )
  check(
    'are told from names and values',
    [
      ['customer', 'number of the order'],
      ['the harbour office', 'twelve and a half'],
    ],
    'customer the harbour office number of the order twelve and a half',
  )
  check(
    'are told from names with values of several lines',
    [['Ropes'], ['Made of hemp and kept where it is dry,', 'for they rot when they are wet.']],
    'Ropes Made of hemp and kept where it is dry,\n\nfor they rot when they are wet.',
  )

  test('are distinguished from wide blanks in a paragraph', () => {
    const page =
      'I will not describe the chart; it would take too long and even had I the hours, I could not do it.'
    const half = (text: string, x: number, y: number) => ({ text, x, y, width: 145, height: 12 })
    const lines = [
      half('I will not describe the chart;', 64, 100),
      half('it would take too long and', 217, 100),
      half('even had I the hours,', 64, 114),
      half('I could not do it.', 217, 114),
    ]
    assert.equal(columnsApart(page, lines), page)
  })
})
