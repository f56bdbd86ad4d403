import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sheetRows, xlsx, zipOf } from '../../../test/support/office-files.js'
import { Problem } from '../../model/problem.js'
import { convertXlsx } from './xlsx.js'
import { dateText } from './xlsx-styles.js'

describe('a workbook', () => {
  test('is a heading and a table for every sheet', () => {
    const { text, title, metadata } = convertXlsx(
      xlsx(
        {
          Ferries: sheetRows([
            ['Name', 'Seats'],
            ['Marta', 120],
            ['Ilse', 80],
          ]),
          Empty: '',
          Ports: sheetRows([
            ['Port', 'Depth'],
            ['Saltmere', 7.5],
          ]),
        },
        { card: { title: 'The fleet', author: 'Ilse Varga', created: '2026-04-12T09:00:00Z' } },
      ),
    )
    assert.equal(
      text,
      '## Ferries\n\n| Name | Seats |\n| --- | --- |\n| Marta | 120 |\n| Ilse | 80 |\n\n## Ports\n\n| Port | Depth |\n| --- | --- |\n| Saltmere | 7.5 |',
    )
    assert.equal(title, 'The fleet')
    assert.deepEqual(metadata, {
      author: 'Ilse Varga',
      date: '2026-04-12T09:00:00Z',
      sheets: ['Ferries', 'Empty', 'Ports'],
    })
  })

  test('reads every kind of cell', () => {
    const strings = ['Kind', 'Value', '<r><t>rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh>']
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="171" formatCode="[Red]0.00 &quot;days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="10"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs>'
    const cells = [
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c>',
      row('shared', '<c r="B2" t="s"><v>2</v></c>'),
      row('number', '<c r="B3"><v>0.30000000000000004</v></c>'),
      row('date', '<c r="B4" s="1"><v>45658</v></c>'),
      row('written date', '<c r="B5" s="2"><v>45658</v></c>'),
      row('days', '<c r="B6" s="3"><v>12.5</v></c>'),
      row('percent', '<c r="B7" s="4"><v>0.125</v></c>'),
      row('time', '<c r="B8" s="5"><v>0.75</v></c>'),
      row('both', '<c r="B9" s="6"><v>45658.25</v></c>'),
      row('truth', '<c r="B10" t="b"><v>1</v></c>'),
      row('formula', '<c r="B11" t="str"><f>A1&amp;"x"</f><v>Kindx</v></c>'),
      row('error', '<c r="B12" t="e"><v>#N/A</v></c>'),
      row('iso', '<c r="B13" t="d"><v>2026-04-12T00:00:00</v></c>'),
      row('entity', '<c r="B14" t="inlineStr"><is><t>a &lt; b &amp; &#65;</t></is></c>'),
    ]
    const { text } = convertXlsx(
      xlsx({ S: cells.map((c) => `<row>${c}</row>`).join('') }, { strings, styles }),
    )
    const values = Object.fromEntries(
      text
        .split('\n')
        .slice(4)
        .map((line) => line.slice(2, -2).split(' | ')),
    )
    assert.deepEqual(values, {
      shared: 'rich text',
      number: '0.3',
      date: '2025-01-01',
      'written date': '2025-01-01',
      days: '12.5',
      percent: '12.5%',
      time: '18:00',
      both: '2025-01-01 06:00',
      truth: 'TRUE',
      formula: 'Kindx',
      error: '#N/A',
      iso: '2026-04-12T00:00:00',
      entity: 'a < b & A',
    })
  })

  test('repeats a cell that spans rows, and leaves the columns beside a wide cell empty', () => {
    const rows = [
      ['Port', 'Ferries', null],
      [null, 'Small', 'Large'],
      ['Saltmere', 1, 2],
      [null, 3, 4],
      ['Northport', 5, 6],
    ]
    const merged = { Ferries: ['B1:C1', 'A1:A2', 'A3:A4', 'A9', 'ZZZ1:ZZZ2'] }
    assert.equal(
      convertXlsx(xlsx({ Ferries: sheetRows(rows) }, { merged })).text,
      '## Ferries\n\n| Port | Ferries |  |\n| --- | --- | --- |\n| Port | Small | Large |\n| Saltmere | 1 | 2 |\n| Saltmere | 3 | 4 |\n| Northport | 5 | 6 |',
    )
  })

  test('reads durations as they are shown, even of more than a day', () => {
    const codes = ['[h]:mm', '[hh]:mm:ss;@', '[mm]:ss', '[ss]', '[Red]h:mm']
    const formats = codes.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code}"/>`).join('')
    const ids = [0, 170, 171, 172, 173, 174, 46]
    const styles = `<numFmts>${formats}</numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`
    const shown = [
      [1, 1.5625, '37:30'],
      [1, 0.0625, '1:30'],
      [1, -1.5, '-36:00'],
      [2, 4.0000115741, '96:00:01'],
      [3, 0.05, '72:00'],
      [4, 0.001, '86'],
      [5, 0.75, '18:00'],
      [6, 40, '960:00'],
    ] as const
    const rows = shown.map(([style, value]) => `<row><c s="${style}"><v>${value}</v></c></row>`)
    const { text } = convertXlsx(xlsx({ S: sheetRows([['Took']]) + rows.join('') }, { styles }))
    assert.deepEqual(
      text.split('\n').slice(4),
      shown.map(([, , as]) => `| ${as} |`),
    )
  })

  test('reads signs that are written by their number', () => {
    const inline = '<c t="inlineStr"><is><t>one_x000D_\ntwo</t></is></c>'
    const rows = `<row><c t="s"><v>0</v></c>${inline}<c t="str"><v>_x005F_x000D_ _x00e9_t_x00E9_</v></c></row>`
    const { text } = convertXlsx(xlsx({ S: rows }, { strings: ['a_x000A_b max_xor_'] }))
    assert.match(text, /\| a b max_xor_ \| one two \| _x000D_ été \|/)
  })

  test('finds strings and styles at any declared path', () => {
    const rows = '<row><c t="s"><v>0</v></c><c s="1"><v>45658</v></c></row>'
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    const parts = { sharedStrings: 'texts/SharedStrings1.xml', styles: 'looks.xml' }
    const { text } = convertXlsx(xlsx({ S: rows }, { strings: ['Departs'], styles, parts }))
    assert.match(text, /\| Departs \| 2025-01-01 \|/)
  })

  test('keeps the lines above a table, leaves empty columns and rows out, and does not show machinery', () => {
    const rows = sheetRows([
      ['Fleet 2026', null, null],
      [null, null, null],
      ['Name', null, 'Seats'],
      ['Marta', null, 120],
    ])
    const { text } = convertXlsx(
      xlsx({ A: rows, B: sheetRows([['x', 'y']]) }, { state: { B: 'veryHidden' } }),
    )
    assert.equal(text, '## A\n\nFleet 2026\n\n| Name | Seats |\n| --- | --- |\n| Marta | 120 |')
  })

  test('is cut at its limits, with notes', () => {
    const many = Array.from({ length: 10_200 }, (_, i) => `<row><c><v>${i}</v></c></row>`).join('')
    const wide = `<row>${Array.from({ length: 150 }, (_, i) => `<c><v>${i}</v></c>`).join('')}</row>`
    const note = `<row><c t="inlineStr"><is><t>${'word '.repeat(1000)}zebrafish</t></is></c></row>`
    const endless = `<row><c t="inlineStr"><is><t>${'word '.repeat(7000)}</t></is></c></row>`
    const { notes, text } = convertXlsx(xlsx({ Long: many, Wide: wide, Note: note, Endless: endless }))
    assert.match(text, /zebrafish/)
    assert.deepEqual(
      notes.map(({ message }) => message),
      [
        'Only the first 10000 of 10200 rows of sheet "Long" are kept.',
        'Only the first 100 columns of sheet "Wide" are kept.',
        'Only the first 32767 characters of the longest cells of sheet "Endless" are kept.',
      ],
    )
  })

  test('notes sheets beyond the limit', () => {
    const sheets = Array.from({ length: 258 }, (_, i) => [`S${i}`, sheetRows([['x', i]])])
    const { notes } = convertXlsx(xlsx(Object.fromEntries(sheets)))
    assert.deepEqual(notes, [{ code: 'cut', message: 'Only the first 256 of 258 sheets are kept.' }])
  })

  test('expands no entities and reads no others', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`
    const { text } = convertXlsx(
      xlsx({ S: `${bomb}<row><c t="inlineStr"><is><t>x&b;&c;y</t></is></c></row>` }),
    )
    assert.ok(text.includes('x&b;&c;y'))
    assert.ok(!text.includes('haha') && !text.includes('root:'))
  })

  test('is refused when it is nested without end', () => {
    const deep = '<x>'.repeat(100_000)
    assert.throws(
      () => convertXlsx(xlsx({ S: deep })),
      (error) => error instanceof Problem && /nested deeper/.test(error.message),
    )
    assert.throws(
      () => convertXlsx(zipOf({ 'xl/other.xml': '' })),
      (error) => error instanceof Problem && /no workbook/.test(error.message),
    )
  })
})

test('days are counted from 1900 with the leap day that never was, or from 1904', () => {
  assert.equal(dateText(1, 'date', false), '1900-01-01')
  assert.equal(dateText(59, 'date', false), '1900-02-28')
  assert.equal(dateText(61, 'date', false), '1900-03-01')
  assert.equal(dateText(0, 'date', true), '1904-01-01')
  assert.equal(dateText(-5, 'date', false), '-5')
  assert.equal(dateText(1e12, 'date', false), '1000000000000')
})

function row(kind: string, cell: string): string {
  return `<c t="inlineStr"><is><t>${kind}</t></is></c>${cell}`
}
