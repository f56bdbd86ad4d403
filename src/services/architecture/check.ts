// `carrel check`: every rule in force held against the code base. Works from the files alone: it needs no index.
import type { Settings } from '../../model/settings.js'
import { listFolder } from '../../sources/folder.js'
import { type Assertion, type Assertions, readAssertions } from './assertions.js'
import { checkFiles } from './check-files.js'
import { checkProject } from './check-project.js'

export interface Violation {
  /** Null when what is missing has no file. */
  file: string | null
  line: number | null
  rule: string
  severity: 'error' | 'warning'
  message: string
  suggestion?: string
  /** The document that has the rule, and the rule's line there. */
  document: string
  documentLine: number
  title: string
}

export interface RuleNote {
  document: string
  documentLine: number
  rule: string | null
  message: string
}

export interface CheckReport {
  violations: Violation[]
  /** Rules that cannot be checked, because of themselves. */
  broken: RuleNote[]
  /** What a person should know: rules that looked at nothing, files that could not be read. */
  notes: RuleNote[]
  counts: CheckCounts
}

/** rules = passed + violated + broken + lapsed + forSnippets. */
export interface CheckCounts {
  documents: number
  rules: number
  passed: number
  violated: number
  broken: number
  /** Of decisions that were superseded, rejected or deprecated. */
  lapsed: number
  /** Of patterns, without a place: for validate-against-pattern. */
  forSnippets: number
  files: number
  errors: number
  warnings: number
}

/** What one rule came to. */
export interface Finding {
  assertion: Assertion
  /** Places where it is violated; one without a file where something is missing. */
  places: { file: string | null; line: number | null; message?: string }[]
  broken: string | null
  notes: string[]
}

export async function checkDecisions(
  settings: Settings,
  options: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
): Promise<CheckReport> {
  const { items } = await listFolder({ path: settings.root, include: [], exclude: [] }, options.signal)
  const files = items.map(({ path }) => path)
  const read = await readAssertions(settings, files)
  const documents = new Set(read.documents.map(({ path }) => path))
  const live = read.assertions.filter(({ force }) => force === 'enforced' || force === 'proposed')
  // A rule would find itself in the document that has it.
  const code = files.filter((path) => !documents.has(path))
  const project = await checkProject(settings, live, files)
  const { findings, files: looked } = await checkFiles(settings, live, code, options)
  return report(read, [...project, ...findings], looked)
}

function report(read: Assertions, findings: readonly Finding[], files: number): CheckReport {
  const violations = findings.flatMap(violationsOf).sort(byPlace)
  const broken = [
    ...read.broken.map(({ document, id, line, reason }) => ({
      document: document.path,
      documentLine: line,
      rule: id,
      message: reason,
    })),
    ...findings.flatMap(({ assertion, broken }) => (broken === null ? [] : [noteOn(assertion, broken)])),
  ]
  const count = (force: Assertion['force']) => read.assertions.filter((one) => one.force === force).length
  const violated = findings.filter(({ places, broken }) => places.length > 0 && broken === null).length
  return {
    violations,
    broken,
    notes: findings.flatMap(({ assertion, notes }) => notes.map((note) => noteOn(assertion, note))),
    counts: {
      documents: read.documents.length,
      rules: read.assertions.length + read.broken.length,
      passed: findings.filter(({ places, broken }) => places.length === 0 && broken === null).length,
      violated,
      broken: broken.length,
      lapsed: count('lapsed'),
      forSnippets: count('for_snippets'),
      files,
      errors: violations.filter(({ severity }) => severity === 'error').length,
      warnings: violations.filter(({ severity }) => severity === 'warning').length,
    },
  }
}

function violationsOf({ assertion: { rule, document, force }, places }: Finding): Violation[] {
  return places.map(({ file, line, message }) => ({
    file,
    line,
    rule: rule.id,
    severity: force === 'proposed' ? 'warning' : rule.severity,
    message: message ? `${rule.message} ${message}` : rule.message,
    ...(rule.suggestion ? { suggestion: rule.suggestion } : {}),
    document: document.path,
    documentLine: rule.line,
    title: document.title,
  }))
}

function noteOn({ rule, document }: Assertion, message: string): RuleNote {
  return { document: document.path, documentLine: rule.line, rule: rule.id, message }
}

function byPlace(a: Violation, b: Violation): number {
  const key = ({ file, line, rule }: Violation) =>
    `${file ?? ''}\0${String(line ?? 0).padStart(9, '0')}\0${rule}`
  return key(a) < key(b) ? -1 : 1
}
