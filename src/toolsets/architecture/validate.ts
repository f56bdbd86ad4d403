// A piece of code held against a pattern: every rule that can be checked is, and every other says why not.
import { isAbsolute, posix, relative } from 'node:path'
import {
  type ArchitectureDocument,
  findArchitecture,
  openArchitecture,
} from '../../answer/architecture/documents.js'
import type { Library } from '../../answer/library.js'
import { type Note, Problem } from '../../model/problem.js'
import type { Rule } from '../../model/rule.js'
import { detectLanguage } from '../../parse/code/detect-language.js'
import { formatOf, isLanguage, languageNamed, languageNames } from '../../parse/formats.js'
import { readAdvice } from '../../parse/rules/prose-rules.js'
import { readRules } from '../../parse/rules/read-rule.js'
import { cleanPath } from '../../text/glob.js'
import { didYouMean } from '../../text/nearest.js'
import { judgePool } from './judge/judge-pool.js'
import { askOf, type Verdict, verdictOf, whyAside } from './verdict.js'

export interface ValidateRequest {
  code: string
  pattern: string
  language?: string | undefined
  /** Where the code lies or will lie, below the root. */
  path?: string | undefined
  signal?: AbortSignal
}

export interface RuleOutcome extends Verdict {
  rule: string
  /** The rule's message, or the advice in its own words. */
  description: string
  severity: Rule['severity']
  suggestion?: string
  /** If it was not checked: it needs a reader, or the code's language or path. */
  left?: 'reader' | 'language' | 'path'
}

export interface Validation {
  document: ArchitectureDocument
  language: string | null
  /** No violation of severity `error` was found. */
  compliant: boolean
  rules: RuleOutcome[]
  notes: Note[]
}

export async function validateAgainstPattern(
  library: Library,
  request: ValidateRequest,
): Promise<Validation> {
  refuseBinary(request.code)
  const document = await findArchitecture(library, request.pattern, ['patterns', 'guidelines', 'adr'])
  const opened = await openArchitecture(library, document)
  if (!opened)
    throw new Problem(
      'not_found',
      `${document.uri} is gone since it was indexed.`,
      'search-architecture finds others.',
    )
  const { text } = opened.stored
  const written = rulesOf(text.slice(0, longestDocument))
  const language = languageOf(request, written)
  const rules = await outcomes(written, request, { language, root: library.settings.root })
  const wrong = rules.some(({ status, severity }) => status === 'violated' && severity === 'error')
  return {
    document,
    language,
    compliant: !wrong,
    rules,
    notes: [...opened.notes, ...standingNote(document), ...cutNote(text)],
  }
}

// A document's syntax is read on the server's own thread, and real patterns are shorter.
const longestDocument = 200_000

function cutNote(text: string): Note[] {
  if (text.length <= longestDocument) return []
  return [
    { code: 'cut', message: 'The document is very long: only rules in its first 200,000 characters count.' },
  ]
}

/** Warns that the document is not binding any more, since the verdicts look the same. */
function standingNote({ status, supersededBy }: ArchitectureDocument): Note[] {
  if (status === 'superseded' && supersededBy.length > 0) {
    const hold = supersededBy.length > 1 ? 'hold' : 'holds'
    const message = `This decision was superseded: ${supersededBy.join(' and ')} ${hold} instead.`
    return [{ code: 'lapsed', message }]
  }
  const standing = status && standings[status]
  return standing ? [{ code: 'lapsed', message: `This decision ${standing}.` }] : []
}

const standings: Partial<Record<NonNullable<ArchitectureDocument['status']>, string>> = {
  superseded: 'was superseded: its rules are not binding',
  rejected: 'was rejected: its rules are not binding',
  deprecated: 'is deprecated: its rules are not binding',
  proposed: 'is only proposed: its rules are not binding yet',
  draft: 'is only a draft: its rules are not binding yet',
}

interface Written extends Omit<RuleOutcome, keyof Verdict | 'left'> {
  /** Null if no program can check it; see `reason`. */
  check: Rule | null
  reason: string
}

function rulesOf(text: string): Written[] {
  const blocks = readRules(text)
  return [
    ...blocks.rules.map((rule) => ({ ...written(rule), check: rule, reason: '' })),
    ...blocks.broken.map(({ id, line, reason }) => {
      const rule = id ?? `rule at line ${line}`
      return {
        rule,
        description: `The rule at line ${line} is broken.`,
        severity: 'error' as const,
        check: null,
        reason,
      }
    }),
    ...readAdvice(text).map(({ id, text, rule, reason }) => ({
      ...(rule ? written(rule) : { rule: id, description: text, severity: 'warning' as const }),
      check: rule,
      reason: reason ?? '',
    })),
  ]
}

function written({ id, message, severity, suggestion }: Rule) {
  return { rule: id, description: message, severity, ...(suggestion ? { suggestion } : {}) }
}

const pool = judgePool({ processes: 2 })

async function outcomes(
  rules: readonly Written[],
  { code, path: given, signal }: ValidateRequest,
  { language, root }: { language: string | null; root: string },
): Promise<RuleOutcome[]> {
  const path = placeBelow(root, given?.trim() ?? '')
  const asides = rules.map(({ check }) => check && whyAside(check, { language, path }))
  const judged = rules.flatMap(({ check }, i) =>
    check && asides[i] === null ? [{ i, ask: askOf(check)! }] : [],
  )
  const job = { subject: { path, root, language, code: { text: code } }, asks: judged.map(({ ask }) => ask) }
  const [answers = []] = judged.length > 0 ? await pool.judge([job], signal) : []
  const answerTo = new Map(judged.map(({ i }, n) => [i, answers[n]!]))
  return rules.map(({ check, reason, ...shown }, i) => {
    const aside = asides[i]
    if (aside)
      return { ...shown, ...unchecked(aside.reason), ...(aside.missing ? { left: aside.missing } : {}) }
    if (!check) return { ...shown, ...unchecked(reason), left: 'reader' }
    const verdict = verdictOf(check, answerTo.get(i)!, path)
    return { ...shown, ...verdict, ...(verdict.status === 'not_checkable' ? { left: 'reader' } : {}) }
  })
}

function unchecked(reason: string): Verdict {
  return { status: 'not_checkable', lines: [], reason }
}

/** Below the root, also where the whole path was given or one with steps up and down. Null when nothing was. */
function placeBelow(root: string, given: string): string | null {
  if (given === '') return null
  const below = isAbsolute(given) ? relative(root, given) : '..'
  const isOutside = isAbsolute(below) || /^\.\.(?:[\\/]|$)/.test(below)
  return posix.normalize(cleanPath(isOutside ? given : below))
}

function refuseBinary(code: string) {
  const strange = code.match(/[\0-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0
  if (code.includes('\0') || strange > Math.max(8, code.length / 20))
    throw new Problem(
      'invalid',
      'This is no code: it has the bytes of a binary file in it.',
      'Pass the source as text.',
    )
  if (code.trim() === '') throw new Problem('invalid', 'The code is empty.', 'Pass the code to check.')
}

function languageOf({ code, language, path }: ValidateRequest, rules: readonly Written[]): string | null {
  if (language?.trim()) return knownLanguage(language.trim())
  const { format, language: byPath } = (path && formatOf(path)) || {}
  if (byPath) return byPath
  if (format === 'markdown' || format === 'html') return format
  const expected = [...new Set(rules.flatMap(({ check }) => check?.languages ?? []))]
  return detectLanguage(code, expected)
}

function knownLanguage(written: string): string {
  const name = languageNamed(written)
  if (isLanguage(name)) return name
  const hint = didYouMean(name, languageNames()) ?? 'Leave it out to have it found out from the code.'
  throw new Problem('invalid', `There is no language "${written.slice(0, 60)}" here.`, hint)
}
