import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredChunk } from '../model/document.js'
import { exactly, spelledIn } from './exact.js'

test('a question without end is not read to its end', () => {
  const question = Array.from({ length: 600_000 }, (_, i) => `parseHeader${i}`).join(' ')
  const start = process.cpuUsage()
  exactly(question)
  const { user, system } = process.cpuUsage(start)
  // Some 10 ms; the whole of it were seconds.
  assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`)
})

test('names with signs are told from words, and from longer names', () => {
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
