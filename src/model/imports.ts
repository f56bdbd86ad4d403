/** How one file names another. */
export type ImportKind =
  | 'import'
  | 'type-import'
  | 're-export'
  | 'dynamic-import'
  | 'require'
  | 'reference'
  | 'module'
  | 'include'

/** An import as it is written. */
export interface Import {
  kind: ImportKind
  /** `./x.js`, `..p.q`, `crate::a::b`, `a.b.C`, `x.h`. */
  specifier: string
  /** Where its name stands in the text. */
  at: number
  /** Of a Python module: what is taken from it, `*` for all. */
  names?: string[]
  /** Of Rust: the inline modules around it. */
  within?: string[]
  /** Of Rust: where `#[path]` says the module is. */
  path?: string
  /** `<x.h>`, or `import static`. */
  form?: 'system' | 'static'
}

export type ImportLanguage = 'script' | 'python' | 'go' | 'rust' | 'java' | 'c'

/** What a file's syntax says about the files it needs. */
export interface Imports {
  language: ImportLanguage
  imports: Import[]
  /** Of Java: the package the file says it is in. */
  package?: string
  /** Where something is imported whose name is only known when it runs. */
  computed?: number[]
  /** Why some may be missing. */
  error?: string
}

/** A file of the project that another one needs. */
export interface Dependency {
  /** Relative to the root, `/`-separated. */
  path: string
  type: ImportKind
}
