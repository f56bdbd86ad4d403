// The fast engine: PDFium with a layout pass that finds headings, columns, tables and running titles.
import type { LiteParse, ParsedPage, ParseResult } from '@llamaindex/liteparse'
import { columnsApart } from './pdf-columns.js'
import { failureOf, type PdfFailure, type PdfPages, pdfLimits } from './pdf-lines.js'
import { mended } from './pdf-mend.js'

export async function readLayout(file: Buffer): Promise<PdfPages | PdfFailure> {
  const engine = await load()
  if (!engine) return 'missing'
  try {
    return await readBatches(engine, file)
  } catch (error) {
    return failureOf(error)
  }
}

type Engine = typeof LiteParse

/** Its binary is missing on some platforms, and then the import fails. */
async function load(): Promise<Engine | null> {
  try {
    return (await import('@llamaindex/liteparse')).LiteParse
  } catch {
    return null
  }
}

const settings = {
  ocrEnabled: false,
  outputFormat: 'markdown',
  imageMode: 'off',
  quiet: true,
  continueOnPageError: true,
  maxPages: pdfLimits.pages,
  numWorkers: 1,
} as const

// Running titles are found within a batch. A thousand pages took 640 MB at once and 290 MB in batches of this size.
const batchSize = 100

async function readBatches(Engine: Engine, file: Buffer): Promise<PdfPages> {
  const found: PdfPages = { pages: [], total: 0, unread: [], pictured: null }
  // Only the engine can read an encrypted file's metadata; for other files this would waste time.
  const engine = new Engine({ ...settings, extractDocumentMetadata: file.includes('/Encrypt') })
  for await (const { result, totalPages } of engine.parseBatches(file, { batchSize })) {
    found.total = totalPages
    found.packet ??= result.docMeta?.xmp
    take(found, result)
  }
  if (found.pages.length > 0 && found.pages.every((page) => page === ''))
    found.pictured = await isPictured(Engine, file)
  return found
}

function take(found: PdfPages, { pages, pageErrors }: ParseResult) {
  for (const { pageNum } of pageErrors) {
    found.unread.push(pageNum)
    fill(found.pages, pageNum, '')
  }
  for (const page of pages) fill(found.pages, page.pageNum, pageText(page))
}

function fill(pages: string[], number: number, text: string) {
  while (pages.length < number) pages.push('')
  pages[number - 1] = text
}

function pageText({ text, markdown, textItems }: ParsedPage): string {
  const length = printedIn(text)
  if (length === 0) return ''
  // If the layout pass lost most of the text, the plain lines are used.
  const isWhole = printedIn(markdown) * 2 >= length
  const whole = isWhole ? mended(columnsApart(markdown, textItems)) : text.replace(/[^\S\n]+/g, ' ')
  return whole
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[\0\f\v]/g, ' ')
    .trim()
}

function printedIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) count++
  return count
}

const lookedAt = 5

async function isPictured(Engine: Engine, file: Buffer): Promise<boolean> {
  const { pages } = await new Engine({ ...settings, maxPages: lookedAt, includeComplexity: true }).parse(file)
  return pages.some(
    ({ complexity }) => complexity && (complexity.fullPageImage || complexity.imageBlockCount > 0),
  )
}
