// Decisions with rules over files of a test's own, checked.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type CheckReport, checkDecisions } from '../../src/toolsets/architecture/check.js'
import { type Files, settingsFor, temporaryFolder, write } from '../support/world.js'

export const adr = (status: string, ...rules: string[]) =>
  `# 1. A decision\n\n## Status\n\n${status}\n\n## Context\n\nWhy.\n\n## Decision\n\nWe do.\n\n${rules.map((rule) => `\`\`\`rule\n${rule}\n\`\`\`\n`).join('\n')}`

export async function check(t: TestContext, files: Files): Promise<CheckReport> {
  const root = temporaryFolder(t)
  write(root, files)
  const report = await checkDecisions(settingsFor(root))
  const { rules, passed, violated, broken, unchecked, lapsed, forSnippets } = report.counts
  assert.equal(passed + violated + broken + unchecked + lapsed + forSnippets, rules, 'the counts add up')
  return report
}

export const places = ({ violations }: CheckReport) =>
  violations.map(({ file, line, rule }) => `${file ?? '-'}:${line ?? '-'} ${rule}`)
export const rule = (yaml: string) => `${yaml}\nmessage: Because.`
export const decided = (yaml: string, more: Files = {}): Files => ({
  'docs/adr/0001-a.md': adr('Accepted', rule(yaml)),
  ...more,
})
