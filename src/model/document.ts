import type { Note } from './problem.js'
import type { ChunkKind, Format, Ref } from './source.js'

export type { ChunkKind, Format, Ref } from './source.js'

/** What a file says, by its syntax tree. Offsets are UTF-16 units into `text`; lines start at 1 and are inclusive. */
export interface Parsed {
  format: Format
  language: string | null
  title: string | null
  /** The text that is shown and cut into chunks: the file itself, or its conversion to Markdown. */
  text: string
  sections: Section[]
  blocks: Block[]
  declarations: Declaration[]
  links: Link[]
  tags: string[]
  aliases: string[]
  /** Frontmatter, author, date, pages: what the format itself says about the document. */
  metadata: Record<string, unknown>
  notes: Note[]
}

/** A heading and what it covers: up to the next heading of the same or a higher level. */
export interface Section {
  level: number
  text: string
  line: number
  endLine: number
  start: number
  end: number
}

/** A piece of prose that should not be cut if it can be helped. In order, not overlapping. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'list' | 'code' | 'table' | 'quote' | 'html' | 'frontmatter' | 'rule'
  start: number
  end: number
  line: number
  endLine: number
  /** Of a fenced code block. */
  language?: string
}

/** A named thing in code. `start` takes in its doc comment and decorators. */
export interface Declaration {
  kind: string
  name: string
  /** Names of what encloses it, outermost first. */
  scope: string[]
  /** Its head on one line: `export function parse(text: string): Parsed`. */
  signature: string
  /** What its doc comment says first, on one line. */
  doc?: string
  start: number
  end: number
  line: number
  endLine: number
}

export interface Link {
  kind: 'wiki' | 'embed' | 'markdown' | 'frontmatter'
  /** As written, without label, heading and block. */
  target: string
  label: string | null
  /** Empty when only the sign stands there, as in `[[C#]]`. */
  heading: string | null
  block: string | null
  start: number
  end: number
  line: number
}

/** A passage. What is shown is `text.slice(start, end)`; what is indexed and embedded has the context line before it. */
export interface Chunk {
  kind: ChunkKind
  language: string | null
  start: number
  end: number
  line: number
  endLine: number
  /** The headings above it, outermost first. */
  headings: string[]
  /** The declarations it holds: qualified names, first the main one. */
  symbols: string[]
  /** Title and headings, or path and signature: says where a passage stands when it stands alone. */
  context: string
}

/** What a store indexes of a chunk: our terms, counted in each field. */
export interface ChunkTerms {
  /** Which of the document's words it has, by their places among those; each once. */
  places: Uint32Array
  /** Four counts a word, in the order of `fields`. */
  counts: Uint16Array
  /** How many terms each field has in all. */
  lengths: readonly [number, number, number, number]
}

export const fields = ['title', 'headings', 'names', 'body'] as const
export type Field = (typeof fields)[number]

export interface IndexedChunk extends Chunk {
  /** Of context and text: the same hash means the same terms and the same vector. */
  hash: string
  terms: ChunkTerms
}

/** How a file looked when it was read: if nothing of it changed, it is not read again. */
export interface Stamp {
  /** Of the file, in bytes. */
  size: number
  mtimeMs: number
  /**
   * When the system last saw it change: programs that copy, unpack or restore set the time of modification as they like, but
   * not this one. Null where it is unknown.
   */
  ctimeMs: number | null
  /** Which file it is: two that were unpacked together may have all else in common. */
  ino: number | null
}

/** A document as the road in hands it to a store: whole, replacing what was there. */
export interface IndexedDocument {
  ref: Ref
  title: string
  format: Format
  language: string | null
  text: string
  /** Of the bytes as they came. */
  hash: string
  stamp: Stamp | null
  /** When the bytes were read (ms). A document read earlier never replaces one read later. */
  readAt: number
  sections: Section[]
  links: Link[]
  tags: string[]
  aliases: string[]
  metadata: Record<string, unknown>
  notes: Note[]
  chunks: IndexedChunk[]
  /** The terms of all chunks, and maybe others. Documents may share one list, which grows: a place in it stays one word. */
  words: readonly string[]
}

export interface StoredDocument extends Omit<IndexedDocument, 'chunks' | 'words'> {
  chunkCount: number
}

export type DocumentSummary = Omit<StoredDocument, 'text' | 'sections' | 'links'> & {
  /** Of the text, in UTF-16 units. */
  chars: number
  lines: number
}

/** What a graph of notes is made of. */
export type NotedDocument = Pick<
  StoredDocument,
  'title' | 'hash' | 'stamp' | 'readAt' | 'tags' | 'aliases' | 'links' | 'notes'
> & { path: string }

/** A chunk as a store returns it. `id` is the store's own and lives as long as the chunk's text does. */
export interface StoredChunk extends Chunk {
  id: number
  ref: Ref
  title: string
  format: Format
  /** Position in the document, from 0. */
  index: number
  count: number
  text: string
  hash: string
}
