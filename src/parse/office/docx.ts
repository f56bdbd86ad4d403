// Word: mammoth knows its styles and lists, our page converter does the rest.
import { strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import type { Note } from '../../model/problem.js'
import { Problem } from '../../model/problem.js'
import { type Converted, damaged, noText, oneLine } from './converted.js'
import { footnoteMarks, plainWord } from './docx-html.js'
import { withNumbers, withoutMarks } from './docx-numbers.js'
import { withAllWords } from './docx-words.js'
import { htmlText } from './html-text.js'
import { coreProperties, mainPart } from './package-parts.js'
import { xmlText } from './xml.js'
import { openZip, type Zip } from './zip.js'

export async function convertDocx(bytes: Uint8Array): Promise<Converted> {
  const zip = openZip(bytes)
  if (!zip.names.includes(mainPart(zip, 'word/document.xml'))) throw damaged('it has no document in it')
  const { html, leftOut } = await htmlOf(repacked(zip))
  const { text, notes } = htmlText(plainWord(html))
  const markdown = footnoteMarks(withoutMarks(text))
  return {
    text: markdown,
    ...coreProperties(zip),
    notes: [...notes, ...leftOut, ...(markdown === '' ? [noText()] : [])],
  }
}

/**
 * Only the parts that are read, unpacked: mammoth's own reader would unpack without a limit, and pictures are not
 * needed. A part that declares a document type is refused: Office never writes one, and attacks on XML begin there.
 */
function repacked(zip: Zip): Buffer {
  const parts: Record<string, Uint8Array> = {}
  const main = mainPart(zip, 'word/document.xml')
  for (const name of zip.names) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue
    const part = xmlText(zip.bytes(name)!)
    if (/<!(?:DOCTYPE|ENTITY)/i.test(part.slice(0, 4096)))
      throw new Problem(
        'unsupported',
        `Its part "${name}" declares a document type, which Word files never do.`,
      )
    parts[name] = strToU8(withAllWords(name === main ? withNumbers(zip, part) : part))
  }
  return Buffer.from(zipSync(parts, { level: 0 }))
}

async function htmlOf(buffer: Buffer): Promise<{ html: string; leftOut: Note[] }> {
  try {
    const options = {
      styleMap,
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      convertImage: altOnly,
    }
    const { value, messages } = await mammoth.convertToHtml({ buffer }, options)
    const embeds = messages.some(({ message }) => message.endsWith('ignored: w:altChunk'))
    return { html: value, leftOut: embeds ? [embedded] : [] }
  } catch (error) {
    if (error instanceof RangeError) throw damaged('it is nested too deeply', { cause: error })
    throw damaged(oneLine(String((error as Error).message).split('\n')[0]!, 200), { cause: error })
  }
}

const embedded: Note = {
  code: 'part_unread',
  message:
    'Files that are embedded in the text were not read. Word turns them into text when it saves the file.',
}

// The picture itself is never read; its description stays.
const altOnly = mammoth.images.imgElement(async () => ({ src: '' }))

const codeStyles = [
  'Code',
  'Code Block',
  'Source Code',
  'HTML Preformatted',
  'Preformatted Text',
  'Listing',
  'macro',
]
const codeMarks = [
  'Code',
  'Inline Code',
  'HTML Code',
  'HTML Typewriter',
  'Source Text',
  'Verbatim Char',
  'Code Char',
]
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  ...codeStyles.map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  ...codeMarks.map((name) => `r[style-name='${name}'] => code`),
  'u => ',
  // The words around it would be one.
  "br[type='page'] => br",
  "br[type='column'] => br",
]
