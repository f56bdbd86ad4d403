// Our own questions with known answers. The form of the files is in README.md beside this one.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const kinds = [
  'title',
  'heading',
  'identifier',
  'error-code',
  'phrase',
  'path',
  'version',
  'email',
  'foreign',
  'paraphrase',
  'typo',
] as const

export interface Question {
  query: string
  kind: (typeof kinds)[number]
  /** The one right document, as a path below the folder of the set. */
  document: string
  /** The section that answers, where the document has sections. */
  heading?: string
}

export interface QuestionSet {
  name: string
  /** The folder that the questions are about. */
  folder: string
  /** Why the set cannot be used here, when its folder is not there. */
  missing: string | false
  questions: Question[]
}

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))
const library = join(projectRoot, 'examples', 'library')
const docs = join(projectRoot, '..', 'shared', 'data', 'docs')

const folders = {
  'library-known-items': library,
  'library-paraphrase': library,
  'library-typos': library,
  'docs-known-items': docs,
  'docs-paraphrase': docs,
} as const

export type SetName = keyof typeof folders
export const setNames = Object.keys(folders) as SetName[]

/** One set, every line of it checked; a malformed line is an error that names it. */
export function readSet(name: SetName): QuestionSet {
  const folder = folders[name]
  const lines = readFileSync(join(projectRoot, 'evals', 'sets', `${name}.jsonl`), 'utf8').split('\n')
  const questions = lines.flatMap((line, i) => (line ? [question(line, `${name}.jsonl:${i + 1}`)] : []))
  return { name, folder, missing: !existsSync(folder) && `${folder} is not there`, questions }
}

function question(line: string, place: string): Question {
  const value = JSON.parse(line) as Record<string, unknown>
  const { query, kind, document, heading, ...rest } = value
  const right =
    isText(query) &&
    isText(document) &&
    kinds.includes(kind as Question['kind']) &&
    (heading === undefined || isText(heading)) &&
    Object.keys(rest).length === 0
  if (!right) throw new Error(`${place}: expected query, kind, document and perhaps heading, got ${line}`)
  return value as unknown as Question
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() === value && value.length > 0 && value.length <= 200
}
