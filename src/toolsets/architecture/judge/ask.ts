// What a judging process is asked about one text, and what it answers.
import type { LocatedImport } from '../../../model/rule.js'

export type Ask =
  | { kind: 'text'; pattern: string; ignoreCase: boolean; when: string | null; codeOnly: boolean }
  | { kind: 'tree'; tree: string | Record<string, unknown>; when: string | null }
  | { kind: 'structure'; name: string; sentence: string }
  /** Of a text that mentions one of these; of any, where there are none. */
  | { kind: 'imports'; mentions?: string[] }

export interface Subject {
  /** Below the root; null for code that is no file yet. */
  path: string | null
  /** Where imports are looked for. */
  root: string
  language: string | null
  /** The text itself, or the file to read. */
  code: { text: string } | { file: string; mostBytes: number }
}

export interface Job {
  subject: Subject
  asks: Ask[]
}

/** What a process is sent. */
export interface Batch {
  jobs: readonly Job[]
  /** What one regular expression may take on one text. */
  patternMs: number
}

export type Answer =
  /** The lines it was found on; `missing` when what a structure asks for is nowhere. */
  | { lines: number[]; missing?: true }
  /** What `when` names is not there: the rule is not about this text. */
  | { aside: true }
  /** `computed` are the lines of those whose names are not written down; `doubt` says why others may be missing. */
  | { imports: LocatedImport[]; computed?: number[]; doubt?: string }
  /** It cannot be told, and why; `broken` when that is the rule's own fault, `foreign` when only for this language. */
  | { failed: string; broken?: boolean; foreign?: boolean }

// These lists stand here, not beside the engines: only judging processes load the engines.

/** The languages whose syntax trees can be searched. */
export const treeLanguages = [
  'typescript',
  'javascript',
  'html',
  'css',
  'python',
  'go',
  'rust',
  'java',
] as const

/** The languages whose imports are read. */
export const importLanguages = [
  'typescript',
  'javascript',
  'vue',
  'svelte',
  'astro',
  'python',
  'go',
  'rust',
  'java',
  'c',
  'cpp',
] as const
