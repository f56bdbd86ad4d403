import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredChunk } from '../model/document.js'
import { exactly, type NameUse, namesIn, sideRoles, spelledIn } from './exact.js'

test('a question without end is not read to its end', () => {
  const question = Array.from({ length: 600_000 }, (_, i) => `parseHeader${i}`).join(' ')
  const start = process.cpuUsage()
  exactly(question)
  const { user, system } = process.cpuUsage(start)
  // Some 10 ms; the whole of it were seconds.
  assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`)
})

test('names with signs are distinguished from words and from longer names', () => {
  const chunk = (text: string) =>
    ({
      text,
      title: '',
      headings: [],
      symbols: [],
      ref: { source: 's', path: 'a' },
    }) as unknown as StoredChunk
  const cases: [question: string, isAll: boolean, yes: string[], no: string[]][] = [
    [
      '--max-count',
      true,
      ['x --max-count=3', '[--MAX-COUNT]'],
      ['--max-count-all', 'max-count', '---max-count'],
    ],
    ['use `_id` now', false, ['a._id'], ['user_id', '__id', '_ids']],
    ['@angular/core', true, ["'@angular/core'"], ['@angular/cor', 'angular/core']],
    ['obs$ $a.b', true, ['obs$.map($a.b)'], ['obs$.map($axb)', 'obs $a.b']],
  ]
  for (const [question, isAll, yes, no] of cases) {
    const spelled = spelledIn(question)!
    assert.equal(spelled.isAll, isAll, question)
    for (const text of [...yes, ...no]) assert.equal(spelled.standsIn(chunk(text)), yes.includes(text), text)
  }
  for (const question of ['max-count', 'C# and C++', 'a - b', '# Title', 'well-known, e.g. this?', 'x_y', ''])
    assert.equal(spelledIn(question), null, question)
})

function chunk(some: Partial<StoredChunk>): StoredChunk {
  return {
    id: 1,
    ref: { source: 's', path: 'src/a.ts' },
    title: 'a.ts',
    format: 'code',
    kind: 'code',
    language: 'typescript',
    index: 0,
    count: 1,
    start: 0,
    end: 1,
    line: 1,
    endLine: 1,
    headings: [],
    symbols: [],
    context: '',
    text: '',
    hash: '',
    ...some,
  }
}

describe('a name in a question', () => {
  const check = (question: string, some: Partial<StoredChunk>, use: NameUse | null) =>
    test(`${question} in ${JSON.stringify(some)}: ${use}`, () =>
      assert.equal(namesIn(question)?.useIn(chunk(some)) ?? null, use))
  check('send', { symbols: ['Client.send'] }, 'defines')
  check('Client.send()', { symbols: ['Client.send'] }, 'defines')
  check('Client::send', { symbols: ['Client.send'] }, 'defines')
  check('retrybudget', { symbols: ['retryBudget'] }, 'defines, in another case')
  check('what does retryBudget do', { symbols: ['retryBudget'] }, 'defines')
  check('who calls parse_header', { symbols: ['parse_header'] }, 'defines')
  check('where is send() defined', { symbols: ['Client.send'] }, 'defines')
  check('what to send', { symbols: ['Client.send'] }, null)
  check('retryBudget', { kind: 'prose', headings: ['Options', '`retryBudget`'] }, 'explains')
  check('retryBudget', { symbols: ['retryBudgetOf'] }, null)

  test('counts less among other words than alone, and a definition more than an explanation', () => {
    const [alone, among] = [namesIn('retryBudget')!, namesIn('why retryBudget')!]
    assert.ok(alone.valueOf('defines') > among.valueOf('defines'))
    assert.ok(alone.valueOf('defines') > alone.valueOf('explains'))
  })
})

describe('a file beside the code', () => {
  const check = (question: string, path: string, role: string | null) =>
    test(`${path} for "${question}": ${role}`, () =>
      assert.equal(sideRoles(question)(chunk({ ref: { source: 's', path } })), role))
  check('retry budget', 'src/retry.test.ts', 'test')
  check('tests of the retry budget', 'src/retry.test.ts', null)
  check('test_retry', 'tests/test_retry.py', null)
  check('latest retry', 'src/retry.test.ts', 'test')
  check('retry budget', 'src/retry.ts', null)
  check('retry budget', 'CHANGELOG.md', 'changelog')
  check('when was the retry budget added', 'CHANGELOG.md', null)
  check('which lines get fixes', 'docs/releases.md', null)
  check('left-pad', 'package-lock.json', 'lock')
})
