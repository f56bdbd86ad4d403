import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { docx, paragraph, wordNames, wordTable } from '../../../test/support/office-files.js'
import { Problem } from '../../model/problem.js'
import { convertDocx } from './docx.js'

describe('a Word document', () => {
  test('keeps headings, code and the names in its prose', async () => {
    const body = [
      paragraph('The outbox', 'Title'),
      paragraph('How it works', 'heading1'),
      paragraph('A row in retry_budget is written first. 5 * 3 = 15.'),
      paragraph('Code', 'heading2'),
      paragraph('if (due_at) {', 'Code'),
      paragraph('  send()', 'Code'),
    ].join('')
    const { text, title, metadata } = await convertDocx(
      docx(body, { card: { title: 'Outbox', author: 'Ilse', created: '2026-04-12T09:00:00Z' } }),
    )
    assert.equal(
      text,
      '# The outbox\n\n# How it works\n\nA row in retry_budget is written first. 5 \\* 3 = 15.\n\n## Code\n\n```\nif (due_at) {\n  send()\n```',
    )
    assert.equal(title, 'Outbox')
    assert.deepEqual(metadata, { author: 'Ilse', date: '2026-04-12T09:00:00Z' })
  })

  test('has whole rows where cells span several', async () => {
    const merged = (text: string, merge: string) =>
      `<w:tc><w:tcPr><w:vMerge${merge}/></w:tcPr>${paragraph(text)}</w:tc>`
    const wide = `<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${paragraph('both')}</w:tc>`
    const body = wordTable([
      ['Channel', 'Month', 'Repeats'],
      [merged('sms', ' w:val="restart"'), 'May', '3'],
      [merged('', ''), 'June', '4'],
      ['email', wide],
    ])
    assert.equal(
      (await convertDocx(docx(body))).text,
      '| Channel | Month | Repeats |\n| --- | --- | --- |\n| sms | May | 3 |\n| sms | June | 4 |\n| email | both | |',
    )
  })

  test('separates superscripts and subscripts where joining would change the meaning', async () => {
    const at = (height: string, text: string, bold = '') =>
      `<w:r><w:rPr>${bold}<w:vertAlign w:val="${height}script"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
    const [up, down] = [(text: string) => at('super', text), (text: string) => at('sub', text)]
    const say = (text: string, bold = '') =>
      `<w:r><w:rPr>${bold}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
    const body = [
      say('2') + up('3') + up('2') + say(' rows, 10') + up('-6') + say(' m and x') + up('n+1'),
      say('CO') + down('2') + say(', 101') + down('2') + say(', v') + down('max'),
      say('1') + up('st') + say(', Acme') + up('TM') + say(', as said') + up('4') + say(', so') + up('[5]'),
      up('6') + say(' See a'),
      say('10', '<w:b/>') + up('6') + say(' and ') + say('m', '<w:b/>') + at('super', '2', '<w:b/>'),
      say('This is ') + up('small print that goes on and on'),
    ]
    const { text } = await convertDocx(docx(body.map((runs) => `<w:p>${runs}</w:p>`).join('')))
    assert.deepEqual(text.split('\n\n'), [
      '2^32 rows, 10^(-6) m and x^(n+1)',
      'CO2, 101_2, v_max',
      '1st, AcmeTM, as said^4, so\\[5]',
      '6 See a',
      '**10**^6 and **m^2**',
      'This is small print that goes on and on',
    ])
  })

  test('marks footnotes and gives them at the end', async () => {
    const body = `<w:p><w:r><w:t>Once</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
    const notes = `<w:footnotes ${wordNames}><w:footnote w:id="2">${paragraph('Or twice.')}</w:footnote></w:footnotes>`
    const file = docx(body, {
      more: { 'word/footnotes.xml': notes },
      document: { f: ['footnotes', 'footnotes.xml'] },
    })
    assert.equal((await convertDocx(file)).text, 'Once[^1]\n\n[^1]: Or twice.')
  })

  describe('keeps words inside unknown wrappers', () => {
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`
    const drawing = (inside: string) =>
      `<w:drawing><wp:anchor><wps:txbx>${inside}</wps:txbx></wp:anchor></w:drawing>`
    const either = (...ways: string[]) =>
      `<w:p><w:r><mc:AlternateContent>${ways.join('')}</mc:AlternateContent></w:r></w:p>`
    const choice = `<mc:Choice Requires="wps">${drawing(box('In a box.'))}</mc:Choice>`
    const m = (name: string, inside: string) => `<m:${name}>${inside}</m:${name}>`
    const sign = (text: string) => m('r', m('rPr', '<m:sty m:val="p"/>') + m('t', text))
    const check = (what: string, body: string, text: string) =>
      test(what, async () => {
        const file = docx('', {
          more: { 'word/document.xml': `<w:document ${everyName}><w:body>${body}</w:body></w:document>` },
        })
        assert.equal((await convertDocx(file)).text, text)
      })

    check(
      'fields',
      `<w:p>${run('No. ')}<w:fldSimple w:instr=' IF 2 > 1 "a"'>${run('4711')}</w:fldSimple>${run(' as signed')}<w:fldSimple w:instr="x"/></w:p>`,
      'No. 4711 as signed',
    )
    check(
      'text that runs the other way',
      `<w:p><w:bdo w:val="rtl">${run('one ')}</w:bdo><w:dir w:val="rtl">${run('two')}</w:dir></w:p>`,
      'one two',
    )
    check(
      'words with a reading above',
      `<w:p><w:r><w:ruby><w:rubyPr/><w:rt>${run('above')}</w:rt><w:rubyBase>${run('word')}</w:rubyBase></w:ruby></w:r></w:p>`,
      'word',
    )
    check(
      'equations',
      `<w:p>${run('Here ')}<m:oMath>${sign('E=m')}${m('sSup', m('e', sign('c')) + m('sup', sign('2')))}</m:oMath>${run(' holds.')}</w:p>`,
      'Here E=mc^2 holds.',
    )
    check(
      'equations on lines of their own',
      `<w:p><m:oMathPara><m:oMath>${sign('x=')}${m('f', m('num', sign('a+b')) + m('den', sign('2')))}</m:oMath><m:oMath>${m('nary', m('naryPr', '<m:chr m:val="∑"/>') + m('sub', sign('i=1')) + m('sup', sign('n')) + m('e', m('rad', m('deg', '') + m('e', sign('i')))))}${sign('&lt;9')}</m:oMath></m:oMathPara></w:p>`,
      'x=(a+b)/2\n∑\\_(i=1)^n √i<9',
    )
    check(
      'round boxes',
      `<w:p><w:r><w:pict><v:oval><v:textbox>${box('Round.')}</v:textbox></v:oval></w:pict></w:r></w:p>`,
      'Round.',
    )
    check('text boxes', `<w:p><w:r>${drawing(box('In a box.'))}</w:r></w:p>`, 'In a box.')
    check(
      'text boxes for new programs only',
      either(choice) + either(choice, '<mc:Fallback/>'),
      'In a box.\n\nIn a box.',
    )
    check(
      'text boxes with a picture for old programs',
      either(choice, '<mc:Fallback><w:pict/></mc:Fallback>'),
      'In a box.',
    )
    check(
      'text boxes for new and for old programs, once',
      either(
        choice,
        `<mc:Fallback><w:pict><v:shape><v:textbox>${box('In a box.')}</v:textbox></v:shape></w:pict></mc:Fallback>`,
      ),
      'In a box.',
    )
    check(
      'breaks of lines, pages and columns',
      `<w:p>${run('one')}<w:r><w:br w:type="page"/></w:r>${run('two')}<w:r><w:br w:type="column"/></w:r>${run('three')}<w:r><w:cr/></w:r>${run('four')}<w:r><w:ptab w:alignment="right"/></w:r>${run('five')}</w:p><w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p>${run('six')}</w:p>`,
      'one\ntwo\nthree\nfour five\n\nsix',
    )
    check(
      'boxes that are ticked or not',
      `<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt>${run('done')}</w:p><w:p><w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent>${run('☐')}</w:sdtContent></w:sdt>${run(' open')}</w:p>`,
      '☒ done\n\n☐ open',
    )
    check(
      'words like those of Word',
      `<w:p><w:r><w:t>a &lt;w:dir&gt;</w:t></w:r><!-- <w:ruby> --></w:p>`,
      'a \\<w:dir>',
    )
  })

  test('notes an embedded file whose text is not read', async () => {
    const { text, notes } = await convertDocx(docx(`${paragraph('Before.')}<w:altChunk r:id="x"/>`))
    assert.equal(text, 'Before.')
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['part_unread'],
    )
  })

  test('is refused when it declares a document type', async () => {
    const evil = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document ${wordNames}><w:body>&a;</w:body></w:document>`
    await rejects(docx('', { more: { 'word/document.xml': evil } }), 'unsupported', /document type/)
  })

  test('is reported as damaged when nested too deeply, not XML, or without a document', async () => {
    const deep = '<w:tbl><w:tr><w:tc>'.repeat(5000) + '</w:tc></w:tr></w:tbl>'.repeat(5000)
    await rejects(docx(deep), 'damaged', /nested too deeply/)
    await rejects(docx('', { more: { 'word/document.xml': '<w:document' } }), 'damaged', /./)
    await rejects(docx('', { more: { 'word/document.xml': '' } }), 'damaged', /./)
  })

  test('an empty document has no text', async () => {
    const { text, notes } = await convertDocx(docx(''))
    assert.equal(text, '')
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['no_text'],
    )
  })
})

const everyName = `${wordNames} xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:v="urn:schemas-microsoft-com:vml"`

async function rejects(file: Uint8Array, code: string, message: RegExp) {
  await assert.rejects(
    convertDocx(file),
    (error) => error instanceof Problem && error.code === code && message.test(error.message),
  )
}
