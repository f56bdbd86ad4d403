// The forgiving engine (PDF.js): slower and blind to layout, but it opens what the fast one refuses and runs anywhere.
import { plainPages } from './pdf-lines.js'
import { failureOf, type PdfFailure, type PdfPages, pdfLimits } from './pdf-pages.js'

export async function readFallback(file: Buffer): Promise<PdfPages | PdfFailure> {
  try {
    const { getDocumentProxy } = await import('unpdf')
    // A copy: the library takes the memory it is given for its own.
    const pdf = await getDocumentProxy(Uint8Array.from(file), {
      verbosity: 0,
      isEvalSupported: false,
      stopAtErrors: false,
    })
    const count = Math.min(pdf.numPages, pdfLimits.pages)
    const lines: string[][] = []
    const unread: number[] = []
    for (let number = 1; number <= count; number++) {
      const page = await linesOf(pdf, number)
      if (!page) unread.push(number)
      lines.push(page ?? [])
    }
    if (unread.length === count) return 'broken'
    return { pages: plainPages(lines), total: pdf.numPages, unread, pictured: null }
  } catch (error) {
    return failureOf(error)
  }
}

type Pdf = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>

/** Null when the page is broken. */
async function linesOf(pdf: Pdf, number: number): Promise<string[] | null> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const lines = ['']
    for (const item of items) {
      if (!('str' in item)) continue
      lines[lines.length - 1] += item.str
      if (item.hasEOL) lines.push('')
    }
    page.cleanup()
    return lines
  } catch {
    return null
  }
}
