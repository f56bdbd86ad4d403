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

/** A filter that is applied before ranking. Fields are joined by "and", the values of a field by "or". */
export interface Scope {
  sources?: readonly string[]
  documents?: readonly Ref[]
  /** Excludes these documents. */
  except?: readonly Ref[]
  /** Folder prefixes inside a source: `docs/adr` covers `docs/adr/0001.md`. */
  under?: readonly string[]
  formats?: readonly Format[]
  languages?: readonly string[]
  /** Tags match without regard to case; `project` covers `project/lantern`. */
  tags?: readonly string[]
  kinds?: readonly ChunkKind[]
  /**
   * Modules of a project, or paths in them, without regard to case. A document belongs to a module by its path
   * (`src/auth/…`) or by a tag (`module/auth`).
   */
  modules?: readonly string[]
  /** For `modules`: by source id, the source's folder in the project. It is put before the paths of the source. */
  within?: Readonly<Record<string, string>>
  /** Documents that carry a note of one of these codes. */
  noted?: readonly string[]
  /** Documents that at least one of these scopes covers. */
  any?: readonly DocumentScope[]
}

/** The fields of a scope that apply to whole documents. */
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
