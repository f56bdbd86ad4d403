import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  docx,
  epub,
  paragraph,
  pdf,
  pptx,
  sheetRows,
  xlsx,
  zipOf,
} from '../../../test/support/office-files.js'
import { Problem } from '../../model/problem.js'
import { type OfficeFormat, officeFormatOf } from '../formats.js'
import { type FileKind, formatOfBytes } from './format-of-bytes.js'
import { parseOffice } from './parse-office.js'

const samples = {
  pdf: pdf([[[11, 'Hello there']]]),
  docx: docx(paragraph('Hello there')),
  pptx: pptx([{ title: 'Hello there' }]),
  xlsx: xlsx({
    S: sheetRows([
      ['Hello', 'there'],
      ['a', 'b'],
    ]),
  }),
  epub: epub({ chapters: { 'a.xhtml': '<p>Hello there</p>' } }),
  csv: Buffer.from('Hello,there\n1,2\n'),
}

describe('a file is known by its bytes', () => {
  const kinds: [FileKind, Uint8Array][] = [
    ['pdf', samples.pdf],
    ['docx', samples.docx],
    ['pptx', samples.pptx],
    ['xlsx', samples.xlsx],
    ['epub', samples.epub],
    ['odt', zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '' })],
    ['zip', zipOf({ 'a.txt': 'a' })],
    ['rtf', Buffer.from('{\\rtf1 hello}')],
    ['ole', Buffer.from('d0cf11e0a1b11ae100', 'hex')],
    [
      'ole-encrypted',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    ],
    ['html', Buffer.from('\n<!DOCTYPE html><html>')],
    ['text', Buffer.from('A note about the sign %PDF-1.4 in files.')],
    ['text', Buffer.from('\ufeffwide', 'utf16le')],
    ['binary', Buffer.from([1, 2, 0, 4])],
    ['empty', Buffer.alloc(0)],
  ]
  for (const [kind, bytes] of kinds) test(kind, () => assert.equal(formatOfBytes(bytes), kind))
})

describe('a file', () => {
  test('of format pdf keeps names with underscores whole', async () => {
    const { text } = await parseOffice(pdf([[[11, 'Set max_retry__count to _five_.']]]), 'a.pdf', 'pdf')
    assert.equal(text, 'Set max_retry__count to \\_five\\_.')
  })

  const evil = 'La\u202em\u200bp\u2066s\u{e0041}'
  const card = { title: `${evil} of brass`, author: evil }
  const utf16 = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
  const pdfCard = `<< /Title ${utf16(card.title)} /Author ${utf16(evil)} >>`
  const bookCard = `<dc:title>${card.title}</dc:title><dc:creator>${evil}</dc:creator>`
  const hiding: [OfficeFormat, Uint8Array][] = [
    // What `a` to `c` stand for does not show.
    ['pdf', pdf([[[11, 'LAaMPS']], [[11, 'LAMbPcS']]], pdfCard, '\u202e\u200b\u2066')],
    ['docx', docx(paragraph(evil), { card })],
    ['pptx', pptx([{ title: evil }], { card })],
    ['xlsx', xlsx({ [evil]: sheetRows([[evil, 'there']]) }, { card })],
    ['epub', epub({ metadata: bookCard, chapters: { 'a.xhtml': `<p>${evil}</p>` } })],
    ['csv', Buffer.from(`${evil},there\n1,2\n`)],
  ]
  for (const [format, bytes] of hiding)
    test(`of format ${format} keeps the visible text`, async () => {
      const { text, title, metadata } = await parseOffice(bytes, `a.${format}`, format)
      assert.match(text, /Lamps/i)
      assert.doesNotMatch(`${title} ${text} ${JSON.stringify(metadata)}`, /[\u202e\u200b\u2066\u{e0041}]/u)
    })

  for (const [format, bytes] of Object.entries(samples))
    test(`of format ${format} is parsed with its words and its format`, async () => {
      const parsed = await parseOffice(bytes, `folder/a.${format}`, officeFormatOf(`a.${format}`))
      assert.equal(parsed.format, format)
      assert.match(parsed.text, /Hello.*there/)
      assert.ok(parsed.blocks.length > 0)
      assert.deepEqual([parsed.notes, parsed.tags, parsed.links], [[], [], []])
    })

  test('with a wrong ending is read by its bytes, with a note', async () => {
    const parsed = await parseOffice(samples.pdf, 'report.docx', 'docx')
    assert.equal(parsed.format, 'pdf')
    assert.deepEqual(parsed.notes, [
      { code: 'other_format', message: 'The file says .docx but is a PDF; it was read as that.' },
    ])
  })

  test('without an ending is read by its bytes', async () => {
    assert.equal((await parseOffice(samples.epub, 'download', null)).format, 'epub')
  })

  const refused: [string, Uint8Array, string, RegExp][] = [
    ['an empty one', Buffer.alloc(0), 'a.pdf', /^The file is empty\.$/],
    [
      'a web page in place of a PDF',
      Buffer.from('<html><body>Log in</body></html>'),
      'a.pdf',
      /says \.pdf, but it is a web page/,
    ],
    ['an archive of something else', zipOf({ 'a.txt': 'a' }), 'a.docx', /says \.docx, but it is an archive/],
    [
      'OpenDocument',
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.text' }),
      'a.odt',
      /OpenDocument files are not read/,
    ],
    ['old Office', Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'a.doc', /before 2007/],
    [
      'one under a password',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'a.docx',
      /protected by a password/,
    ],
    ['RTF', Buffer.from('{\\rtf1 hello}'), 'a.rtf', /RTF files are not read/],
    ['noise', Buffer.from([0, 1, 2, 3]), 'a.xlsx', /says \.xlsx, but it is something else/],
  ]
  for (const [what, bytes, path, message] of refused)
    test(`is refused with a reason: ${what}`, async () => {
      await assert.rejects(
        parseOffice(bytes, path, officeFormatOf(path)),
        (error) => error instanceof Problem && message.test(error.message),
      )
    })

  test('that is broken at any byte is read or refused with a reason', async () => {
    const { pdf: _, csv: __, ...zipped } = samples
    for (const [format, whole] of Object.entries(zipped)) {
      for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 40)) {
        const broken = Uint8Array.from(whole)
        broken[at] = broken[at]! ^ 0x55
        const found = await parseOffice(broken, `a.${format}`, officeFormatOf(`a.${format}`)).catch(
          (error: unknown) => error,
        )
        if (found instanceof Error)
          assert.ok(found instanceof Problem, `${format}, byte ${at}: ${found.stack}`)
      }
    }
  })
})
