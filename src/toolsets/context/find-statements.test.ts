import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsIn } from './find-statements.js'

const stated: [string, string][] = [
  ['decision', 'We decided to use Postgres for the job queue.'],
  ['decision', 'We agreed on one release a week.'],
  ['decision', 'We will use pnpm workspaces for the monorepo.'],
  ['decision', 'We switched from Jest to the built-in test runner.'],
  ['rule', 'Never commit generated files to the repository.'],
  ['rule', 'Always run the linter before pushing.'],
  ['rule', 'All handlers must validate their input with a schema.'],
  ['rule', 'From now on, use tabs in Makefiles only.'],
  ['pattern', 'This project uses barrel files only at package roots.'],
  ['pattern', 'The convention here is one exported function per file.'],
  ['pattern', 'By convention, migrations are numbered by date.'],
  ['issue', 'The root cause was a missing await in the token refresh.'],
  ['issue', 'There is a race condition in the session cleanup.'],
]
for (const [type, sentence] of stated)
  test(`${type}: ${sentence}`, () => {
    assert.deepEqual(statementsIn(`Fine so far. ${sentence} And on we go.`), [
      { type, content: sentence, line: 1 },
    ])
  })

const chatter = [
  'Let me look at the file first.',
  'Should we always run the linter?',
  'Maybe we decided to use Postgres for this.',
  'I will never forget how this works, I think.',
  'If we always run it, the build gets slow.',
  'I never saw this file before.',
  'The problem is hard.',
  'You could use Redis instead of Postgres.',
  'Never mind.',
  'Done! All tests pass now.',
  'The function always returns a string.',
  'I decided.',
  '```\nNever commit generated files to the repository.\n```',
  '> Never commit generated files to the repository.',
  '| Never commit generated files | to the repository |',
]
for (const text of chatter)
  test(`is no statement: ${JSON.stringify(text)}`, () => assert.deepEqual(statementsIn(text), []))

test('a heading below another has its own type, and else that of the one above', () => {
  const list = (name: string) => ['', `- What is said below ${name} is kept`, '']
  const text = [
    ...['# Conventions', ...list('conventions')],
    ...['## Decisions', ...list('decisions'), '### Of last year', ...list('a year')],
    ...['## Known issues', ...list('issues'), '## Naming', ...list('naming')],
    ...['# Weather', ...list('weather'), '## Patterns', ...list('patterns')],
  ].join('\n')
  assert.deepEqual(
    statementsIn(text, { headed: true }).map(({ type, content }) => `${type}: ${content.split(' ')[4]}`),
    [
      'rule: conventions',
      'decision: decisions',
      'decision: a',
      'issue: issues',
      'rule: naming',
      'pattern: patterns',
    ],
  )
})

test('labels name the type, and lists under a heading have it', () => {
  const text = [
    '# Notes',
    '',
    'Decision: we keep the outbox table for one month.',
    '',
    '## Rules',
    '',
    '- Handlers validate **their** input with a [schema](x.md)',
    '  before they touch the database',
    '- [x] Names are in English throughout',
    '- Pattern: repositories return plain objects, no classes',
    '- short',
    '',
    '### Details',
    '',
    '- Every module has an index file',
    '',
    '## Weather',
    '',
    '- It rained for most of the day',
  ].join('\n')
  assert.deepEqual(statementsIn(text, { headed: true }), [
    { type: 'decision', content: 'We keep the outbox table for one month.', line: 3 },
    {
      type: 'rule',
      content: 'Handlers validate their input with a schema before they touch the database',
      line: 7,
    },
    { type: 'rule', content: 'Names are in English throughout', line: 9 },
    { type: 'pattern', content: 'Repositories return plain objects, no classes', line: 10 },
    { type: 'rule', content: 'Every module has an index file', line: 15 },
  ])
  assert.equal(statementsIn(text).length, 2)
})

test('an item of a headed list is read in any script, with all that belongs to it, or reported as skipped', () => {
  const text = [
    'Rules',
    '=====',
    '',
    '- Never use `any`',
    '- 所有接口必须先写测试，然后再写实现',
    '- Always deploy from the main branch',
    '',
    '  except hotfixes, which go from the release branch.',
    '- Keep `docs/**` and **all** of `a__b__c`',
    '',
    '  ```',
    '  code',
    '  ```',
    '',
    '  > quoted',
    '',
    '  The rest is made',
    '- short',
    `- ${'A long one. '.repeat(100)}`,
    `- ${'A long one. '.repeat(70)}`,
    '',
    'Not below the item.',
    '',
    'Decisions',
    '---------',
    '1. Go with Postgres',
    '---',
    '2. Go with Redis',
  ].join('\n')
  const passed: number[] = []
  const found = statementsIn(text, { headed: true, passOver: (line) => passed.push(line) })
  assert.deepEqual(
    found.map(({ type, content, line }) => `${line} ${type}: ${content.slice(0, 90)}`),
    [
      '4 rule: Never use `any`',
      '5 rule: 所有接口必须先写测试，然后再写实现',
      '6 rule: Always deploy from the main branch except hotfixes, which go from the release branch.',
      '9 rule: Keep `docs/**` and all of `a__b__c`. The rest is made',
      `20 rule: ${'A long one. '.repeat(8).slice(0, 90)}`,
      '26 decision: Go with Postgres',
      '28 decision: Go with Redis',
    ],
  )
  assert.deepEqual(passed, [18, 19])
})

test('the signs that close a heading are not of it, and those of a name are', () => {
  for (const heading of ['## Decisions ##', '## Decisions', '# Decisions  # '])
    assert.equal(
      statementsIn(`${heading}\n\n- Use NATS for every event.\n`, { headed: true })[0]?.type,
      'decision',
      heading,
    )
})

test('a line drawn below a sentence makes no heading of it', () => {
  const [first] = statementsIn('Never commit generated files to the repository.\n---\n')
  assert.equal(first?.content, 'Never commit generated files to the repository.')
})

test('hostile text is read quickly', () => {
  const start = process.cpuUsage()
  for (const piece of [
    '- ',
    '**',
    'Never ',
    'We decided to ',
    '[a](',
    '# ',
    '. A',
    '`',
    'will use a ',
    'the bug is in ',
  ])
    statementsIn(piece.repeat(Math.ceil(300_000 / piece.length)), { headed: true })
  statementsIn('Never commit generated files.\n'.repeat(20_000))
  statementsIn(`#${' '.repeat(4_900)}a\u2028x\n`.repeat(20))
  const { user } = process.cpuUsage(start)
  assert.ok(user < 5_000_000, `${user} µs`)
})
