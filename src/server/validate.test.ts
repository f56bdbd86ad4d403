import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { invalidArguments, validate } from './validate.js'

const input = z
  .object({
    query: z.string().min(3).max(20).describe('What to look for'),
    limit: z.int().min(1).max(10).default(5).describe('Most results'),
    type: z.enum(['all', 'rule']).optional().describe('Kind'),
    ratio: z.number().gt(0).lt(1).optional().describe('A part'),
    flag: z.boolean().optional().describe('A switch'),
    queries: z
      .array(z.strictObject({ query: z.string().describe('One') }))
      .max(2)
      .optional()
      .describe('Several'),
    facts: z.record(z.string(), z.unknown()).optional().describe('Facts'),
  })
  .strict()

const cases: [string, unknown, string[]][] = [
  ['nothing at all', undefined, ['query: expected text (What to look for), got nothing.']],
  ['a list', [1], ['arguments: expected an object with named arguments, got a list of 1.']],
  [
    'text',
    '{"query":"abc"}',
    ['arguments: expected an object with named arguments, got "{\\"query\\":\\"abc\\"}".'],
  ],
  ['too short', { query: 'ab' }, ['query: expected text of at least 3 characters, got "ab".']],
  [
    'too long',
    { query: 'x'.repeat(50) },
    [`query: expected text of at most 20 characters, got "${'x'.repeat(50)}" (50 characters).`],
  ],
  ['a word for a number', { query: 'abc', limit: 'three' }, ['limit: expected a number, got "three".']],
  ['a fraction', { query: 'abc', limit: 2.5 }, ['limit: expected a whole number, got 2.5.']],
  ['too many', { query: 'abc', limit: 99 }, ['limit: expected a number at most 10, got 99.']],
  ['out of an open range', { query: 'abc', ratio: 0 }, ['ratio: expected a number more than 0, got 0.']],
  ['another value', { query: 'abc', type: 'rules' }, ['type: expected one of "all", "rule", got "rules".']],
  ['a misspelt name', { query: 'abc', limti: 3 }, ['limti is not an argument; did you mean "limit"?']],
  [
    'a strange name',
    { query: 'abc', verbosity_level: 3 },
    [
      'verbosity_level is not an argument; the arguments are query, limit, type, ratio, flag, queries, facts.',
    ],
  ],
  [
    'a misspelt name inside',
    { query: 'abc', queries: [{ querry: 'x', query: 'y' }] },
    ['queries[0].querry is not an argument; did you mean "query"?'],
  ],
  [
    'the wrong kind inside',
    { query: 'abc', queries: [{ query: 7 }] },
    ['queries[0].query: expected text, got 7.'],
  ],
  ['text for facts', { query: 'abc', facts: 'x' }, ['facts: expected an object, got "x".']],
  [
    'a list too long',
    { query: 'abc', queries: [1, 2, 3].map(() => ({ query: 'x' })) },
    ['queries: expected a list of at most 2 items, got a list of 3.'],
  ],
  [
    'prototype tricks',
    { query: 'abc', constructor: 1 },
    ['constructor is not an argument; the arguments are query, limit, type, ratio, flag, queries, facts.'],
  ],
]

describe('arguments that do not fit are explained', () => {
  for (const [title, given, expected] of cases)
    test(title, () => {
      const result = validate(input, given)
      assert.ok('issues' in result, 'it was accepted')
      assert.deepEqual(
        result.issues.map((issue) => issue.message),
        expected,
      )
    })
})

test('defaults are filled in and null means left out', () => {
  assert.deepEqual(validate(input, { query: 'abc', type: null, flag: null }), {
    args: { query: 'abc', limit: 5 },
  })
})

test('null where a value is required is named', () => {
  const result = validate(input, { query: null })
  assert.ok('issues' in result)
  assert.equal(result.issues[0]?.message, 'query: expected text, got null.')
})

test('the failure lists the parameters of the tool', () => {
  const result = validate(input, {})
  assert.ok('issues' in result)
  const failure = invalidArguments({ name: 'find', input }, result.issues)
  assert.equal(failure.hint, 'find takes query, limit?, type?, ratio?, flag?, queries?, facts?.')
})

test('a value nested a hundred thousand deep is refused without falling over', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  const result = validate(input, { query: deep })
  assert.ok('issues' in result)
  assert.equal(result.issues[0]?.given, 'a list of 1')
})

test('names without number or end are refused in a few words', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i]))
  for (const given of [many, { ['k'.repeat(1_000_000)]: 1 }, { queries: [many, many] }]) {
    const result = validate(input, { query: 'abc', ...given })
    assert.ok('issues' in result)
    assert.ok(result.issues.length <= 10, `${result.issues.length}`)
    assert.ok(JSON.stringify(result.issues).length < 10_000)
  }
})

test('unambiguous values are accepted: numbers and booleans as text, one name for a list', () => {
  const lenient = z.strictObject({
    limit: z.int().max(9).optional(),
    ratio: z.number().optional(),
    flag: z.boolean().optional(),
    names: z.array(z.string()).optional(),
    deep: z.array(z.strictObject({ names: z.array(z.string()).optional() })).optional(),
  })
  const given = { limit: '3', ratio: ' 0.5 ', flag: 'true', names: 'docs', deep: [{ names: 'a' }, {}] }
  const before = structuredClone(given)
  assert.deepEqual(validate(lenient, given), {
    args: { limit: 3, ratio: 0.5, flag: true, names: ['docs'], deep: [{ names: ['a'] }, {}] },
  })
  assert.deepEqual(given, before)
  for (const wrong of [
    { limit: '10' },
    { limit: '1.5' },
    { limit: '' },
    { limit: '0x3' },
    { limit: '1e3' },
    { flag: 'yes' },
    { flag: 1 },
    { names: '' },
    { names: '["a"]' },
    { names: 7 },
  ])
    assert.ok('issues' in validate(lenient, wrong), JSON.stringify(wrong))
})
