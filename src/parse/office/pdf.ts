// PDF: text page by page, with the line each page starts on, so that a passage can be cited by its page.
import type { Note } from '../../model/problem.js'
import { type Converted, damaged, locked, noText, stated } from './converted.js'
import { readFallback } from './pdf-fallback.js'
import { readInfo } from './pdf-info.js'
import { readLayout } from './pdf-layout.js'
import { type PdfFailure, type PdfPages, pdfLimits } from './pdf-lines.js'
import { inReadingOrder } from './pdf-right.js'

export async function convertPdf(bytes: Uint8Array): Promise<Converted> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { found, notes } = await open(file)
  const { title, metadata } = readInfo(file, found.packet)
  const { text, pageStarts } = joined(found.pages)
  return {
    text,
    title,
    metadata: stated({ ...metadata, pages: found.pages.length, pageStarts }),
    notes: [...notes, ...pageNotes(found)],
  }
}

/** Every page after the first begins with a form feed on a separate line. */
function joined(pages: readonly string[]): { text: string; pageStarts: number[] } {
  if (pages.every((page) => page === '')) return { text: '', pageStarts: pages.map(() => 1) }
  const pageStarts: number[] = []
  const parts: string[] = []
  let line = 1
  for (const [i, page] of pages.entries()) {
    const part = i === 0 ? page : page === '' ? '\f' : `\f\n\n${page}`
    pageStarts.push(line)
    parts.push(part)
    line += lineBreaks(part) + 2
  }
  return { text: parts.join('\n\n'), pageStarts }
}

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

// --- Opening: the fast engine, then the forgiving one, then what can be saved.

type Opened = { found: PdfPages; notes: Note[] }

async function open(file: Buffer): Promise<Opened> {
  const read = await tryBoth(file)
  if (typeof read !== 'string' && read.pages.length > 0) return { found: read, notes: [] }
  const saved = await firstOfSeveral(file)
  if (saved) return saved
  if (read === 'locked') throw locked()
  if (!hasPages(file)) throw damaged('it cannot be opened as a PDF')
  return {
    found: { pages: [''], total: 1, unread: [], pictured: null },
    notes: [{ code: 'damaged', message: 'It is damaged: it has pages, but none of them could be read.' }],
  }
}

async function tryBoth(file: Buffer): Promise<PdfPages | PdfFailure> {
  // For any other file, the fast engine looks for programs that convert it to PDF.
  const start = file.subarray(0, 1024).indexOf('%PDF-')
  const fast = start < 0 ? 'broken' : await readLayout(file.subarray(start))
  if (fast === 'locked') return fast
  if (typeof fast !== 'string' && !isDoubtful(fast)) return inReadingOrder(fast, file)
  const slow = await readFallback(file)
  if (typeof slow === 'string') return typeof fast === 'string' ? slow : fast
  return typeof fast === 'string' || hasText(slow) || fast.pages.length === 0 ? slow : fast
}

const fewPages = 50

/** No text from the fast engine: on a short document the other one is worth asking. */
function isDoubtful(found: PdfPages): boolean {
  return !hasText(found) && found.pages.length <= fewPages
}

function hasText({ pages }: PdfPages): boolean {
  return pages.some((page) => page !== '')
}

/** Two concatenated documents of which the second is unreadable: the first is better than nothing. */
async function firstOfSeveral(file: Buffer): Promise<Opened | null> {
  const end = file.indexOf('%%EOF')
  const second = end < 0 ? -1 : file.indexOf('%PDF-', end)
  if (second < 0) return null
  const found = await tryBoth(file.subarray(0, second))
  if (typeof found === 'string') return null
  return {
    found,
    notes: [{ code: 'cut', message: 'This file contains several documents; only the first could be read.' }],
  }
}

function hasPages(file: Buffer): boolean {
  return file.subarray(0, 1024).includes('%PDF-') && /\/Type\s*\/Page\b/.test(file.toString('latin1'))
}

// --- Notes.

function pageNotes(found: PdfPages): Note[] {
  const { pages, total, unread, unordered = [], pictured } = found
  const notes: Note[] = []
  if (total > pages.length && pages.length >= pdfLimits.pages)
    notes.push({ code: 'cut', message: `Only the first ${pages.length} of ${total} pages are kept.` })
  if (unread.length > 0)
    notes.push({ code: 'pages_unread', message: `${pageList(unread)} could not be read.` })
  if (unordered.length > 0)
    notes.push({
      code: 'order_unknown',
      message: `${pageList(unordered)} are written from right to left; their words may be in another order.`,
    })
  const empty = pages.flatMap((page, i) => (page === '' && !unread.includes(i + 1) ? [i + 1] : []))
  if (!hasText(found)) notes.push(pictured ? scanned() : noText())
  else if (empty.length >= 3 && empty.length > pages.length / 5)
    notes.push({
      code: 'pages_without_text',
      message: `${pageList(empty)} have no text: they are blank or scanned.`,
    })
  return notes
}

function scanned(): Note {
  return {
    code: 'scanned',
    message:
      'It has no text, only pictures of pages (scanned); run text recognition (OCR) over it and add it again.',
  }
}

const mostListed = 10

function pageList(numbers: readonly number[]): string {
  const rest = numbers.length - mostListed
  const listed = numbers.slice(0, mostListed).join(', ')
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${listed}${rest > 0 ? ` and ${rest} more` : ''}`
}
