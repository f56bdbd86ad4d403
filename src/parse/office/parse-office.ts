// Recognises files of office programs and books, converts them to Markdown, and parses that.

import type { Parsed } from '../../model/document.js'
import { type Note, Problem } from '../../model/problem.js'
import { withoutControls } from '../../text/one-line.js'
import { type OfficeFormat, officeFormatOf } from '../formats.js'
import { parseMarkdown } from '../markdown.js'
import { type Converted, locked } from './converted.js'
import { type FileKind, formatOfBytes } from './format-of-bytes.js'

/**
 * `format` comes from the name, and is null for an unknown ending; the bytes decide.
 *
 * Reads a PDF, Office file, table or book. Throws a Problem with the reason if it cannot.
 * A hostile file can run for ever or crash the process: call it in a process that can be killed.
 */
export async function parseOffice(
  bytes: Uint8Array,
  path: string,
  format: OfficeFormat | null,
): Promise<Parsed> {
  const { format: real, notes } = settle(formatOfBytes(bytes), path, format)
  const converted = await converters[real](bytes, path)
  return parsedFrom({ ...converted, notes: [...notes, ...converted.notes] }, real)
}

/** The structure of what shows of a converted text. Signs that mean tags and links to notes elsewhere mean nothing here. */
function parsedFrom({ text, title, metadata, notes }: Converted, format: OfficeFormat): Parsed {
  // Form feeds separate the pages of a PDF.
  const parsed = parseMarkdown(text.split('\f').map(withoutControls).join('\f'))
  return {
    ...parsed,
    format,
    title: title ?? parsed.title,
    links: parsed.links.filter((link) => link.kind === 'markdown'),
    tags: [],
    aliases: [],
    metadata,
    notes,
  }
}

type Converter = (bytes: Uint8Array, path: string) => Converted | Promise<Converted>

// Loaded with the first file of the format, because each needs its own library.
const converters: Readonly<Record<OfficeFormat, Converter>> = {
  pdf: async (bytes) => {
    const converted = await (await import('./pdf.js')).convertPdf(bytes)
    return { ...converted, text: wholeNames(converted.text) }
  },
  docx: async (bytes) => (await import('./docx.js')).convertDocx(bytes),
  pptx: async (bytes) => (await import('./pptx.js')).convertPptx(bytes),
  xlsx: async (bytes) => (await import('./xlsx.js')).convertXlsx(bytes),
  csv: async (bytes, path) => (await import('./csv.js')).convertCsv(bytes, path),
  epub: async (bytes) => (await import('./epub.js')).convertEpub(bytes),
}

const names: Readonly<Record<OfficeFormat, string>> = {
  pdf: 'a PDF',
  docx: 'a Word document',
  pptx: 'a PowerPoint presentation',
  xlsx: 'an Excel workbook',
  csv: 'a table of text',
  epub: 'an EPUB book',
}

/** The format to read: the one of the bytes, with a note if the name disagrees. */
function settle(
  kind: FileKind,
  path: string,
  format: OfficeFormat | null,
): { format: OfficeFormat; notes: Note[] } {
  const refused = refusals[kind]
  if (refused) throw refused()
  if (format === 'csv' && kind === 'text') return { format, notes: [] }
  // Some PDFs lack their first line, and one engine reads them all the same.
  if (format === 'pdf' && kind === 'text') return { format, notes: [] }
  if (!isOffice(kind)) throw notWhatItSays(kind, path)
  const isOther = format !== null && format !== kind
  return { format: kind, notes: isOther ? [{ code: 'other_format', message: otherwise(path, kind) }] : [] }
}

function isOffice(kind: FileKind): kind is OfficeFormat {
  return kind in converters
}

function otherwise(path: string, kind: OfficeFormat): string {
  const ending = /\.[^./\\]+$/.exec(path)?.[0] ?? ''
  return ending && officeFormatOf(path) !== kind
    ? `The file says ${ending} but is ${names[kind]}; it was read as that.`
    : `It is ${names[kind]} and was read as that.`
}

const others: Partial<Record<FileKind, string>> = {
  zip: 'an archive of something else',
  html: 'a web page',
  text: 'plain text',
  binary: 'something else',
}

function notWhatItSays(kind: FileKind, path: string): Problem {
  const ending = /\.[^./\\]+$/.exec(path)?.[0]
  const what = ending ? `The file says ${ending}, but it is` : 'It is'
  return new Problem('unsupported', `${what} ${others[kind]}.`)
}

const refusals: Partial<Record<FileKind, () => Problem>> = {
  empty: () => new Problem('empty', 'The file is empty.'),
  odt: () =>
    new Problem('unsupported', 'OpenDocument files are not read.', 'Save it as DOCX, PPTX, XLSX or PDF.'),
  rtf: () => new Problem('unsupported', 'RTF files are not read.', 'Save it as DOCX or PDF.'),
  ole: () =>
    new Problem('unsupported', 'Files of Office before 2007 are not read.', 'Save it as DOCX, PPTX or XLSX.'),
  'ole-encrypted': locked,
}

/** Markdown of an engine that escapes every underscore. Within a word it means nothing, and a name is searched for as it is. */
function wholeNames(markdown: string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```)/m)
    .map((text, index) =>
      index % 2 === 1 ? text : text.replace(escapedMarks, (marks) => marks.replaceAll('\\', '')),
    )
    .join('')
}

const escapedMarks = /(?<=[\p{L}\p{N}])(?:\\_)+(?=[\p{L}\p{N}])/gu
