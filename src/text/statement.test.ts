import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Relation, relationOf, understand } from './statement.js'

const cases: [string, string, Relation | null][] = [
  ['Use JWT tokens in httpOnly cookies', 'use JWT tokens in  httpOnly cookies.', 'same'],
  ['Use JWT tokens in httpOnly cookies', 'JWT tokens: use them in httpOnly cookies', 'same'],
  ['Always run the linter before a commit', 'Run the linter always before commits', 'same'],
  ['Use JWT tokens in httpOnly cookies', 'Never use JWT tokens in httpOnly cookies', 'replaces'],
  ['Commit generated files', 'Do not commit generated files', 'replaces'],
  ["Don't mock the database in tests", 'Mock the database in tests', 'replaces'],
  ['Indent with 2 spaces in TypeScript', 'Indent with 4 spaces in TypeScript', 'replaces'],
  ['The webhook timeout is 30 seconds', 'The webhook timeout is 10 seconds', 'replaces'],
  ['Use Redis for sessions', 'Use Postgres instead of Redis for sessions', 'replaces'],
  ['Use Redis for sessions', 'We switched from Redis to Postgres for sessions', 'replaces'],
  ['Use Postgres for sessions', 'Use Postgres instead of Redis for sessions', null],
  [
    'The nightly export of the users service writes one file for each region to the bucket',
    'The nightly export of the orders service writes one file for each region to the bucket',
    null,
  ],
  ['Test 12 fails on the build server', 'Test 14 fails on the build server', null],
  ['ADR 12 is accepted', 'ADR 14 is accepted', null],
  ['Use Postgres for billing', 'Use Redis for billing', null],
  ['Use tabs', 'Never use spaces', null],
  ['Retry three times', 'Log every request', null],
  ['', 'Use tabs', null],
]

for (const [earlier, later, relation] of cases)
  test(`"${later}" after "${earlier}": ${relation}`, () => {
    assert.equal(relationOf(understand(earlier), understand(later), null), relation)
  })

test('near meanings make two wordings one, but never over a negation or a number', () => {
  const said = understand('Retry webhook deliveries at most three times before giving up')
  const again = understand('Give up a webhook delivery after three retries')
  assert.equal(relationOf(said, again, 0.95), 'same')
  assert.equal(relationOf(said, again, 0.7), null)
  const negated = understand('Do not give up a webhook delivery after three retries')
  assert.notEqual(relationOf(said, negated, 0.99), 'same')
  assert.notEqual(relationOf(understand('Port 80 is open'), understand('Port 81 is open'), 0.99), 'same')
})

test('a statement of any length and kind is understood quickly', () => {
  const start = process.cpuUsage()
  for (const text of [
    'instead of '.repeat(1_000),
    '9 '.repeat(5_000),
    'a'.repeat(10_000),
    '\u{1F600}'.repeat(2_000),
  ])
    relationOf(understand(text), understand(`${text} not`), null)
  assert.ok(process.cpuUsage(start).user < 1_000_000)
})
