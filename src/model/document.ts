import type { Note } from './problem.js'
import type { ChunkKind, Format, Ref } from './source.js'

export type { ChunkKind, Format, Ref } from './source.js'

/** A parsed file. Offsets are UTF-16 units into `text`; lines start at 1 and are inclusive. */
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
  /** Metadata from the file itself: frontmatter, author, date, pages. */
  metadata: Record<string, unknown>
  notes: Note[]
}

/** A heading and the text below it, up to the next heading of the same or a higher level. */
export interface Section {
  level: number
  text: string
  line: number
  endLine: number
  start: number
  end: number
}

/** A block of prose. The chunker avoids cutting inside it. Blocks are in order and do not overlap. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'list' | 'code' | 'table' | 'quote' | 'html' | 'frontmatter' | 'rule'
  start: number
  end: number
  line: number
  endLine: number
  /** The language of a fenced code block. */
  language?: string
}

/** A function, class, type or other named thing in code. `start` includes its doc comment and decorators. */
export interface Declaration {
  kind: string
  name: string
  /** Names of the enclosing declarations, outermost first. */
  scope: string[]
  /** The head of the declaration on one line: `export function parse(text: string): Parsed`. */
  signature: string
  /** The first sentence of its doc comment, on one line. */
  doc?: string
  /** Where the name itself stands; absent where only the line is known. */
  nameStart?: number
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
  /** Empty when nothing follows the `#`, as in `[[C#]]`. */
  heading: string | null
  block: string | null
  start: number
  end: number
  line: number
}

/** The unit of indexing: `text.slice(start, end)` of a document. It is indexed and embedded with `context` before it. */
export interface Chunk {
  kind: ChunkKind
  language: string | null
  start: number
  end: number
  line: number
  endLine: number
  /** The headings above it, outermost first. */
  headings: string[]
  /** Qualified names of the declarations in it, the main one first. */
  symbols: string[]
  /** Title and headings, or path and signature: where the chunk belongs. */
  context: string
}

/** The terms of a chunk, counted in each field. */
export interface ChunkTerms {
  /** Indexes into the document's `words`, each once. */
  places: Uint32Array
  /** Four counts for each word, in the order of `fields`. */
  counts: Uint16Array
  /** The number of terms in each field. */
  lengths: readonly [number, number, number, number]
}

export const fields = ['title', 'headings', 'names', 'body'] as const
export type Field = (typeof fields)[number]

export interface IndexedChunk extends Chunk {
  /** Hash of context and text. The same hash means the same terms and the same vector. */
  hash: string
  terms: ChunkTerms
}

/** The state of a file when it was read. If the stamp is unchanged, the indexer does not read the file again. */
export interface Stamp {
  /** Of the file, in bytes. */
  size: number
  mtimeMs: number
  /**
   * The change time. Programs that copy, unpack or restore files can set the modification time, but not this one. Null
   * where it is unknown.
   */
  ctimeMs: number | null
  /** The inode. Two files that were unpacked together may agree in everything else. */
  ino: number | null
}

/** A document as `ingest` gives it to a store. It replaces the stored document as a whole. */
export interface IndexedDocument {
  ref: Ref
  title: string
  format: Format
  language: string | null
  text: string
  /** Hash of the original bytes. */
  hash: string
  stamp: Stamp | null
  /** When the bytes were read (ms). A document read earlier never replaces one read later. */
  readAt: number
  /** The version of the reader that made it from the bytes of a file alone. Absent: it has a say of somebody else's in it. */
  reader?: number
  sections: Section[]
  links: Link[]
  tags: string[]
  aliases: string[]
  metadata: Record<string, unknown>
  notes: Note[]
  chunks: IndexedChunk[]
  /** The terms of all chunks, possibly with others. Documents may share one growing list; an index never changes its word. */
  words: readonly string[]
}

export interface StoredDocument extends Omit<IndexedDocument, 'chunks' | 'words' | 'reader'> {
  chunkCount: number
}

export type DocumentSummary = Omit<StoredDocument, 'text' | 'sections' | 'links'> & {
  /** Of the text, in UTF-16 units. */
  chars: number
  lines: number
}

/** The facts of a note that the link graph is built from. */
export type NotedDocument = Pick<
  StoredDocument,
  'title' | 'hash' | 'stamp' | 'readAt' | 'tags' | 'aliases' | 'links' | 'notes'
> & { path: string }

/** A chunk as a store returns it. The store assigns `id`, which stays the same as long as the chunk's text does. */
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
