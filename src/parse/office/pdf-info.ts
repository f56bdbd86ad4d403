// Title, author and dates of a PDF, from its own card (`Info`) or from the XMP packet. Read here and not by an engine:
// one of them does not say, and the other would have to open the document once more.
import { inflateSync } from 'node:zlib'
import { oneLine, stated } from './converted.js'
import { isoDate } from './package-parts.js'
import { child, descendants, textOf, xmlTree } from './xml.js'

/** `decrypted`: the decrypted XMP packet of an encrypted file. */
export function readInfo(
  file: Buffer,
  decrypted?: string,
): { title: string | null; metadata: Record<string, unknown> } {
  const card = file.includes('/Encrypt') ? {} : cardOf(file)
  const packet = packetFields(decrypted ?? packetIn(file))
  return {
    title: soundTitle(card.Title) ?? soundTitle(packet.title),
    metadata: stated({
      author: oneLine(card.Author ?? '') || oneLine(packet.author ?? ''),
      date: pdfDate(card.CreationDate) ?? isoDate(packet.date),
      modified: pdfDate(card.ModDate) ?? isoDate(packet.modified),
      subject: oneLine(card.Subject ?? ''),
      keywords: oneLine(card.Keywords ?? ''),
    }),
  }
}

/** Programs write the name of the file they printed, or of themselves. */
function soundTitle(written: string | undefined): string | null {
  const title = oneLine(written ?? '')
  const isNoise =
    /^(?:untitled|title|document|slide|presentation|powerpoint presentation)[\s\d]*$/i.test(title) ||
    /^microsoft (?:word|powerpoint|excel)\b/i.test(title) ||
    /\.(?:docx?|pdf|indd|tex|dvi|qxd|pptx?|xlsx?|rtf|odt|html?|ps|fm|pmd)$/i.test(title) ||
    !/\p{L}{2}/u.test(title)
  return isNoise ? null : title
}

/** `D:20090428100656+01'00'` as ISO 8601. */
function pdfDate(written: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?([+-]\d\d'?\d\d|Z)?/.exec(written ?? '')
  if (!found) return undefined
  const [, year, month = '01', day = '01', hour, minute, second = '00', zone] = found
  const time = hour
    ? `T${hour}:${minute}:${second}${zone ? zone.replace("'", '').replace(/(\d\d)(\d\d)$/, '$1:$2') : ''}`
    : ''
  const date = `${year}-${month}-${day}${time}`
  return Number.isNaN(Date.parse(date)) ? undefined : date
}

// --- The card.

const fields = ['Title', 'Author', 'Subject', 'Keywords', 'CreationDate', 'ModDate'] as const
type Card = Partial<Record<(typeof fields)[number], string>>

function cardOf(file: Buffer): Card {
  const at = file.lastIndexOf('/Info')
  const number =
    at < 0 ? undefined : /^\/Info\s+(\d{1,7})\s+(\d{1,5})\s+R/.exec(file.toString('latin1', at, at + 40))?.[1]
  const body = number === undefined ? null : (objectAt(file, number) ?? packedObject(file, number))
  if (!body) return {}
  return Object.fromEntries(
    fields.map((name) => [name, fieldOf(body, name)]).filter(([, value]) => value !== undefined),
  )
}

const longestCard = 20_000

/** The last object of this number: a file that was saved again has the new one behind the old. */
function objectAt(file: Buffer, number: string): string | null {
  for (
    let at = file.lastIndexOf(`${number} 0 obj`);
    at >= 0;
    at = file.lastIndexOf(`${number} 0 obj`, at - 1)
  ) {
    const before = at === 0 ? 10 : file[at - 1]!
    if (before <= 32) {
      const end = file.indexOf('endobj', at)
      return file.toString('latin1', at, Math.min(end < 0 ? file.length : end, at + longestCard))
    }
    if (at === 0) break
  }
  return null
}

const mostStreams = 500
const mostUnpacked = 4_000_000
const longestHead = 500

/** Newer files keep small objects together in compressed streams. */
function packedObject(file: Buffer, number: string): string | null {
  let at = file.lastIndexOf('/ObjStm')
  for (let tried = 0; at > 0 && tried < mostStreams; tried++, at = file.lastIndexOf('/ObjStm', at - 1)) {
    const start = file.indexOf('stream', at)
    const end = start < 0 ? -1 : file.indexOf('endstream', start)
    if (end < 0 || start - at > longestHead) continue
    const head = file.toString('latin1', Math.max(0, at - longestHead), start)
    const first = Number(/\/First\s+(\d+)(?!.*\/First)/s.exec(head)?.[1])
    const found = Number.isFinite(first) ? memberOf(unpacked(file, start + 6, end), first, number) : null
    if (found) return found
  }
  return null
}

function unpacked(file: Buffer, start: number, end: number): string {
  const skip = file[start] === 13 ? 2 : 1
  try {
    return inflateSync(file.subarray(start + skip, end), { maxOutputLength: mostUnpacked }).toString('latin1')
  } catch {
    return ''
  }
}

/** The stream begins with pairs of object number and offset; the objects follow. */
function memberOf(stream: string, first: number, number: string): string | null {
  const head = stream.slice(0, first).trim().split(/\s+/)
  for (let i = 0; i + 1 < head.length; i += 2) {
    if (head[i] !== number) continue
    const start = first + Number(head[i + 1])
    const next = head[i + 3] === undefined ? stream.length : first + Number(head[i + 3])
    return stream.slice(start, Math.min(next, start + longestCard))
  }
  return null
}

function fieldOf(body: string, name: string): string | undefined {
  const at = new RegExp(`/${name}\\s*([(<])`).exec(body)
  if (!at || body[at.index + at[0].length] === '<') return undefined
  const start = at.index + at[0].length
  return decoded(
    at[1] === '(' ? literal(body, start) : hexadecimal(body.slice(start, body.indexOf('>', start))),
  )
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Up to the closing bracket: brackets in pairs need no escape, and a sign may be written in octal. */
function literal(body: string, start: number): string {
  let text = ''
  let depth = 1
  for (let at = start; at < body.length; at++) {
    const sign = body[at]!
    if (sign === '\\') {
      const octal = /^[0-7]{1,3}/.exec(body.slice(at + 1, at + 4))?.[0]
      const next = body[at + 1] ?? ''
      text += octal
        ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
        : /[\r\n]/.test(next)
          ? ''
          : (escapes[next] ?? next)
      at += octal ? octal.length : 1
      continue
    }
    if (sign === '(') depth++
    if (sign === ')' && --depth === 0) break
    text += sign
  }
  return text
}

function hexadecimal(digits: string): string {
  return Buffer.from(digits.replace(/[^\da-f]/gi, '').padEnd(2, '0'), 'hex').toString('latin1')
}

const above7f = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\x9f€'

/** Bytes as UTF-16 or UTF-8 by their mark, else in the encoding of PDF's own. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  if (text.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(bytes)
  if (text.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(bytes)
  if (text.startsWith('\xef\xbb\xbf')) return new TextDecoder().decode(bytes)
  return text.replace(/[\x80-\xa0]/g, (sign) => above7f[sign.charCodeAt(0) - 0x80]!)
}

// --- The packet.

interface Packet {
  title?: string
  author?: string
  date?: string
  modified?: string
}

const longestPacket = 200_000

function packetIn(file: Buffer): string {
  const start = file.lastIndexOf('<x:xmpmeta')
  const end = start < 0 ? -1 : file.indexOf('</x:xmpmeta>', start)
  return end < 0 || end - start > longestPacket ? '' : file.toString('utf8', start, end + 12)
}

function packetFields(packet: string): Packet {
  try {
    const tree = xmlTree(packet)
    const first = (name: string) => [...descendants(tree, name)][0]
    const items = (name: string) =>
      [...(first(name) ? descendants(first(name)!, 'li') : [])].map((item) => oneLine(textOf(item)))
    const rdf = child(tree, 'xmpmeta', 'RDF')
    const attributed = (key: string) =>
      rdf && [...descendants(rdf, 'Description')].map((about) => about.attributes[key]).find(Boolean)
    return {
      title: items('title')[0] ?? '',
      author: items('creator').join(', '),
      date: textOf(first('CreateDate')) || attributed('xmp:CreateDate') || '',
      modified: textOf(first('ModifyDate')) || attributed('xmp:ModifyDate') || '',
    }
  } catch {
    return {}
  }
}
