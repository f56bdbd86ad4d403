import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Mentioning, mentions, withMentions } from './mentions.js'

const passage = (symbols: string[], text: string, relevance: number, kind: Mentioning['kind'] = 'code') => ({
  kind,
  symbols,
  text,
  relevance,
  score: relevance / 2,
})

test('a definition that a better passage calls moves up', () => {
  const caller = passage(['commands.run'], 'run() { clearAfterDelay(45) }', 0.6)
  const other = passage(['formatTime'], 'formatTime(now)', 0.35)
  const called = passage(['clipboard.clearAfterDelay'], 'clearAfterDelay(seconds)', 0.3)
  const [first, second, third] = withMentions([caller, other, called])
  assert.deepEqual(
    [first!.symbols, second!.symbols, third!.symbols],
    [['commands.run'], called.symbols, other.symbols],
  )
  assert.ok(second!.relevance > called.relevance && second!.score > called.score)
  assert.deepEqual(third, other)
})

test('mentions of its own names, of short names and of names with many definitions do not count', () => {
  assert.deepEqual(mentions([passage(['retry'], 'retry() { retry() }', 0.9)]), [0])
  assert.deepEqual(mentions([passage(['Main'], 'run get', 0.9), passage(['get', 'run'], '', 0.2)]), [0, 0])
  const many = [1, 2, 3, 4].map((i) => passage([`Class${i}.close`], '', 0.1))
  assert.deepEqual(mentions([passage([], 'close()', 0.9), ...many]), [0, 0, 0, 0, 0])
})

test('mentions by good passages count for more, and all together for a bounded sum', () => {
  const mentioned = (relevances: number[]) =>
    mentions([
      ...relevances.map((relevance) => passage([], 'loadConfig()', relevance)),
      passage(['loadConfig'], '', 0.05),
    ]).at(-1)!
  assert.ok(mentioned([0.8]) > mentioned([0.2]) && mentioned([0.2]) > 0)
  assert.equal(mentioned([0.9, 0.9, 0.9]), mentioned([0.9, 0.9]))
})

test('prose mentions words that look like a name, and no others', () => {
  const definitions = [passage(['Lantern'], '', 0.2), passage(['Lantern.relightAll'], '', 0.1)]
  const [, type, method] = mentions([
    passage([], 'Lantern uses relightAll at dusk.', 0.5, 'prose'),
    ...definitions,
  ])
  assert.equal(type, 0)
  assert.ok(method! > 0)
})
