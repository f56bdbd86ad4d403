// The tolerant engine (PDF.js): slower and blind to layout, but it opens files that the fast one refuses, and runs anywhere.
import { failureOf, type PdfFailure, type PdfPages, pdfLimits, plainPages } from './pdf-lines.js'
import { type Piece, readLine } from './pdf-order.js'

export async function readFallback(file: Buffer): Promise<PdfPages | PdfFailure> {
  try {
    const pdf = await open(file)
    const count = Math.min(pdf.numPages, pdfLimits.pages)
    const lines: string[][] = []
    const unread: number[] = []
    for (let number = 1; number <= count; number++) {
      const page = await linesOf(pdf, number)
      if (!page) unread.push(number)
      lines.push((page ?? []).map(readLine))
    }
    if (unread.length === count) return 'broken'
    return { pages: plainPages(lines), total: pdf.numPages, unread, pictured: null }
  } catch (error) {
    return failureOf(error)
  }
}

/** Enough for seven hundred pages; the rest keep the fast engine's text. */
const longestAgain = 15_000

/** The lines of these pages, with a blank one at each larger gap. Unreadable pages are left out. */
export async function readAgain(file: Buffer, numbers: readonly number[]): Promise<Map<number, string[]>> {
  const end = performance.now() + longestAgain
  const found = new Map<number, string[]>()
  try {
    const pdf = await open(file)
    for (const number of numbers) {
      if (performance.now() > end) break
      const lines = await linesOf(pdf, number)
      if (lines) found.set(number, apart(lines).map(readLine))
    }
  } catch {
    // The other engine's text is kept.
  }
  return found
}

type Pdf = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>

async function open(file: Buffer): Promise<Pdf> {
  const { getDocumentProxy } = await import('unpdf')
  // A copy: the library takes the memory it is given for its own.
  return getDocumentProxy(Uint8Array.from(file), {
    verbosity: 0,
    isEvalSupported: false,
    stopAtErrors: false,
  })
}

interface Placed extends Piece {
  y: number
}

/** Null when the page is broken. */
async function linesOf(pdf: Pdf, number: number): Promise<Placed[][] | null> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const lines: Placed[][] = [[]]
    for (const item of items) {
      if (!('str' in item)) continue
      const [, , c, d, x, y] = item.transform as [number, number, number, number, number, number]
      lines.at(-1)!.push({ text: item.str, x, y, width: item.width, size: Math.hypot(c, d) })
      if (item.hasEOL) lines.push([])
    }
    page.cleanup()
    return lines
  } catch {
    return null
  }
}

const wideGap = 1.3

function apart(all: readonly Placed[][]): Placed[][] {
  const lines = all.filter((line) => line.some(({ text }) => text.trim() !== ''))
  const yOf = (line: Placed[]) => line.find(({ text }) => text.trim() !== '')!.y
  const gaps = lines.map((line, i) => (i === 0 ? 0 : Math.abs(yOf(line) - yOf(lines[i - 1]!))))
  const usual = gaps.filter((gap) => gap > 0).sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 3)] ?? 0
  return lines.flatMap((line, i) => (gaps[i]! > usual * wideGap ? [[], line] : [line]))
}
