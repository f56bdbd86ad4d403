// Why a document is not taken in.
import { Problem } from '../../model/problem.js'

/** No document has more bytes, whatever its format. */
export const mostBytes = 50_000_000

export const readFormats = 'PDF, HTML, DOCX, EPUB, PPTX, XLSX, CSV, Markdown, plain text or a notebook'

export function unreadable(reason: string): Problem {
  return new Problem(
    'unreadable',
    `The document could not be read: ${reason}`,
    `Save it as ${readFormats} and call again, or pass its text as content with a title.`,
  )
}

export function tooLarge(bytes: number): Problem {
  const megabytes = (bytes / 1_000_000).toFixed(1)
  const [has, limit] =
    megabytes === '50.0'
      ? [`${bytes.toLocaleString('en-US')} bytes`, mostBytes.toLocaleString('en-US')]
      : [`${megabytes} MB`, '50 MB']
  return new Problem(
    'too_large',
    `The document has ${has}, and ${limit} is the limit.`,
    'Split it into smaller files and add each of them.',
  )
}

export function goneMeanwhile(): Problem {
  return new Problem(
    'gone',
    'The source or the document was deleted while the document was being added.',
    "Use manage_source(action='list') to see available sources.",
  )
}
