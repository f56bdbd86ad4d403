// The rules that documents of a project carry, read from disk, and which of them are in force.
import { join } from 'node:path'
import type { BrokenRule, Rule } from '../../model/rule.js'
import type { Settings } from '../../model/settings.js'
import type { Adr } from '../../parse/adr/adr.js'
import { readAdr } from '../../parse/adr/parse-adr.js'
import { supersessionOf } from '../../parse/adr/supersession.js'
import { readRules } from '../../parse/rules/rule-blocks.js'
import { type Kind, places } from './places.js'
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
  /** Documents that may have rules which nobody can read. */
  unread: { path: string; reason: string }[]
}

/** From the files of the project, and the folders in it that nobody can look into. */
export async function readAssertions(
  settings: Settings,
  files: readonly string[],
  closed: readonly { path: string; reason: string }[],
): Promise<Assertions> {
  const where = places(settings.architecture)
  const read: { document: RuleDocument; text: string; adr: Adr | null }[] = []
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
    const reading = place.kind === 'adr' ? readAdr(path, text) : null
    if (reading && reading.kind !== 'adr') continue
    const adr = reading?.adr ?? null
    const document = {
      path,
      kind: place.kind,
      title: adr?.title ?? titleOf(text, path),
      status: adr?.status ?? null,
    }
    read.push({ document, text, adr })
  }
  const replaced = replacedAmong(read.flatMap(({ adr }) => adr ?? []))
  const blocks = read.map(({ document, text, adr }) => ({ document, adr, ...readRules(text) }))
  return {
    documents: read.map(({ document }) => document),
    assertions: blocks.flatMap(({ document, adr, rules }) =>
      rules.map((rule) => ({
        rule,
        document,
        force: forceOf(rule, document, adr !== null && replaced.has(adr)),
      })),
    ),
    broken: blocks.flatMap(({ document, broken }) => broken.map((one) => ({ ...one, document }))),
    unread,
  }
}

/** Records that an accepted one replaced, even where nobody changed the old one's status. */
function replacedAmong(adrs: readonly Adr[]): Set<Adr> {
  const { successors } = supersessionOf(adrs)
  return new Set(
    adrs.filter((adr) => !adr.partly && successors(adr).some(({ status }) => status === 'accepted')),
  )
}

// A pattern's rule without a place is for code that says it follows the pattern, which is never all code.
function forceOf({ paths, check }: Rule, { kind, status }: RuleDocument, replaced: boolean): Force {
  if (kind !== 'adr') {
    const placed =
      paths.length > 0 || check.kind === 'file' || check.kind === 'layers' || check.kind === 'dependency'
    return placed ? 'enforced' : 'for_snippets'
  }
  if (replaced || status === 'superseded' || status === 'rejected' || status === 'deprecated') return 'lapsed'
  return status === 'proposed' || status === 'draft' ? 'proposed' : 'enforced'
}

function titleOf(text: string, path: string): string {
  return /^#[ \t]+(.+)$/m.exec(text)?.[1]?.trim() ?? path
}
