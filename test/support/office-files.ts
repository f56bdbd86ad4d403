// Office files, books and PDFs made in code: the least that each format asks for, and what attackers make of them.
import { strToU8, type Zippable, zipSync } from 'fflate'

export function zipOf(parts: Record<string, string | Uint8Array>): Uint8Array {
  const entries = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === 'string' ? strToU8(part) : part,
  ])
  return zipSync(Object.fromEntries(entries) as Zippable)
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

function contentTypes(types: Record<string, string>): string {
  const overrides = Object.entries(types).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`,
  )
  return `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
}

export function relations(targets: Record<string, [type: string, target: string]>): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `${xml}<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`
}

export interface Card {
  title?: string
  author?: string
  created?: string
}

export function coreXml({ title, author, created }: Card): string {
  return `${xml}<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${title ? `<dc:title>${title}</dc:title>` : ''}${author ? `<dc:creator>${author}</dc:creator>` : ''}${created ? `<dcterms:created xsi:type="dcterms:W3CDTF">${created}</dcterms:created>` : ''}</cp:coreProperties>`
}

// --- Word.

export function docx(
  body: string,
  options: { card?: Card; more?: Record<string, string>; document?: Record<string, [string, string]> } = {},
): Uint8Array {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  return zipOf({
    '[Content_Types].xml': contentTypes({
      'word/document.xml': `${word}.document.main+xml`,
      'word/styles.xml': `${word}.styles+xml`,
      'word/footnotes.xml': `${word}.footnotes+xml`,
    }),
    '_rels/.rels': relations({ r1: ['officeDocument', 'word/document.xml'] }),
    'docProps/core.xml': coreXml(options.card ?? {}),
    'word/_rels/document.xml.rels': relations({ s: ['styles', 'styles.xml'], ...options.document }),
    'word/styles.xml': `${xml}<w:styles ${wordNames}>${['Title', 'heading 1', 'heading 2', 'Code'].map((name) => `<w:style w:type="paragraph" w:styleId="${name.replaceAll(' ', '')}"><w:name w:val="${name}"/></w:style>`).join('')}</w:styles>`,
    'word/document.xml': `${xml}<w:document ${wordNames}><w:body>${body}</w:body></w:document>`,
    ...options.more,
  })
}

export const wordNames = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}"`

export function paragraph(text: string, style?: string): string {
  return `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

export function wordTable(rows: string[][]): string {
  const cell = (text: string) => (text.startsWith('<w:tc>') ? text : `<w:tc>${paragraph(text)}</w:tc>`)
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
}

// --- PowerPoint.

export interface SlideFile {
  title?: string
  bullets?: [level: number, text: string][]
  extra?: string
  notes?: string
}

export function pptx(slides: SlideFile[], options: { card?: Card; order?: number[] } = {}): Uint8Array {
  const order = options.order ?? slides.map((_, i) => i)
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes({}),
    '_rels/.rels': relations({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'docProps/core.xml': coreXml(options.card ?? {}),
    'ppt/presentation.xml': `${xml}<p:presentation ${slideNames}><p:sldIdLst>${order.map((i, n) => `<p:sldId id="${256 + n}" r:id="rId${i + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, i) => [`rId${i + 1}`, ['slide', `slides/slide${i + 1}.xml`]])),
    ),
  }
  for (const [i, slide] of slides.entries()) {
    parts[`ppt/slides/slide${i + 1}.xml`] = slideXml('p:sld', [
      slide.title ? shape('title', [[0, slide.title]]) : '',
      slide.bullets ? shape('body', slide.bullets) : '',
      slide.extra ?? '',
    ])
    if (slide.notes === undefined) continue
    parts[`ppt/slides/_rels/slide${i + 1}.xml.rels`] = relations({
      n: ['notesSlide', `../notesSlides/notesSlide${i + 1}.xml`],
    })
    parts[`ppt/notesSlides/notesSlide${i + 1}.xml`] = slideXml('p:notes', [
      shape('body', [[0, slide.notes]]),
      shape('sldNum', [[0, '7']]),
    ])
  }
  return zipOf(parts)
}

const slideNames = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${office}"`

function slideXml(root: string, shapes: string[]): string {
  return `${xml}<${root} ${slideNames}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></${root}>`
}

function shape(type: string, paragraphs: [number, string][]): string {
  const lines = paragraphs.map(
    ([level, text]) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`,
  )
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${lines.join('')}</p:txBody></p:sp>`
}

/** A cell may begin with what is said of it: `<rowSpan="2">text`. */
export function slideTable(rows: string[][]): string {
  const cell = (written: string) => {
    const [, attributes = '', text] = /^(?:<(.*?)>)?(.*)$/s.exec(written)!
    return `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
  }
  return `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows.map((row) => `<a:tr>${row.map(cell).join('')}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
}

// --- Excel. Rows are the XML of their cells.

export function xlsx(
  sheets: Record<string, string>,
  options: {
    card?: Card
    strings?: string[]
    styles?: string
    since1904?: boolean
    state?: Record<string, string>
    /** By sheet, the cells that are one, as `A1:A2`. */
    merged?: Record<string, string[]>
    /** Other names for the parts that stand beside the sheets. */
    parts?: { sharedStrings: string; styles: string }
  } = {},
): Uint8Array {
  const names = Object.keys(sheets)
  const list = names.map(
    (name, i) =>
      `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"${options.state?.[name] ? ` state="${options.state[name]}"` : ''}/>`,
  )
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const { parts = { sharedStrings: 'sharedStrings.xml', styles: 'styles.xml' } } = options
  return zipOf({
    '[Content_Types].xml': contentTypes({}),
    '_rels/.rels': relations({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'docProps/core.xml': coreXml(options.card ?? {}),
    'xl/workbook.xml': `${xml}<workbook ${main} xmlns:r="${office}"><workbookPr date1904="${options.since1904 ? 1 : 0}"/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(
        names.map((_, i) => [`rId${i + 1}`, ['worksheet', `worksheets/sheet${i + 1}.xml`]]),
      ),
      ...Object.fromEntries(Object.entries(parts).map(([type, name]) => [type, [type, name]])),
    }),
    [`xl/${parts.sharedStrings}`]: `${xml}<sst ${main}>${(options.strings ?? []).map((text) => `<si>${text.startsWith('<') ? text : `<t>${text}</t>`}</si>`).join('')}</sst>`,
    [`xl/${parts.styles}`]: `${xml}<styleSheet ${main}>${options.styles ?? ''}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `${xml}<worksheet ${main}><sheetData>${sheets[name]}</sheetData>${mergedCells(options.merged?.[name])}</worksheet>`,
      ]),
    ),
  })
}

function mergedCells(merged: string[] = []): string {
  return `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
}

/** Rows of inline texts and numbers. */
export function sheetRows(rows: (string | number | null)[][]): string {
  const cell = (value: string | number | null, column: number, row: number) => {
    const reference = `${String.fromCharCode(65 + column)}${row + 1}`
    if (value === null) return ''
    return typeof value === 'number'
      ? `<c r="${reference}"><v>${value}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
  }
  return rows
    .map((cells, r) => `<row r="${r + 1}">${cells.map((value, c) => cell(value, c, r)).join('')}</row>`)
    .join('')
}

// --- Books.

export interface BookFile {
  metadata?: string
  chapters: Record<string, string>
  spine?: string[]
  nav?: string
  ncx?: string
  more?: Record<string, string>
}

export function epub({
  metadata = '',
  chapters,
  spine = Object.keys(chapters),
  nav,
  ncx,
  more,
}: BookFile): Uint8Array {
  const items = [
    ...Object.keys(chapters).map(
      (name, i) => `<item id="c${i}" href="text/${name}" media-type="application/xhtml+xml"/>`,
    ),
    nav ? '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' : '',
    ncx ? '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' : '',
  ]
  const ids = spine.map((name) => `<itemref idref="c${Object.keys(chapters).indexOf(name)}"/>`)
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `${xml}<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata><manifest>${items.join('')}</manifest><spine toc="ncx">${nav ? '<itemref idref="nav"/>' : ''}${ids.join('')}</spine></package>`,
    ...Object.fromEntries(
      Object.entries(chapters).map(([name, body]) => [`OEBPS/text/${name}`, chapterXml(body)]),
    ),
    ...(nav ? { 'OEBPS/nav.xhtml': chapterXml(`<nav>${nav}</nav>`) } : {}),
    ...(ncx ? { 'OEBPS/toc.ncx': `${xml}<ncx><navMap>${ncx}</navMap></ncx>` } : {}),
    ...more,
  })
}

function chapterXml(body: string): string {
  return `${xml}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`
}

// --- PDF, object by object.

export function pdfOf(objects: string[], info?: string): Uint8Array {
  const all = info ? [...objects, info] : objects
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = all.map((body, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size ${all.length + 1} /Root 1 0 R ${info ? `/Info ${all.length} 0 R ` : ''}>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${all.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}

export function stream(content: string, entries = ''): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`
}

export type PdfLine = [size: number, text: string, x?: number, y?: number]

/** Pages of lines, below each other where no place is given. `letters`: what `a`, `b`, `c` … stand for, where that is something else. */
export function pdf(pages: PdfLine[][], info?: string, letters = ''): Uint8Array {
  const first = 4
  const lines = (page: PdfLine[]) =>
    page
      .map(
        ([size, text, x = 64, y], i) =>
          `BT /F1 ${size} Tf ${x} ${y ?? 780 - i * 24} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
      )
      .join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${first + 2 * i} 0 R`).join(' ')}] >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding${letters ? ` /ToUnicode ${first + 2 * pages.length} 0 R` : ''} >>`,
    ...pages.flatMap((page, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * i + 1} 0 R >>`,
      stream(lines(page)),
    ]),
    ...(letters ? [stream(toUnicode(letters))] : []),
  ]
  return pdfOf(objects, info)
}

function toUnicode(letters: string): string {
  const hex = (code: number, digits: number) => `<${code.toString(16).padStart(digits, '0')}>`
  const plain = Array.from({ length: 0x41 }, (_, i) => [0x20 + i, 0x20 + i] as const)
  const others = [...letters].map((letter, i) => [0x61 + i, letter.charCodeAt(0)] as const)
  const pairs = [...plain, ...others].map(([code, unit]) => `${hex(code, 2)} ${hex(unit, 4)}`)
  const lists = [pairs.slice(0, 90), pairs.slice(90)].filter((list) => list.length > 0)
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange ${lists.map((list) => `${list.length} beginbfchar\n${list.join('\n')}\nendbfchar`).join('\n')} endcmap end end`
}

/** One page covered by one picture, as a scanner makes it. */
export function scannedPdf(): Uint8Array {
  const picture = stream(
    '\x00\x80\xff'.repeat(64 * 64),
    '/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceRGB /BitsPerComponent 8',
  )
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Scan 5 0 R >> >> /Contents 4 0 R >>',
    stream('595 0 0 842 0 0 cm /Scan Do'),
    picture,
  ])
}

/** Forms that each show the next one ten times: 3 kB that no engine comes to the end of. */
export function endlessPdf(levels = 14, leaf = '0 0 1 1 re f'): Uint8Array {
  const form = (i: number) =>
    stream(
      i < levels - 1 ? '/X Do '.repeat(10) : leaf,
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${7 + i} 0 R >> >>`,
    )
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /X 6 0 R >> >> /Contents 4 0 R >>',
    stream('/X Do'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: levels }, (_, i) => form(i)),
  ])
}
