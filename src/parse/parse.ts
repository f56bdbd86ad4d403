// What a thing says: bytes in, structure out, by the kind of file.
import type { Parsed } from '../model/document.js'
import { Problem } from '../model/problem.js'
import type { Format } from '../model/source.js'
import { parseData } from './data.js'
import { decode, encodingWithin } from './decode.js'
import { formatOf, isMdx, languageOfScript } from './formats.js'
import { parseMarkdown } from './markdown.js'
import { parseNotebook } from './notebook.js'
import { isPageText, parsePageText } from './page-text.js'
import { parseText } from './text.js'
import { xhtmlAsHtml } from './xhtml.js'

/** Reads a file. Throws a Problem for what is not text; anything else is read as far as it goes, with notes. */
export async function parse(item: { path: string; bytes: Uint8Array }): Promise<Parsed> {
  const kind = formatOf(item.path)
  if (!kind)
    throw new Problem(
      'unsupported',
      `Files like "${item.path}" are not read.`,
      'Convert it to text or Markdown.',
    )
  const { text, notes } = decode(item.bytes, declaredEncoding(item.bytes, kind))
  const parsed = await readers[kind.format](text, item.path, kind.language)
  return notes.length > 0 ? { ...parsed, notes: [...notes, ...parsed.notes] } : parsed
}

type Reader = (text: string, path: string, language: string | null) => Parsed | Promise<Parsed>

const plain: Reader = (text, path) => {
  const language = path.includes('.') ? null : languageOfScript(text)
  return language ? code(text, path, language) : parseText(text, path)
}

// Grammars and the page converter are loaded when the first such file comes: a folder of notes needs neither.
const code: Reader = async (text, path, language) =>
  (await import('./code/parse-code.js')).parseCode(text, language ?? 'text', path)
const html: Reader = async (text, path) =>
  isPageText(path)
    ? parsePageText(text)
    : (await import('./html.js')).parseHtml(/\.xhtml$/i.test(path) ? xhtmlAsHtml(text) : text)
const data: Reader = (text, path, language) => parseData(text, { format: formatOf(path)!.format, language })

const readers: Readonly<Record<Format, Reader>> = {
  markdown: (text, path) => parseMarkdown(text, isMdx(path) ? 'mdx' : 'markdown'),
  html,
  notebook: (text) => parseNotebook(text),
  code,
  data,
  csv: data,
  text: plain,
  pdf: plain,
  docx: plain,
  pptx: plain,
  xlsx: plain,
  epub: plain,
}

/** Pages and XML may name their encoding near the top. */
function declaredEncoding(
  bytes: Uint8Array,
  { format, language }: { format: Format; language: string | null },
) {
  return format === 'html' || language === 'xml' ? encodingWithin(bytes) : null
}
