/** Where documents come from. A source is what the toolsets call a collection. */
export interface Source {
  /** Made from the canonical location, so that two projects never share one by accident. */
  id: string
  /** The alias people use for it. A view: documents are kept under the id. */
  name: string
  kind: SourceKind
  /** A real path or a url. */
  location: string
  description?: string
  version?: string
  createdAt: string
  updatedAt: string
  /** What the kind of source needs to remember (etags, resolved commits, settings). */
  details: Record<string, unknown>
}

/** `memory`: what was recorded here, discoveries and sessions. */
export type SourceKind = 'folder' | 'package' | 'web' | 'uploads' | 'api' | 'memory'

/** One address for every tool: a source's id and a path inside it, `/`-separated. */
export interface Ref {
  source: string
  path: string
}

/** The same for the same document, to look it up by. */
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
