// From bytes to a document ready for the store: decode, parse, cut, count. Pure apart from loading grammars.
import { chunk } from '../chunk/chunk.js'
import type { Chunk, IndexedChunk, IndexedDocument, Parsed, Stamp } from '../model/document.js'
import type { Ref } from '../model/source.js'
import { parse } from '../parse/parse.js'
import { countTerms } from '../text/count.js'
import { hashOf } from '../text/hash.js'
import { titleFromPath } from '../text/title.js'

export interface RawDocument {
  ref: Ref
  bytes: Uint8Array
  stamp: Stamp | null
  readAt: number
  /** When the source knows better than the text: uploads and pages have titles of their own. */
  title?: string
  metadata?: Record<string, unknown>
}

export async function prepare(raw: RawDocument): Promise<IndexedDocument> {
  return prepared(raw, await parse({ path: raw.ref.path, bytes: raw.bytes }))
}

/** What follows parsing, for documents that were parsed elsewhere. */
export function prepared(raw: RawDocument, parsed: Parsed): IndexedDocument {
  const { path } = raw.ref
  const title = raw.title ?? parsed.title ?? nameOf(path, parsed.format)
  const chunks = chunk(parsed, { path, title }).map((piece) => indexed(piece, parsed.text, { path, title }))
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
    metadata: { ...parsed.metadata, ...raw.metadata },
    notes: parsed.notes,
    chunks,
  }
}

// Code goes by its file's name; a readable one would pass for a title that somebody wrote.
function nameOf(path: string, format: Parsed['format']): string {
  return format === 'code' || format === 'data' ? path.slice(path.lastIndexOf('/') + 1) : titleFromPath(path)
}

function indexed(piece: Chunk, text: string, about: { path: string; title: string }): IndexedChunk {
  const body = text.slice(piece.start, piece.end)
  const terms = countTerms({
    title: about.title,
    headings: piece.headings.join('\n'),
    names: [about.path, ...piece.symbols].join('\n'),
    body,
  })
  return { ...piece, hash: hashOf(piece.context, body), terms }
}

/** What an embedder reads of a chunk: the context line, then the passage. */
export function meaningOf(context: string, text: string): string {
  return `${context}\n${text}`
}
