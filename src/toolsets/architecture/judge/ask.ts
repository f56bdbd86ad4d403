// The questions about one text that a judging process gets, and its answers.
import type { LocatedImport } from '../../../model/rule.js'

export type Ask =
  | { kind: 'text'; pattern: string; ignoreCase: boolean; when: string | null; codeOnly: boolean }
  | { kind: 'tree'; tree: string | Record<string, unknown>; when: string | null }
  | { kind: 'structure'; name: string; sentence: string }
  /** With `mentions`, only a text with one of these words is read. */
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

/** A message to a judging process. */
export interface Batch {
  jobs: readonly Job[]
  /** The time limit for one regular expression on one text. */
  patternMs: number
}

export type Answer =
  /** The lines of the matches; `missing` if a required structure was not found. */
  | { lines: number[]; missing?: true }
  /** The condition `when` is not met: the rule does not concern this text. */
  | { aside: true }
  /** `computed` are the lines of those whose names are not written down; `doubt` says why others may be missing. */
  | { imports: LocatedImport[]; computed?: number[]; warning?: string }
  /** Why there is no answer; `broken` if the rule itself is at fault, `foreign` if only for this language. */
  | { failed: string; broken?: boolean; foreign?: boolean }

// These lists are here and not in the engines' modules, because only judging processes load the engines.

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
