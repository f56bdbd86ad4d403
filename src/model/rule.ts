import type { ImportLanguage } from './imports.js'

/** Something that code can be held against, from a fenced `rule` block or from a sentence that names what to look for. */
export interface Rule {
  id: string
  severity: Severity
  /** What is wrong when it is broken. */
  message: string
  suggestion?: string
  /** Names of languages; empty: any. */
  languages: string[]
  /** Paths, folders or globs below the root, of the files it is about; empty: any. */
  paths: string[]
  except: string[]
  /** Where it stands in its document. */
  line: number
  check: Check
}

export type Severity = 'error' | 'warning'

export type Check =
  | TextCheck
  | TreeCheck
  | ImportCheck
  /** A sentence about the structure of code, and which check of the table it asks for. */
  | { kind: 'structure'; name: string; sentence: string }
  | { kind: 'layers'; layers: Layer[] }
  | { kind: 'dependency'; require: boolean; names: string[] }
  | { kind: 'file'; require: boolean; files: string[] }

export interface TextCheck {
  kind: 'text'
  require: boolean
  /** A regular expression; `^` and `$` are the ends of a line. */
  pattern: string
  ignoreCase: boolean
  /** It only matters where this is found as well. */
  when: string | null
  /** Of several files each must have it; else one is enough. */
  every: boolean
  /** Comments and strings do not count. */
  codeOnly: boolean
}

export interface TreeCheck {
  kind: 'tree'
  require: boolean
  /** A piece of code with `$NAME` and `$$$` for what may stand there, or an ast-grep rule. */
  tree: string | Record<string, unknown>
  when: string | null
  every: boolean
}

export interface ImportCheck {
  kind: 'import'
  require: boolean
  /** Modules, packages, or paths: relative ones are seen from the folders that the rule is about. */
  imports: string[]
  every: boolean
}

/** Layers are listed from the top: each may import those after it, never one before it. */
export interface Layer {
  name: string
  paths: string[]
}

/** A block that means to be a rule and is none. */
export interface BrokenRule {
  id: string | null
  line: number
  reason: string
}

/** An import as rules look at it. */
export interface LocatedImport {
  specifier: string
  /** Of a Python module: what is taken from it. */
  names?: readonly string[]
  language: ImportLanguage
  line: number
  /** The files of the project that it leads to. */
  paths: readonly string[]
}
