import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { pdf, pdfOf, scannedPdf, stream } from '../../../test/support/office-files.js'
import { projectRoot } from '../../../test/support/world.js'
import { Problem } from '../../model/problem.js'
import { pagesOf } from '../../toolsets/knowledge/search.js'
import { parseOffice } from './parse-office.js'
import { convertPdf } from './pdf.js'
import { readFallback } from './pdf-fallback.js'
import { readInfo } from './pdf-info.js'
import { plainPages } from './pdf-lines.js'
import { mended } from './pdf-mend.js'
import { readLine } from './pdf-order.js'
import { inReadingOrder } from './pdf-right.js'

const paper = readFileSync(join(projectRoot, 'examples/library/papers/delivery-guarantees.pdf'))

describe('a PDF', () => {
  test('keeps headings, tables, title, author and date, and joins the lines of a paragraph', async () => {
    const { text, title, metadata, notes } = await convertPdf(paper)
    assert.match(text, /^# Delivery guarantees, plainly\n/)
    assert.match(text, /^## 3 How wide is the gap\?$/m)
    assert.match(
      text,
      /nine repeats in total, 0\.7 in a million\.\n\n\| Channel \| Messages \| Repeats \| Recognised by the receiver \|\n/,
    )
    assert.match(
      text,
      /\| webhook \| 1,180,000 \| 2 \| 2 \(Lantern-Message-Id\) \|\n\| push \| 460,000 \| 0 \| - \|\n/,
    )
    assert.match(text, /the ledger is the thing that was not written/)
    assert.equal(title, 'Delivery guarantees, plainly')
    assert.deepEqual(
      { author: metadata.author, date: metadata.date, pages: metadata.pages },
      {
        author: 'Ilse Varga and Tomas Wren',
        date: '2026-04-12T09:00:00Z',
        pages: 3,
      },
    )
    assert.deepEqual(notes, [])
  })

  test('gives the page of every line', async () => {
    const { text, metadata } = await convertPdf(paper)
    const lines = text.split('\n')
    const pageOf = (words: string) => {
      const line = lines.findIndex((found) => found.includes(words)) + 1
      return pagesOf(metadata, { line, endLine: line })
    }
    assert.deepEqual(pageOf('2 Three promises'), { first: 1, last: 1 })
    assert.deepEqual(pageOf('3 How wide is the gap?'), { first: 2, last: 2 })
    assert.deepEqual(pageOf('7 Conclusion'), { first: 3, last: 3 })
    assert.deepEqual(pagesOf(metadata, { line: 1, endLine: lines.length }), { first: 1, last: 3 })
    for (const start of (metadata.pageStarts as number[]).slice(1)) assert.equal(lines[start - 1], '\f')
  })

  test('is parsed into sections that span pages and blocks that do not hold the page marks', async () => {
    const parsed = await parseOffice(paper, 'papers/delivery-guarantees.pdf', 'pdf')
    assert.equal(parsed.format, 'pdf')
    assert.equal(parsed.sections.length, 11)
    assert.ok(parsed.blocks.every((block) => parsed.text.slice(block.start, block.end).trim() !== ''))
    assert.ok(parsed.blocks.some(({ kind }) => kind === 'table'))
  })

  test('counts empty pages, too', async () => {
    const { text, metadata } = await convertPdf(pdf([[[11, 'First page']], [], [[11, 'Third page']]]))
    assert.equal(text, 'First page\n\n\f\n\n\f\n\nThird page')
    assert.deepEqual(metadata.pageStarts, [1, 3, 5])
  })

  test('drops running titles and page numbers', async () => {
    const pages = Array.from({ length: 6 }, (_, i): [number, string][] => [
      [9, 'The ledger of the harbour office'],
      ...Array.from({ length: 25 }, (_, k): [number, string] => [
        11,
        `On day ${i} line ${k} of the courier walked home along the quay and thought.`,
      ]),
      [9, `${i + 1}`],
    ])
    const { text } = await convertPdf(pdf(pages))
    assert.ok(!text.includes('ledger of the harbour'))
    assert.ok(text.includes('On day 5 line 24'))
  })

  test('says that it is scanned when it holds only pictures', async () => {
    const { text, notes } = await convertPdf(scannedPdf())
    assert.equal(text, '')
    assert.match(notes[0]!.message, /no text, only pictures of pages \(scanned\)/)
  })

  test('says that it has no text when its pages are blank', async () => {
    assert.deepEqual((await convertPdf(pdf([[], []]))).notes, [
      { code: 'no_text', message: 'It has no text.' },
    ])
  })

  test('is read with lines before its header, and without a header', async () => {
    const bytes = pdf([[[11, 'Hello there']]])
    assert.equal(
      (await convertPdf(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), bytes]))).text,
      'Hello there',
    )
    assert.equal((await parseOffice(bytes.subarray(9), 'a.pdf', 'pdf')).text, 'Hello there')
  })

  test('a truncated file is read up to the damage, or refused', async () => {
    for (let length = 0; length < paper.length; length += 500) {
      const found = await convertPdf(paper.subarray(0, length)).catch((error: unknown) => error)
      if (found instanceof Error)
        assert.ok(found instanceof Problem && found.code === 'damaged', String(found))
    }
  })
})

describe('a PDF in Hebrew or Arabic', () => {
  // Letters stand for letters: what is printed from left to right is written here as it is printed.
  const hebrew = 'אבגדהוזחטיךכלםמןנסעףפץצקרשת'.slice(0, 26)
  const inLetters = (text: string) =>
    [...text]
      .map((sign) => (hebrew.includes(sign) ? String.fromCharCode(97 + hebrew.indexOf(sign)) : sign))
      .join('')
  const seen = (read: string) => inLetters([...read].reverse().join(''))

  test('is read from the right, with its headings', async () => {
    const page: [number, string][] = [
      [22, seen('מדריך לגיבוי')],
      [11, `.${seen('גיבוי של כל הקבצים נדרש לפני 52 ימים לכל היוקר')}`],
      [11, `.${seen('אין צורך')} ${'NODE 20'} ${seen('במקרה אחר')}`],
    ]
    const { text, notes } = await convertPdf(pdf([page], undefined, hebrew))
    assert.equal(
      text,
      '# מדריך לגיבוי\n\nגיבוי של כל הקבצים נדרש לפני 25 ימים לכל היוקר. במקרה אחר NODE 20 אין צורך.',
    )
    assert.deepEqual(notes, [])
  })

  test('keeps its tables, the first column on the right', async () => {
    const lines = ['מחירים לכל שעה', '12 גיבוי מלא', 'שיחזור | 7', 'עוד דברים']
    const file = pdf([lines.map((text) => [11, `${seen(text)}`])], undefined, hebrew)
    const fast = '| לכל שעה | מחירים |\n|---|---|\n| מלא גיבוי | 21 |\n| 7 | שיחזור |\n\nדברים עוד'
    const { pages, unordered } = await inReadingOrder(
      { pages: [fast], total: 1, unread: [], pictured: null },
      Buffer.from(file),
    )
    assert.deepEqual(pages, [
      '| מחירים | לכל שעה |\n|---|---|\n| 21 | גיבוי מלא |\n| שיחזור | 7 |\n\nעוד דברים',
    ])
    assert.deepEqual(unordered, [])
  })

  test("keeps the fast engine's text where the other engine finds less", async () => {
    const found = { pages: ['עולם שלום', 'plain'], total: 2, unread: [], pictured: null }
    const empty = await inReadingOrder(found, Buffer.from(pdf([[], []])))
    assert.deepEqual([empty.pages, empty.unordered], [found.pages, [1]])
    const broken = await inReadingOrder(found, Buffer.from('%PDF-1.4 nothing'))
    assert.deepEqual([broken.pages, broken.unordered], [found.pages, [1]])
  })

  const line = (words: string[]) => {
    let x = 0
    return readLine(
      words.map((text, i) => {
        const piece = { text, x, width: text.length * 5, size: 10 }
        x += piece.width + (text.length > 1 && (words[i + 1]?.length ?? 0) > 1 ? 3 : 0)
        return piece
      }),
    )
  }
  const check = (what: string, words: string[], read: string) =>
    test(what, () => assert.equal(line(words), read))

  check('words', ['עולם', 'שלום'], 'שלום עולם')
  check('numbers and words from the left', ['Node 20', 'דורשת', '2.5', 'הגרסה'], 'הגרסה 2.5 דורשת Node 20')
  check('numbers in a row', ['5', ' ', '-', ' ', '3', ' ', 'טווח'], 'טווח 3 - 5')
  check('dates, amounts and shares', ['15%', 'או', '1,250', 'עד', '2026-04-12'], '2026-04-12 עד 1,250 או 15%')
  check('the end of a sentence', ['.', 'ומעלה'], 'ומעלה.')
  check('brackets as they look', ['(', '2', ' ', 'גרסה', ')', ' ', 'מדריך'], 'מדריך (גרסה 2)')
  check('brackets as they are meant', [')', '2', ' ', 'גרסה', '(', ' ', 'מדריך'], 'מדריך (גרסה 2)')
  check(
    'a sentence from the left on a page from the right',
    ['.', 'inside (and more)', 'עולם', 'שלום', 'The words'],
    'The words שלום עולם inside (and more).',
  )
  check(
    'a sentence from the left',
    ['The words', 'עולם', 'שלום', 'mean hello', '.'],
    'The words שלום עולם mean hello.',
  )
  check('letters one by one, in the forms of their places', ['ﺔ', 'ﻴ', 'ﻗ', 'ﺮ', 'ﺗ'], 'ترقية')
  check('nothing else', ['b', 'a', ' ', '(1)'], 'ba (1)')

  test('loses nothing and adds nothing but blanks', () => {
    const text = fc.string({
      unit: fc.constantFrom('ש', 'ל', 'ع', 'a', 'B', '1', '2', '.', '(', ')', ' ', '-'),
      maxLength: 4,
    })
    const signs = (all: string) => all.replace(/\s/g, '').replaceAll('(', ')').split('').sort().join('')
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (words) => signs(line(words)) === signs(words.join(''))),
      { seed: 7, numRuns: 300 },
    )
    assert.equal(line(Array(20_000).fill('(.')).length, 40_000)
    assert.ok(line(['ש', ...Array(20_000).fill('(.)')]).length >= 60_000)
  })

  test('letters with marks, printed twice to look bold, and wherever they were printed first', () => {
    const at = (text: string, x: number) => ({ text, x, width: 5, size: 10 })
    const pieces = [at('ש', 15), at('ש', 15.2), at('ל', 10), at('ל', 10.2), at('ו', 5), at('ם', 0)]
    assert.equal(readLine(pieces), 'שלום')
    const marked = [at('ל', 0), { ...at('\u05b8', 4), width: 0 }, { ...at(' ', 5), width: 0 }, at('ע', 5)]
    assert.equal(readLine(marked), 'ע\u05b8ל')
  })
})

describe('the forgiving engine', () => {
  test('reads the same words', async () => {
    const found = await readFallback(paper)
    assert.ok(typeof found !== 'string')
    assert.equal(found.pages.length, 3)
    assert.match(found.pages[1]!, /The median was 3\.1 milliseconds, the ninety-ninth percentile/)
  })

  test('joins words that were cut at the end of a line, and drops lines that most pages repeat', () => {
    const days = ['Monday', 'Tuesday', 'Friday', 'Sunday']
    const page = (n: number) => [
      'The ledger',
      '',
      `${days[n]} was the day on which every letter was deliv-`,
      `ered to the whole of the town.`,
      `${n + 4} letters came back.`,
      `- ${n} -`,
    ]
    const whole =
      'Friday was the day on which every letter was delivered to the whole of the town.\n\n6 letters came back.'
    assert.equal(plainPages([0, 1, 2, 3].map(page))[2], whole)
    assert.equal(plainPages([page(2)])[0], `The ledger\n\n${whole}\n\n\\- 2 -`)
  })
})

describe('the metadata of a PDF', () => {
  check('brackets, octal and escapes', '<< /Title (Gr\\374n \\(a\\) (b)) /Author (O\\\nne) >>', {
    title: 'Grün (a) (b)',
    author: 'One',
  })
  check('UTF-16 in hexadecimal', '<< /Title <FEFF00DC0062006500720067> >>', { title: 'Überg' })
  check("PDF's own signs", '<< /Title (One \\205 two) >>', { title: 'One – two' })
  check('dates with a zone', "<< /CreationDate (D:20090428100656+01'00') /ModDate (D:2010) >>", {
    date: '2009-04-28T10:06:56+01:00',
    modified: '2010-01-01',
  })
  check(
    'titles that are names of files or programs',
    '<< /Title (Microsoft Word - report.doc) /Author () >>',
    {},
  )
  check('a broken card', '<< /Title (never closed', { title: 'never closed' })

  test('is found in a compressed stream', () => {
    const members = '<< /Title (Packed) >>'
    const body = deflateSync(Buffer.from(`7 0 ${members}`)).toString('latin1')
    const file = Buffer.from(
      pdfOf(['<< /Type /Catalog >>', stream(body, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode')]),
    )
    const linked = Buffer.from(
      file.toString('latin1').replace('/Root 1 0 R', '/Root 1 0 R /Info 7 0 R'),
      'latin1',
    )
    assert.equal(readInfo(linked).title, 'Packed')
  })

  test('comes from the XMP packet when the info dictionary is missing', () => {
    const packet =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:CreateDate="2020-01-02"><dc:title><rdf:Alt><rdf:li>From XMP</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>'
    const { title, metadata } = readInfo(Buffer.from(pdfOf(['<< /Type /Catalog >>', stream(packet)])))
    assert.equal(title, 'From XMP')
    assert.deepEqual(metadata, { author: 'A, B', date: '2020-01-02' })
  })

  function check(what: string, info: string, expected: Record<string, string>) {
    test(what, () => {
      const { title, metadata } = readInfo(Buffer.from(pdfOf(['<< /Type /Catalog >>'], info)))
      assert.deepEqual({ ...(title ? { title } : {}), ...metadata }, expected)
    })
  }
})

test('a table keeps its header when the sentence above it is whole', () => {
  const table = 'Ends here.\n\n| lower | case |\n|---|---|\n| a | b |\n| c | d |'
  assert.equal(mended(table), table)
})
