// `carrel check`: every rule in force held against the code base. Works from the files alone: it needs no index.
import type { Settings } from '../../model/settings.js'
import { listFolder } from '../../sources/folder.js'
import { compileGlob } from '../../text/glob.js'
import { type Assertion, type Assertions, readAssertions } from './assertions.js'
import { type CheckOptions, checkFiles } from './check-files.js'
import { checkProject } from './check-project.js'

export interface Violation {
  /** Null if something is missing that belongs to no file. */
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
  /** Rules that could judge nothing they are about, and documents (without a rule's name) that cannot be read. */
  unchecked: RuleNote[]
  /** For example rules that match no file, and files that could not be read. */
  notes: RuleNote[]
  counts: CheckCounts
}

/** rules = passed + violated + broken + unchecked + lapsed + forSnippets. */
export interface CheckCounts {
  documents: number
  rules: number
  passed: number
  violated: number
  broken: number
  unchecked: number
  /** Of decisions that were superseded, rejected or deprecated. */
  lapsed: number
  /** Of patterns, without a place: for validate-against-pattern. */
  forSnippets: number
  /** Documents that cannot be read, which are not among `documents`. */
  unread: number
  /** Files that a rule could judge. */
  files: number
  errors: number
  warnings: number
}

/** The result of one rule. */
export interface Finding {
  assertion: Assertion
  /** Places where it is violated; one without a file where something is missing. */
  places: { file: string | null; line: number | null; message?: string }[]
  broken: string | null
  /** Why it can neither have passed nor be violated. */
  unchecked: string | null
  notes: string[]
}

/** The files that rules can look at. */
export interface Sight {
  files: readonly string[]
  /** Folders that cannot be read, each with a slash at the end. */
  closed: readonly { path: string; reason: string }[]
}

export async function checkDecisions(settings: Settings, options: CheckOptions = {}): Promise<CheckReport> {
  const { items, unreadable } = await listFolder(
    { path: settings.root, include: [], exclude: [] },
    options.signal,
  )
  // Files that cannot be looked at are files: a rule that is about them is to say so.
  const paths = [...items, ...unreadable].map(({ path }) => path).sort()
  const files = paths.filter((path) => !path.endsWith('/'))
  const closed = unreadable.filter(({ path }) => path.endsWith('/'))
  const read = await readAssertions(settings, files, closed)
  const documents = new Set([...read.documents, ...read.unread, ...read.notes].map(({ path }) => path))
  const live = read.assertions.filter(({ force }) => force === 'enforced' || force === 'proposed')
  const excluded = excludedBy(settings)
  const included = files.filter((path) => !excluded(path))
  // A rule would find itself in the document that has it.
  const code = included.filter((path) => !documents.has(path))
  const project = await checkProject(settings, live, { files: included, closed }, options.signal)
  const contents = await checkFiles(settings, live, { files: code, closed }, options)
  const judged = new Set([...project.files, ...contents.files])
  return report(read, [...project.findings, ...contents.findings], judged.size)
}

/** Tests whether the configuration excludes a path from the project. Rules in such files are read all the same. */
function excludedBy({ root, sources, exclude = [] }: Settings): (path: string) => boolean {
  const whole = sources.find(({ path }) => path === root)?.exclude ?? []
  const globs = [...new Set([...exclude, ...whole])].map(compileGlob)
  return (path) => globs.some((glob) => glob.covers(path))
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
  const unchecked = findings.flatMap(({ assertion, broken, unchecked }) =>
    broken === null && unchecked !== null ? [noteOn(assertion, unchecked)] : [],
  )
  const judged = findings.filter(({ broken, unchecked }) => broken === null && unchecked === null)
  const count = (force: Assertion['force']) => read.assertions.filter((one) => one.force === force).length
  return {
    violations,
    broken,
    unchecked: [
      ...read.unread.map(({ path, reason }) => ({
        document: path,
        documentLine: 1,
        rule: null,
        message: reason,
      })),
      ...unchecked,
    ],
    notes: [
      ...read.notes.map(({ path, message }) => ({ document: path, documentLine: 1, rule: null, message })),
      ...findings.flatMap(({ assertion, notes }) => notes.map((note) => noteOn(assertion, note))),
    ],
    counts: {
      documents: read.documents.length,
      rules: read.assertions.length + read.broken.length + read.brokenLapsed,
      passed: judged.filter(({ places }) => places.length === 0).length,
      violated: judged.filter(({ places }) => places.length > 0).length,
      broken: broken.length,
      unchecked: unchecked.length,
      lapsed: count('lapsed') + read.brokenLapsed,
      forSnippets: count('for_snippets'),
      unread: read.unread.length,
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
