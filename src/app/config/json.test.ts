import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../model/problem.js'
import { readJson } from './json.js'

function complaint(text: string): string {
  try {
    readJson(text, 'carrel.json')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const message = error.message.replace('carrel.json is not valid JSON: ', '')
    return error.hint ? `${message} ${error.hint}` : message
  }
  return 'fine'
}

describe('JSON with places', () => {
  test('accepts the same texts as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        assert.deepEqual(readJson(text, 'x').value, JSON.parse(text))
      }),
      { seed: 20261115, numRuns: 300 },
    )
  })

  test('refuses the same texts as JSON.parse, always with a Problem', () => {
    const broken = fc.tuple(
      fc.jsonValue({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', '\\', '/', '0', 'é'),
    )
    fc.assert(
      fc.property(broken, ([value, where, put]) => {
        const text = JSON.stringify(value)
        const at = where % (text.length + 1)
        const changed = text.slice(0, at) + put + text.slice(at + (put ? 0 : 1))
        if (parses(changed)) return
        assert.notEqual(complaint(changed), 'fine')
      }),
      { seed: 20261115, numRuns: 500 },
    )
  })

  test('knows the line of each key', () => {
    const { lineOf } = readJson('{\r\n "a": [\r\n  1,\r\n  { "b":\r\n 2 } ]\r\n}', 'x')
    assert.deepEqual([['a'], ['a', 0], ['a', 1], ['a', 1, 'b'], ['c']].map(lineOf), [2, 3, 4, 4, null])
  })

  for (const [text, message] of [
    ['', 'line 1, column 1: the file is empty. An empty configuration is written {}.'],
    ['\ufeff{ "watch": true }', 'fine'],
    [
      '{\n  "a": 1,\n}',
      'line 2, column 9: there is a comma before "}". Plain JSON has no comma after the last entry.',
    ],
    ['{\n  // why\n  "a": 1 }', 'line 2, column 3: comments are not part of JSON. Take the comment out.'],
    ['{ "a": 1 "b": 2 }', 'line 1, column 10: "," or "}" expected, "\\"" found.'],
    [
      '{ a: 1 }',
      'line 1, column 3: a key in double quotes expected, "a" found. JSON puts keys and texts in "double quotes".',
    ],
    [
      '{ "a": \'x\' }',
      'line 1, column 8: a value expected, "\'" found. JSON puts keys and texts in "double quotes".',
    ],
    ['{ "a": 1', 'line 1, column 9: the "{" of line 1 has no "}" before the file ends.'],
    ['{ "a" 1 }', 'line 1, column 7: ":" expected after the key, "1" found.'],
    ['{ "a": 1, "a": 2 }', 'line 1, column 11: "a" is given twice.'],
    ['{ "a": "x\n" }', 'line 1, column 8: the text has no closing quote on its line.'],
    [
      '{ "a": "\\q" }',
      'line 1, column 8: the text has a "\\" that means nothing. Write a backslash as \\\\.',
    ],
    ['{} x', 'line 1, column 4: nothing more was expected, "x" found.'],
    ['{ "a": 01 }', 'line 1, column 9: "," or "}" expected, "1" found.'],
    ['[1', 'line 1, column 3: the "[" of line 1 has no "]" before the file ends.'],
  ] as const)
    test(`answers ${JSON.stringify(text)}`, () => assert.equal(complaint(text), message))

  test('does not follow nesting for ever', () => {
    assert.match(complaint('['.repeat(100_000)), /nested too deep/)
  })
})

// Two equal keys are well-formed to JSON.parse and refused here, so they are left out of the comparison by the caller.
function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
