// From bytes to a document ready for the store: decode, parse, cut, count. Pure apart from loading grammars.
import { chunk } from '../chunk/chunk.js'
import type { IndexedDocument, Parsed, Stamp } from '../model/document.js'
import type { Ref } from '../model/source.js'
import { parse } from '../parse/parse.js'
import { countTerms } from '../text/count.js'
import { hashOf } from '../text/hash.js'
import { maskPrivateKeys } from '../text/mask-private-keys.js'
import { longestTitle, oneLine } from '../text/one-line.js'
import { titleFromPath } from '../text/title.js'

export interface RawDocument {
  ref: Ref
  bytes: Uint8Array
  stamp: Stamp | null
  readAt: number
  /** When the source knows better than the text: uploads and pages have titles of their own. */
  title?: string
  /** The file's name, which tells the format, where the path does not: a page's path is its address. */
  name?: string
  metadata?: Record<string, unknown>
}

export async function prepare(raw: RawDocument): Promise<IndexedDocument> {
  return prepared(raw, await parse({ path: raw.name ?? raw.ref.path, bytes: raw.bytes }))
}

/** What follows parsing, for documents that were parsed elsewhere. */
export function prepared(raw: RawDocument, read: Parsed): IndexedDocument {
  const parsed = { ...read, text: maskPrivateKeys(read.text) }
  const { path } = raw.ref
  const title = titleOf(raw, parsed)
  const pieces = chunk(parsed, { path, title })
  const bodies = pieces.map(({ start, end }) => parsed.text.slice(start, end))
  const terms = countTerms(
    pieces.map(({ headings, symbols }, i) => ({
      title,
      headings: headings.join('\n'),
      names: [path, ...symbols].join('\n'),
      body: bodies[i]!,
    })),
  )
  return {
    ref: raw.ref,
    title,
    format: parsed.format,
    language: parsed.language,
    text: parsed.text,
    hash: hashOf(raw.bytes),
    stamp: raw.stamp,
    readAt: raw.readAt,
    sections: parsed.sections,
    links: parsed.links,
    tags: parsed.tags,
    aliases: parsed.aliases,
    metadata: withMaskedKeys({ ...parsed.metadata, ...raw.metadata }),
    notes: parsed.notes,
    chunks: pieces.map((piece, i) =>
      Object.assign(piece, { hash: hashOf(piece.context, bodies[i]!), terms: terms.chunks[i]! }),
    ),
    words: terms.words,
  }
}

/** A note may have a key in its frontmatter, too. */
function withMaskedKeys<T>(value: T): T {
  if (typeof value === 'string') return maskPrivateKeys(value) as T
  if (Array.isArray(value)) return value.map(withMaskedKeys) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withMaskedKeys(inner)])) as T
}

function titleOf({ ref, title, name }: RawDocument, parsed: Parsed): string {
  const called = nameOf(name ?? ref.path, parsed.format)
  return oneLine(title ?? parsed.title ?? called, longestTitle) || oneLine(called, longestTitle) || 'Untitled'
}

// Code goes by its file's name; a readable one would pass for a title that somebody wrote.
function nameOf(path: string, format: Parsed['format']): string {
  return format === 'code' || format === 'data' ? path.slice(path.lastIndexOf('/') + 1) : titleFromPath(path)
}
