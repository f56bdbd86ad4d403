/** How one file refers to another. */
export type ImportKind =
  | 'import'
  | 'type-import'
  | 're-export'
  | 'dynamic-import'
  | 'require'
  | 'reference'
  | 'module'
  | 'include'

/** One import, as written in the source. */
export interface Import {
  kind: ImportKind
  /** `./x.js`, `..p.q`, `crate::a::b`, `a.b.C`, `x.h`. */
  specifier: string
  /** The offset of the specifier in the text. */
  at: number
  /** Python: the imported names, `*` for all. */
  names?: string[]
  /** Rust: the enclosing inline modules. */
  within?: string[]
  /** Rust: the module's path as given by `#[path]`. */
  path?: string
  /** `<x.h>`, or `import static`. */
  form?: 'system' | 'static'
}

export type ImportLanguage = 'script' | 'python' | 'go' | 'rust' | 'java' | 'c'

/** The imports of one file, read from its syntax tree. */
export interface Imports {
  language: ImportLanguage
  imports: Import[]
  /** Java: the file's package. */
  package?: string
  /** Offsets of imports whose specifier is computed at run time. */
  computed?: number[]
  /** Why the list may be incomplete. */
  error?: string
}

/** A file of the project that another file imports. */
export interface Dependency {
  /** Relative to the root, `/`-separated. */
  path: string
  type: ImportKind
}
