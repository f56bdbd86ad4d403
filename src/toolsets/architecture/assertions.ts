// The rules that documents of a project carry, read from disk, and which of them are in force.
import { join } from 'node:path'
import { type Kind, places } from '../../answer/architecture/places.js'
import type { BrokenRule, Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import type { Adr } from '../../parse/adr/adr.js'
import { parseAdr, readAdr } from '../../parse/adr/parse-adr.js'
import { type Supersession, supersessionOf } from '../../parse/adr/supersession.js'
import { readRules } from '../../parse/rules/read-rule.js'
import { readText } from './read-text.js'

/** How a rule counts: an error, a warning because its decision is only proposed, or not at all. */
export type Force = 'enforced' | 'proposed' | 'lapsed' | 'for_snippets'

export interface Assertion {
  rule: Rule
  document: RuleDocument
  force: Force
}

export interface RuleDocument {
  /** Below the root. */
  path: string
  kind: Kind
  title: string
  /** Of a decision. */
  status: Adr['status'] | null
}

export interface Assertions {
  /** The documents that were looked at, with rules or without. */
  documents: RuleDocument[]
  assertions: Assertion[]
  broken: (BrokenRule & { document: RuleDocument })[]
  /** The number of broken rules in decisions that no longer hold: these are not run and need no mending. */
  brokenLapsed: number
  /** Other problems of documents with rules. */
  notes: { path: string; message: string }[]
  /** Documents that cannot be read and may have rules. */
  unread: { path: string; reason: string }[]
}

/** From the files of the project, and its unreadable folders. */
export async function readAssertions(
  settings: Settings,
  files: readonly string[],
  closed: readonly { path: string; reason: string }[],
): Promise<Assertions> {
  const where = places(settings.architecture)
  const read: { document: RuleDocument; text: string; adr: Adr | null }[] = []
  const notes: Assertions['notes'] = []
  const unread: Assertions['unread'] = closed.filter(({ path }) => where.mayLieBelow(path))
  for (const path of files) {
    const place = where.of(path)
    if (!place) continue
    const content = await readText(join(settings.root, path), settings.limits.fileBytes)
    if ('failed' in content) {
      unread.push({ path, reason: content.failed })
      continue
    }
    const { text } = content
    const reading = place.kind === 'adr' ? recordOf(path, text) : null
    if (reading && 'message' in reading) notes.push({ path, ...reading })
    if (reading && !('adr' in reading)) continue
    const adr = reading?.adr ?? null
    const document = {
      path,
      kind: place.kind,
      title: adr?.title ?? titleOf(text, path),
      status: adr?.status ?? null,
    }
    read.push({ document, text, adr })
  }
  const adrs = read.flatMap(({ adr }) => adr ?? [])
  const supersession = supersessionOf(adrs)
  const blocks = read.map(({ document, text, adr }) => ({
    document,
    isLapsed: adr !== null && isLapsed(adr, supersession),
    ...readRules(text),
  }))
  const ruled = blocks.filter(({ rules }) => rules.length > 0).map(({ document }) => document.path)
  return {
    documents: read.map(({ document }) => document),
    assertions: blocks.flatMap(({ document, isLapsed, rules }) =>
      rules.map((rule) => ({ rule, document, force: isLapsed ? 'lapsed' : forceOf(rule, document) })),
    ),
    broken: blocks.flatMap(({ document, isLapsed, broken }) =>
      isLapsed ? [] : broken.map((one) => ({ ...one, document })),
    ),
    brokenLapsed: blocks.reduce((sum, { isLapsed, broken }) => sum + (isLapsed ? broken.length : 0), 0),
    notes: [...notes, ...circlesOf(supersession, new Set(ruled))],
    unread,
  }
}

/** A document with rules in a folder of decisions is a decision whatever its form, unless it is a template. */
function recordOf(path: string, text: string): { adr: Adr } | { message: string } | { none: true } {
  const reading = readAdr(path, text)
  if (reading.kind === 'adr') return reading
  const { rules, broken } = readRules(text)
  if (rules.length + broken.length === 0) return { none: true }
  if (reading.kind === 'other') return { adr: parseAdr(path, text) }
  const what = reading.kind === 'template' ? 'a template' : 'a table of contents'
  return { message: `This is ${what}, so its rules are not run.` }
}

/** Decisions with rules that supersede each other, so that it is unknown which of them holds. */
function circlesOf({ issues }: Supersession, ruled: ReadonlySet<string>): Assertions['notes'] {
  return issues
    .filter(({ kind, path, to }) => kind === 'cycle' && (ruled.has(path) || ruled.has(to)))
    .map(({ path, message }) => ({
      path,
      message: `${message} That alone makes the rules of neither lapse.`,
    }))
}

function isLapsed(adr: Adr, supersession: Supersession): boolean {
  return supersession.isReplaced(adr) || adr.status === 'rejected' || adr.status === 'deprecated'
}

// A pattern's rule without a place is for code that says it follows the pattern, which is never all code.
function forceOf({ paths, check }: Rule, { kind, status }: RuleDocument): Force {
  if (kind !== 'adr') {
    const placed =
      paths.length > 0 || check.kind === 'file' || check.kind === 'layers' || check.kind === 'dependency'
    return placed ? 'enforced' : 'for_snippets'
  }
  return status === 'proposed' || status === 'draft' ? 'proposed' : 'enforced'
}

function titleOf(text: string, path: string): string {
  return /^#[ \t]+(.+)$/m.exec(text)?.[1]?.trim() ?? path
}
