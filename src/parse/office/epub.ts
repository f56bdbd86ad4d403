// Books: chapters in reading order, each as a page would be converted.
import type { Note } from '../../model/problem.js'
import { Problem } from '../../model/problem.js'
import { xhtmlAsHtml } from '../html-tree.js'
import { type Converted, damaged, noText, oneLine, plainLine, stated } from './converted.js'
import { htmlText } from './html-text.js'
import { isoDate, readPart, requirePart, resolvePart } from './package-parts.js'
import { attribute, child, descendants, type Element, elementsOf, textOf, xmlText } from './xml.js'
import { openZip, type Zip } from './zip.js'

export function convertEpub(bytes: Uint8Array): Converted {
  const zip = openZip(bytes)
  const book = openBook(zip)
  refuseLocked(zip, book)
  const titles = chapterTitles(zip, book)
  const notes: Note[] = []
  const chapters = book.spine.map((part) => chapterText(zip, part, titles.get(part) ?? null, notes))
  const text = chapters.filter((chapter) => chapter !== '').join('\n\n')
  return { text, ...card(book), notes: text === '' ? [...notes, noText()] : notes }
}

interface Book {
  package: Element
  folder: string
  /** By id. */
  manifest: Map<string, { part: string; type: string; properties: string }>
  /** The chapters' parts in reading order. */
  spine: string[]
  tocId: string | undefined
}

function openBook(zip: Zip): Book {
  const container = requirePart(zip, 'META-INF/container.xml')
  const path = [...descendants(container, 'rootfile')][0]?.attributes['full-path']
  const name = resolvePart('', path ?? '')
  const root = child(requirePart(zip, name), 'package')
  if (!root) throw damaged('it does not say what it consists of')
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  const manifest = new Map(
    [...descendants(root, 'item')].map((item) => [item.attributes.id ?? '', manifestItem(folder, item)]),
  )
  const spine = child(root, 'spine')
  const parts = [...(spine ? descendants(spine, 'itemref') : [])]
    .map((itemref) => manifest.get(itemref.attributes.idref ?? ''))
    .filter((item) => item !== undefined && isText(item) && zip.names.includes(item.part))
    .map((item) => item!.part)
  return { package: root, folder, manifest, spine: [...new Set(parts)], tocId: spine?.attributes.toc }
}

function manifestItem(folder: string, { attributes }: Element) {
  return {
    part: partOf(folder, attributes.href ?? ''),
    type: attributes['media-type'] ?? '',
    properties: attributes.properties ?? '',
  }
}

function isText({ type, part, properties }: { type: string; part: string; properties: string }): boolean {
  return (
    !properties.split(' ').includes('nav') && (/html|oeb1-document/.test(type) || /\.x?html?$/i.test(part))
  )
}

/** The name of a part from a reference, which may be percent-encoded and lead to a place in it. */
function partOf(folder: string, reference: string): string {
  const path = reference.replace(/#.*$/s, '')
  try {
    return resolvePart(folder, decodeURIComponent(path))
  } catch {
    return resolvePart(folder, path)
  }
}

/** Fonts may be scrambled by their licence; chapters that are scrambled cannot be read. */
function refuseLocked(zip: Zip, book: Book) {
  const tree = readPart(zip, 'META-INF/encryption.xml')
  const scrambled = tree
    ? [...descendants(tree, 'CipherReference')].map((part) => partOf('', part.attributes.URI ?? ''))
    : []
  if (scrambled.some((part) => book.spine.includes(part)))
    throw new Problem(
      'protected',
      'It is protected by digital rights management.',
      'Only a copy without it can be read.',
    )
}

/** The title of each part in the table of contents: EPUB 3's navigation page, else EPUB 2's. */
function chapterTitles(zip: Zip, book: Book): Map<string, string> {
  const items = [...book.manifest.values()]
  const nav = items.find(({ properties }) => properties.split(' ').includes('nav'))?.part
  const ncx =
    book.manifest.get(book.tocId ?? '')?.part ?? items.find(({ type }) => type.includes('ncx'))?.part
  const titles = new Map<string, string>()
  const add = (from: string, reference: string | undefined, title: string) => {
    const part = partOf(from.slice(0, from.lastIndexOf('/') + 1), reference ?? '')
    if (title !== '' && !titles.has(part)) titles.set(part, title)
  }
  const navTree = nav ? readPart(zip, nav) : null
  for (const link of navTree ? descendants(navTree, 'a') : [])
    add(nav!, link.attributes.href, oneLine(textOf(link)))
  const ncxTree = ncx && titles.size === 0 ? readPart(zip, ncx) : null
  for (const point of ncxTree ? descendants(ncxTree, 'navPoint') : [])
    add(ncx!, child(point, 'content')?.attributes.src, oneLine(textOf(child(point, 'navLabel'))))
  return titles
}

/** Reads one chapter. A broken one is left out, with a note. */
function chapterText(zip: Zip, part: string, title: string | null, notes: Note[]): string {
  try {
    const source = xmlText(zip.bytes(part)!)
    const read = htmlText(asHtml(source))
    notes.push(...read.notes)
    const hasHeading = /^#{1,6} /m.test(read.text.slice(0, 2000))
    return read.text === '' || hasHeading || title === null
      ? read.text
      : `# ${plainLine(title)}\n\n${read.text}`
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'protected') throw error
    notes.push({ code: 'part_unread', message: `The chapter "${part}" could not be read: ${error.message}` })
    return ''
  }
}

/** The body of a chapter for a reader of HTML. Links within the book go. */
function asHtml(source: string): string {
  const start = /<body[^>]*>/i.exec(source)
  const end = source.lastIndexOf('</body')
  const from = start ? start.index + start[0].length : 0
  return xhtmlAsHtml(source.slice(from, end > from ? end : undefined))
    .replace(/<a(?=\s)([^<>]*)>/gi, (tag, rest: string) =>
      /href\s*=\s*["'](?:https?|mailto):/i.test(rest) ? tag : '<a>',
    )
    .replace(/(<img\s[^<>]*?)\ssrc\s*=\s*(?:"[^"]*"|'[^']*')/gi, '$1')
}

function card({ package: root }: Book): { title: string | null; metadata: Record<string, unknown> } {
  const fields = child(root, 'metadata')
  const all = (name: string) =>
    (fields ? elementsOf(fields) : [])
      .filter((field) => field.name === name)
      .map((field) => oneLine(textOf(field)))
  const modified =
    fields && elementsOf(fields).find((field) => attribute(field, 'property') === 'dcterms:modified')
  return {
    title: all('title')[0] || null,
    metadata: stated({
      author: all('creator').join(', '),
      date: isoDate(all('date')[0]),
      modified: isoDate(textOf(modified)),
      publisher: all('publisher')[0],
      language: all('language')[0],
      subject: all('subject').join(', '),
      description: all('description')[0],
    }),
  }
}
