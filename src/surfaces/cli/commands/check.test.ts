import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckReport } from '../../../toolsets/architecture/check.js'
import { colours } from '../terminal.js'
import { checkText } from './check.js'

test('nothing in a report is obeyed by a terminal or passes for a line of its own', () => {
  const hostile = 'a\x1b[31m\nAll is well: 1 rule\r\x9b'
  const text = { rule: hostile, document: hostile, documentLine: 1, message: hostile }
  const violation = { ...text, file: hostile, line: 1, title: hostile, suggestion: hostile }
  const report = {
    violations: [
      { ...violation, severity: 'error' },
      { ...violation, severity: 'warning', file: null, line: null },
    ],
    broken: [text],
    unchecked: [text],
    notes: [{ ...text, rule: null }],
    counts: { rules: 1, errors: 1, passed: 0, violated: 1, files: 1 },
  } as unknown as CheckReport
  const shown = checkText(report, '/project', colours({ write: () => true }, {}))
  assert.doesNotMatch(shown, /[\x00-\x09\x0b-\x1f\x7f-\x9f]|^All is well/m)
  assert.match(shown, /^ {4}All is well/m)
})
