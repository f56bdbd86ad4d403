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

/** Narrows what is looked at, always before ranking. Fields are joined by "and", values of a field by "or". */
export interface Scope {
  sources?: readonly string[]
  documents?: readonly Ref[]
  /** Not these documents. */
  except?: readonly Ref[]
  /** Folder prefixes inside a source: `docs/adr` covers `docs/adr/0001.md`. */
  under?: readonly string[]
  formats?: readonly Format[]
  languages?: readonly string[]
  /** Tags match in lower case; `project` covers `project/lantern`. */
  tags?: readonly string[]
  kinds?: readonly ChunkKind[]
  /**
   * Modules of a project or paths in them, in any case of letters: by a document's path (`src/auth/…`) or a tag
   * (`module/auth`).
   */
  modules?: readonly string[]
  /** For modules: the folder of the project that a source is, by the source's id. Paths are read from there. */
  within?: Readonly<Record<string, string>>
  /** Documents that carry a note of one of these codes. */
  noted?: readonly string[]
  /** Documents that one of these covers. */
  any?: readonly DocumentScope[]
}

/** What can be said of whole documents. */
export type DocumentScope = Omit<Scope, 'kinds' | 'languages' | 'any'>

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
