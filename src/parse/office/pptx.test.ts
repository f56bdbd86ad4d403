import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pptx, slideTable, zipOf } from '../../../test/support/office-files.js'
import { Problem } from '../../model/problem.js'
import { convertPptx } from './pptx.js'

describe('a presentation', () => {
  test('is its slides in the order of the show, with bullets, tables and notes', () => {
    const { text, title, metadata } = convertPptx(
      pptx(
        [
          {
            title: 'Retries',
            bullets: [
              [0, 'Six attempts'],
              [1, 'twenty seconds apart'],
              [0, 'Then give up'],
            ],
            notes: 'Say why six.',
          },
          {
            title: 'Delivery',
            extra: slideTable([
              ['Channel', 'Repeats'],
              ['sms', '3'],
            ]),
          },
          { extra: textBox('# not a heading') },
        ],
        { order: [1, 0, 2], card: { title: 'PowerPoint Presentation', author: 'Tomas Wren' } },
      ),
    )
    assert.equal(
      text,
      [
        '## Slide 1: Delivery',
        '| Channel | Repeats |\n| --- | --- |\n| sms | 3 |',
        '## Slide 2: Retries',
        '- Six attempts\n  - twenty seconds apart\n- Then give up',
        'Notes: Say why six.',
        '## Slide 3',
        '\\# not a heading',
      ].join('\n\n'),
    )
    assert.equal(title, 'Delivery')
    assert.deepEqual(metadata, { author: 'Tomas Wren', slides: 3 })
  })

  test('separates superscripts and subscripts where joining would change the meaning', () => {
    const at = (baseline: number, text: string) =>
      `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`
    const words = `2</a:t></a:r>${at(30000, '3')}${at(30000, '2')}${at(0, ' rows, 101')}${at(-25000, '2')}<a:r><a:t>, ok`
    assert.match(convertPptx(pptx([{ extra: textBox(words) }])).text, /^2\^32 rows, 101_2, ok$/m)
  })

  test('numbers numbered lists, starting at the first level', () => {
    const items = [
      [2, 'Before'],
      [0, 'Choose', 'buAutoNum'],
      [1, 'a port'],
      [0, 'Sail', 'buAutoNum'],
    ]
    const lines = items.map(
      ([level, text, kind]) =>
        `<a:p><a:pPr lvl="${level}">${kind ? `<a:${kind} type="arabicPeriod"/>` : ''}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`,
    )
    const extra = `<p:sp><p:nvSpPr><p:nvPr><p:ph idx="1"/></p:nvPr></p:nvSpPr><p:txBody>${lines.join('')}</p:txBody></p:sp>`
    assert.equal(
      convertPptx(pptx([{ extra }])).text,
      '## Slide 1\n\n- Before\n1. Choose\n   - a port\n2. Sail',
    )
  })

  test('has whole rows where cells span several', () => {
    const rows = [
      ['<rowSpan="2">Port', '<gridSpan="2">Ferries', '<hMerge="1">'],
      ['<vMerge="1">', 'Small', 'Large'],
    ]
    const [first] = convertPptx(pptx([{ extra: slideTable(rows) }]))
      .text.split('\n\n')
      .slice(1)
    assert.equal(first, '| Port | Ferries |  |\n| --- | --- | --- |\n| Port | Small | Large |')
  })

  test('takes the title from the metadata if there is one', () => {
    assert.equal(
      convertPptx(pptx([{ title: 'One' }], { card: { title: 'The harbour talk' } })).title,
      'The harbour talk',
    )
  })

  test("shows a picture's description, and the contents of groups", () => {
    const picture =
      '<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="A map of the harbour"/></p:nvPicPr></p:pic>'
    const file = '<p:pic><p:nvPicPr><p:cNvPr id="5" name="p" descr="IMG_0042.jpg"/></p:nvPicPr></p:pic>'
    const { text } = convertPptx(
      pptx([{ title: 'Map', extra: `<p:grpSp>${picture}${file}${textBox('inside')}</p:grpSp>` }]),
    )
    assert.equal(text, '## Slide 1: Map\n\n![A map of the harbour]()\n\ninside')
  })

  test('has no text when its slides are empty', () => {
    const { text, notes } = convertPptx(pptx([{}, {}]))
    assert.equal(text, '')
    assert.equal(notes[0]?.code, 'no_text')
  })

  test('is damaged without its main part', () => {
    assert.throws(
      () => convertPptx(zipOf({ 'ppt/x.xml': '' })),
      (error) => error instanceof Problem && error.code === 'damaged',
    )
  })
})

function textBox(text: string): string {
  return `<p:sp><p:nvSpPr><p:cNvPr id="3" name="t"/><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
}
