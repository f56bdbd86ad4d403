import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCode } from '../../src/parse/code/parse-code.js'

/** Source on one side, on the other what is declared in it: kind, qualified name, first and last line. */
export function checkDeclarations(
  title: string,
  language: string,
  source: string,
  expected: string[],
  path = 'file',
) {
  test(title, async () => {
    const { declarations, notes } = await parseCode(source.replace(/^\n/, ''), language, path)
    const found = declarations.map(
      ({ kind, scope, name, line, endLine }) => `${kind} ${[...scope, name].join('.')} ${line}-${endLine}`,
    )
    assert.deepEqual(found, expected)
    assert.deepEqual(notes, [])
  })
}
