import { z } from 'zod'
import { defineTool } from '../../../server/define.js'
import { noted } from '../../../server/fields.js'
import { counted } from '../../../text/counted.js'
import { type RuleOutcome, type Validation, validateAgainstPattern } from '../validate.js'
import { type ArchitectureServices, inWorkflow, showWorkflow, workflowField, workflowId } from './fields.js'

export const validateAgainstPatternTool = defineTool({
  name: 'validate-against-pattern',
  title: 'Validate code against a pattern',
  summary:
    'Holds code against the rules of a documented pattern or guideline. Says for each rule whether it passed, is violated (with the line) or could not be checked.',
  effect: 'read',
  limits: { timeMs: 20_000 },
  input: z.object({
    code: z.string().max(50_000).describe('Code to validate'),
    pattern_name: z.string().min(1).max(300).describe('Name of the pattern, such as repository'),
    language: z.string().max(40).optional().describe('Programming language; else detected'),
    path: z.string().max(500).optional().describe('Where the code belongs, for rules about folders'),
    workflow_id: workflowId,
  }),
  output: z.object({
    compliant: z.boolean(),
    pattern: z.string(),
    violations: z.array(
      z.object({
        rule: z.string(),
        description: z.string(),
        severity: z.enum(['error', 'warning']),
        line: z.int().optional(),
      }),
    ),
    suggestions: z.array(z.string()),
    checked: z.int(),
    not_checkable: z.int(),
    uri: z.string(),
    language: z.string().optional(),
    rules: z.array(
      z.object({
        rule: z.string(),
        status: z.enum(['passed', 'violated', 'not_checkable']),
        description: z.string().optional(),
        line: z.int().optional(),
        reason: z.string().optional(),
      }),
    ),
    note: z.string().optional(),
    workflow: workflowField,
  }),
  examples: [
    {
      title: 'SQL where the domain should ask a repository',
      args: {
        code: "export async function overdue(db: Db) {\n  return db.query('SELECT * FROM notification WHERE due_at < now()')\n}\n",
        pattern_name: 'repository',
        language: 'typescript',
      },
    },
    {
      title: 'An import in the wrong folder',
      args: {
        code: "import { createTransport } from 'nodemailer'\n\nexport interface ChannelPort {\n  deliver(to: string): Promise<void>\n}\n",
        pattern_name: 'ports-and-adapters',
        path: 'code/api/src/domain/ports.ts',
      },
    },
  ],
  run: ({ library }: ArchitectureServices, { code, pattern_name, language, path, workflow_id }, { signal }) =>
    inWorkflow(
      library,
      workflow_id,
      'validate-against-pattern',
      () => validateAgainstPattern(library, { code, pattern: pattern_name, language, path, signal }),
      ({ document, compliant, rules }) => `${document.name}: ${verdict(compliant, rules)}, ${tallied(rules)}`,
      showValidation,
    ),
  view: ({ workflow, ...validation }) => ({ ...showValidation(validation), ...showWorkflow(workflow) }),
})

function showValidation({ compliant, document, language, rules, notes }: Validation) {
  return {
    compliant,
    pattern: document.name,
    violations: rules.filter(({ status }) => status === 'violated').flatMap(showViolation),
    suggestions: suggestionsFor(rules),
    checked: rules.length - open(rules),
    not_checkable: open(rules),
    uri: document.uri,
    ...(language === null ? {} : { language }),
    rules: rules.map(({ rule, status, description, lines, reason }) => ({
      rule,
      status,
      // Violations say theirs already.
      ...(status === 'not_checkable' ? { description } : {}),
      ...(lines.length > 0 ? { line: lines[0]! } : {}),
      ...(reason ? { reason } : {}),
    })),
    ...noted([...unchecked(rules), ...notes]),
  }
}

const mostPlaces = 20

/** One row for each line; one without a line if something is missing. */
function showViolation({ rule, description, severity, lines, messages }: RuleOutcome) {
  const row = { rule, description, severity }
  if (lines.length === 0) return [row]
  return lines.slice(0, mostPlaces).map((line) => {
    const detail = messages?.get(line)
    return { ...row, ...(detail ? { description: `${description} ${detail}` } : {}), line }
  })
}

/** How to mend each violation, how many rules a reader has to judge, and which argument would let more be checked. */
function suggestionsFor(rules: readonly RuleOutcome[]): string[] {
  const violated = rules.filter(({ status }) => status === 'violated')
  const remedies = violated.map(({ suggestion, description }) => suggestion ?? description)
  return [...nothingChecked(rules), ...new Set(remedies), ...forReader(rules), ...askForFacts(rules)]
}

function nothingChecked(rules: readonly RuleOutcome[]): string[] {
  if (!isUnchecked(rules)) return []
  const which = rules.length === 0 ? 'this document has no rules' : `all ${rules.length} are left to you`
  return [`Nothing could be checked, so "compliant" says nothing here: ${which}.`]
}

function open(rules: readonly RuleOutcome[]): number {
  return rules.filter(({ status }) => status === 'not_checkable').length
}

function forReader(rules: readonly RuleOutcome[]): string[] {
  const left = rules.filter((rule) => rule.left === 'reader').length
  if (left === 0) return []
  const are = left === 1 ? 'is' : 'are'
  return [
    `${left} of ${counted(rules.length, 'rule')} ${are} left to a reader: see the not_checkable ones in rules.`,
  ]
}

function askForFacts(rules: readonly RuleOutcome[]): string[] {
  const missing = rules.flatMap(({ left }) => (left === 'language' || left === 'path' ? left : []))
  if (missing.length === 0) return []
  const what = [...new Set(missing)].sort().map((one) => `the ${one}`)
  return [`Say ${what.join(' and ')} of the code to have ${counted(missing.length, 'more rule')} checked.`]
}

function unchecked(rules: readonly RuleOutcome[]) {
  if (rules.length === 0)
    return [
      {
        code: 'no_rules',
        message: 'This document has no rules, so nothing was checked: add rule blocks to it.',
      },
    ]
  if (!isUnchecked(rules)) return []
  return [{ code: 'none_checked', message: 'No rule could be checked, so nothing is known about the code.' }]
}

function isUnchecked(rules: readonly RuleOutcome[]): boolean {
  return rules.every(({ status }) => status === 'not_checkable')
}

function verdict(compliant: boolean, rules: readonly RuleOutcome[]): string {
  if (isUnchecked(rules)) return 'nothing checked'
  return compliant ? 'compliant' : 'not compliant'
}

function tallied(rules: readonly RuleOutcome[]): string {
  const count = (status: RuleOutcome['status']) => rules.filter((one) => one.status === status).length
  return `${count('passed')} passed, ${count('violated')} violated, ${count('not_checkable')} not checkable`
}
