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

  test('marks footnotes and gives them at the end', async () => {
    const body = `<w:p><w:r><w:t>Once</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
    const notes = `<w:footnotes ${wordNames}><w:footnote w:id="2">${paragraph('Or twice.')}</w:footnote></w:footnotes>`
    const file = docx(body, {
      more: { 'word/footnotes.xml': notes },
      document: { f: ['footnotes', 'footnotes.xml'] },
    })
    assert.equal((await convertDocx(file)).text, 'Once[^1]\n\n[^1]: Or twice.')
  })

  test('is refused when it declares a document type', async () => {
    const evil = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document ${wordNames}><w:body>&a;</w:body></w:document>`
    await rejects(docx('', { more: { 'word/document.xml': evil } }), 'unsupported', /document type/)
  })

  test('is damaged when it is nested without end, is no XML, or has no document', async () => {
    const deep = '<w:tbl><w:tr><w:tc>'.repeat(5000) + '</w:tc></w:tr></w:tbl>'.repeat(5000)
    await rejects(docx(deep), 'damaged', /nested too deeply/)
    await rejects(docx('', { more: { 'word/document.xml': '<w:document' } }), 'damaged', /./)
    await rejects(docx('', { more: { 'word/document.xml': '' } }), 'damaged', /./)
  })

  test('has no text when nobody wrote any', async () => {
    const { text, notes } = await convertDocx(docx(''))
    assert.equal(text, '')
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['no_text'],
    )
  })
})

async function rejects(file: Uint8Array, code: string, message: RegExp) {
  await assert.rejects(
    convertDocx(file),
    (error) => error instanceof Problem && error.code === code && message.test(error.message),
  )
}
