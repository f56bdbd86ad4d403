import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.js'
import { convertCsv, csvLimits, delimiterOf, parseRows } from './csv.js'

describe('a table of text', () => {
  check('commas and quotes', 'name,size\nAnna,"3,5"\n"Bo ""the"" B","two\nlines"\n', [
    '| name | size |',
    '| --- | --- |',
    '| Anna | 3,5 |',
    '| Bo "the" B | two lines |',
  ])
  check('semicolons, as Excel writes them in half of Europe', 'a;b\n1,5;2\n3,5;4\n', [
    '| a | b |',
    '| --- | --- |',
    '| 1,5 | 2 |',
    '| 3,5 | 4 |',
  ])
  check(
    'quotes behind blanks, and those that are part of a field',
    'a, "b, c"\n"x", "y, ""z""" \nu, "v" w\n',
    ['| a | b, c |', '| --- | --- |', '| x | y, "z" |', '| u | "v" w |'],
  )
  check('tabs', 'a\tb\n1\t2\n', ['| a | b |', '| --- | --- |', '| 1 | 2 |'])
  check('bars, which are escaped', 'a,b\nx|y,2\n', ['| a | b |', '| --- | --- |', '| x\\|y | 2 |'])
  check('a declared separator', 'sep=;\na;b\n1;2\n', ['| a | b |', '| --- | --- |', '| 1 | 2 |'])
  check('no header: columns are counted', '1,2\n3,4\n', [
    '| Column 1 | Column 2 |',
    '| --- | --- |',
    '| 1 | 2 |',
    '| 3 | 4 |',
  ])
  check('ragged rows', 'a,b,c\n1\n1,2,3\n', [
    '| a | b | c |',
    '| --- | --- | --- |',
    '| 1 |  |  |',
    '| 1 | 2 | 3 |',
  ])
  check('old line ends and blank lines', 'a,b\r\r1,2\r', ['| a | b |', '| --- | --- |', '| 1 | 2 |'])

  test('is read in the encoding it is in', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('größe,b\n1,2\n', 'utf16le')])
    assert.match(convertCsv(utf16, 'a.csv').text, /größe/)
    const latin = convertCsv(Buffer.from('gr\xf6\xdfe,b\n1,2\n', 'latin1'), 'a.csv')
    assert.match(latin.text, /größe/)
    assert.equal(latin.notes[0]?.code, 'encoding_guessed')
  })

  test('repeats its header every few rows, so that a passage names its columns', () => {
    const rows = Array.from({ length: 200 }, (_, i) => `item ${i},${i * 3},some words about it`)
    const { text } = convertCsv(Buffer.from(`name,amount,remark\n${rows.join('\n')}\n`), 'a.csv')
    const tables = text.split('\n\n')
    assert.ok(tables.length > 5)
    for (const table of tables) {
      assert.match(table, /^\| name \| amount \| remark \|\n/)
      assert.ok(table.length < 1300)
    }
    for (let i = 0; i < 200; i++) assert.ok(text.includes(`| item ${i} |`))
  })

  test('is cut at its limit, with a note', () => {
    const { text, notes, metadata } = convertCsv(
      Buffer.from(`a,b\n${'1,2\n'.repeat(csvLimits.rows + 500)}`),
      'a.csv',
    )
    assert.equal(text.match(/\| 1 \| 2 \|/g)?.length, csvLimits.rows - 1)
    assert.equal(metadata.rows, csvLimits.rows + 501)
    assert.match(notes[0]!.message, /Only the first 10000 of 10501 rows/)
  })

  test('keeps a long text in a cell, and is cut at its limits of columns and cells with notes', () => {
    const long = `${'word '.repeat(1000)}xylophone`
    assert.match(convertCsv(Buffer.from(`a,b\n1,"${long}"\n`), 'a.csv').text, /xylophone/)
    const wide = Array.from({ length: csvLimits.columns + 20 }, (_, i) => `c${i}`).join(',')
    const { text, notes } = convertCsv(Buffer.from(`${wide}\n1,"${long.repeat(10)}"\n`), 'a.csv')
    assert.ok(text.length > 32_767 && text.length < 40_000)
    assert.deepEqual(notes, [
      { code: 'cut', message: 'Only the first 200 columns are kept.' },
      { code: 'cut', message: 'Only the first 32767 characters of its longest cells are kept.' },
    ])
    const empty = ','.repeat(csvLimits.columns + 20)
    assert.deepEqual(convertCsv(Buffer.from(`a${empty}\n1${empty}\n`), 'a.csv').notes, [])
  })

  test('is read without quotes when one of them never closes', () => {
    const { text, notes } = convertCsv(Buffer.from(`a,b\n"open,2\n${'x,y\n'.repeat(100)}`), 'a.csv')
    assert.equal(notes[0]?.code, 'csv_broken')
    assert.match(text, /\| "open \| 2 \|/)
  })

  test('has no text when it is empty', () => {
    assert.equal(convertCsv(Buffer.from('\n\n'), 'a.csv').notes[0]?.code, 'no_text')
  })

  test('keeps every field of well-formed CSV', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\n', 'é', '😀') })
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 5 }), { maxLength: 20 }), (rows) => {
        const text = rows
          .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
          .join('\n')
        const expected = rows
          .map((row) => row.map((cell) => cell.trim()))
          .filter((row) => row.some((cell) => cell !== ''))
        assert.deepEqual(parseRows(text, ',', 1000).rows, expected)
      }),
      { seed: 7, numRuns: 100 },
    )
  })

  test('finds its delimiter on any input without failing', () => {
    fc.assert(
      fc.property(
        anyText(),
        (text) => [',', ';', '\t', '|'].includes(delimiterOf(text, 'a.csv')) || /^sep=/i.test(text),
      ),
      { seed: 7, numRuns: 100 },
    )
  })
})

function check(what: string, csv: string, lines: string[]) {
  test(what, () => assert.equal(convertCsv(Buffer.from(csv), 'a.csv').text, lines.join('\n')))
}
