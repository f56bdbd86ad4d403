/** Where documents come from. A source is what the toolsets call a collection. */
export interface Source {
  /** Derived from the canonical location, so that two projects never share an id by accident. */
  id: string
  /** The alias that people use. Documents are stored under the id. */
  name: string
  kind: SourceKind
  /** A real path or a url. */
  location: string
  description?: string
  version?: string
  createdAt: string
  updatedAt: string
  /** Facts that depend on the kind of source: etags, resolved commits, settings. */
  details: Record<string, unknown>
}

/** `memory` holds discoveries and sessions. */
export type SourceKind = 'folder' | 'package' | 'web' | 'uploads' | 'api' | 'memory'

/** The address of a document, accepted by every tool: a source's id and a path in that source, `/`-separated. */
export interface Ref {
  source: string
  path: string
}

/** A ref as a string, for keys of maps. */
export function refKey({ source, path }: Ref): string {
  return `${source}\0${path}`
}

export type Format =
  | 'markdown'
  | 'html'
  | 'text'
  | 'code'
  | 'data'
  | 'notebook'
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'csv'
  | 'epub'

export type ChunkKind = 'prose' | 'code' | 'table'
