// What the engines that read a PDF have in common.

/** What an engine makes of a PDF. */
export interface PdfPages {
  /** The text of each page as Markdown, empty where there is none. */
  pages: string[]
  /** More than `pages` when the limit was reached. */
  total: number
  /** Pages (from 1) that could not be read. */
  unread: number[]
  /** Whether pages without text show pictures; null when nobody looked. */
  pictured: boolean | null
  /** Pages (from 1) that are read from the right and whose words stand as they are seen. */
  unordered?: number[]
  /** The XMP packet of a file that keeps it encrypted. */
  packet?: string
}

export type PdfFailure = 'locked' | 'broken' | 'missing'

export const pdfLimits = { pages: 3_000 }

export function failureOf(error: unknown): PdfFailure {
  const { name, message } = error as Error
  return /password/i.test(`${name} ${message}`) ? 'locked' : 'broken'
}
