import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { normaliseStatement, type Relation, relationOf } from './statement.js'

const cases: [string, string, Relation | null][] = [
  ['Use JWT tokens in httpOnly cookies', 'use JWT tokens in  httpOnly cookies.', 'same'],
  ['Use JWT tokens in httpOnly cookies', 'JWT tokens: use them in httpOnly cookies', null],
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
  // The same after normalising, or kept apart because in doubt two statements are two.
  ['Mock the database in tests', 'mock databases in the tests!', 'same'],
  ['Retries are enabled for the webhooks', 'The webhook retries are enabled', null],
  ['Log every request of the gateway', 'Log all requests of a gateway', null],
  ['Avoid logging the request bodies', "Don't log request bodies", null],
  ['Never deploy without approval', 'Do not deploy without approval.', 'same'],
  ['The on-call rota is kept in `ops/rota.md`', 'The on call rota is kept in ops/rota.md', null],
  ["We're caching the team's policies", 'We cache the team policy', null],
  ['Call foo() at the start', 'Call `foo` on start', null],
  ['Requests time out after 30s', 'Requests time out after 30 s', 'same'],
  // The same words in another order, or with others about them.
  ['Call foo() before bar() in the startup', 'Call bar() before foo() in the startup', null],
  [
    'Migrate data from Kafka to RabbitMQ in the pipeline',
    'Migrate data from RabbitMQ to Kafka in the pipeline',
    null,
  ],
  ['Migrate data from Kafka to RabbitMQ', 'Migrate data to Kafka from RabbitMQ', null],
  ['Access tokens expire before refresh tokens', 'Refresh tokens expire before access tokens', null],
  ['Alice reviews changes of Bob', 'Bob reviews changes of Alice', null],
  ['A must be greater than B in config.limits', 'B must be greater than A in config.limits', null],
  ['Prefer plan A over B', 'Prefer a plan over B', null],
  ['Ask IT for access first', 'Ask for access first', null],
  ['Keep retries < timeouts', 'Keep retries > timeouts', null],
  ['Search the index for names', 'Search the index in names', null],
  ['Users with role editor may delete orders', 'Only users with role editor may delete orders', null],
  ['Retry every call', 'Retry every call except payments', null],
  ['Users can delete orders', 'Users must delete orders', null],
  ['Log bodies in staging', 'Log bodies', null],
  ['Validate with zod and yup', 'Validate with zod or yup', null],
  ['The cache was in Redis', 'The cache is in Redis', null],
  ['Retries will be removed', 'Retries are removed', null],
  ['We use PostgreSQL for the orders service.', 'We use MySQL for the orders service.', null],
  ['Use camelCase for JSON fields', 'Use snake_case for JSON fields', null],
  ['Callbacks go over HTTP', 'Callbacks go over HTTPS', null],
  ['Read settings from .env files', 'Read settings from env files', null],
  ['Write the parser in C', 'Write the parser in C++', null],
  ['Log import errors of the job', 'Log important errors of the job', null],
  ['Internal users sign in first', 'International users sign in first', null],
  ['Deploys happen on Mondays after review', 'Deploys happen on Fridays after review', null],
  ['数据库连接必须使用连接池', '数据库连接不得使用连接池', null],
  // Signs and capitals that are what is spoken of.
  ['The CSV separator is `;`', 'The CSV separator is `,`', null],
  ['The CSV separator is ;', 'The CSV separator is ,', null],
  ['The CSV separator is ";"', 'The CSV separator is ;', null],
  ['Comments start with `//` here', 'Comments start with `#` here', null],
  ['Comments start with // here', 'Comments start with # here', null],
  ['The pattern is `docs/*`', 'The pattern is `docs/**`', null],
  ['The pattern is docs/* for now', 'The pattern is docs/** for now', null],
  ['The pattern is **/*.md', 'The pattern is *.md', null],
  ['Ids match `[a-z]+`', 'Ids match `[A-Z]+`', null],
  ['Ids match [a-z]+', 'Ids match [A-Z]+', null],
  ['The key is `userId`', 'The key is `userID`', null],
  ['The key is userId', 'The key is userID', null],
  ['The variable is `Path`', 'The variable is `PATH`', null],
  ['環境変数は `Path` とする', '環境変数は `PATH` とする', null],
  ['The type is `string`', 'The type is `string[]`', null],
  ['The type is string', 'The type is string[]', null],
  ['Write `import a from "b"`', 'Write `import {a} from "b"`', null],
  ['Call the parameter `a`', 'Call the parameter `it`', null],
  ['Quote SQL names with `"`', "Quote SQL names with `'`", null],
  ['Quote names with " in SQL', "Quote names with ' in SQL", null],
  ['The decimal mark is a `.`', 'The decimal mark is a `,`', null],
  ['Assign with := in Go', 'Assign with = in Go', null],
  ['Scores are in [0, 1)', 'Scores are in [0, 1]', null],
  ['Mention people with @ in docs', 'Mention people with # in docs', null],
  ['Never call `userId`', 'Call `userID`', null],
  ['The timeout is `30 s`', 'The timeout is `10 s`', null],
  ['Never commit `dist/`', 'NEVER commit dist!', null],
  ['Log with `pino`, not `winston`', 'log with **`pino`** (not `winston`).', null],
  ['Sign tokens with JWT', 'sign tokens with jwt', 'same'],
  ['Run **all** tests - first', 'Run all tests, first', 'same'],
  // Taken back, or only narrowed.
  ['Enable retries for payment webhooks', 'Disable retries for payment webhooks', 'replaces'],
  ['Guests are allowed in the wiki', 'Guests are forbidden in the wiki', 'replaces'],
  ['Deploy with approval', 'Deploy without approval', 'replaces'],
  ['Do not deploy without approval', 'Deploy without approval', 'replaces'],
  ['We use Redis for sessions', 'We no longer use Redis for sessions', 'replaces'],
  ['Use Redis for sessions', 'Stop using Redis for sessions', null],
  ['Users may delete orders', 'Users may not delete orders', 'replaces'],
  ['Test 12 waits 30 seconds', 'Test 12 waits 10 seconds', 'replaces'],
  ['Test 12 waits 30 seconds', 'Test 14 waits 10 seconds', null],
  ['Uploads are cut at 1,000 bytes', 'Uploads are cut at 2,000 bytes', 'replaces'],
  ['Use a 30-second timeout', 'Use a 10-second timeout', 'replaces'],
  ['The request timeout is 30 seconds', 'The request timeout is 60 seconds for uploads', null],
  ['Run the slow tests', 'Do not always run the slow tests', null],
  ['Users who are admins may delete orders', 'Users who are not admins may delete orders', null],
  ['Call foo() before bar()', 'Never call bar() before foo()', null],
  ['Log every request body at the gateway', 'Never log request bodies of payments at the gateway', null],
  [
    'Use Redis for sessions of the orders service in Europe',
    'Use Postgres instead of Redis for sessions of the orders service in Asia',
    null,
  ],
  ['Use MySQL for orders', 'Use Postgres instead of SQLite for orders', null],
]

for (const [earlier, later, relation] of cases)
  test(`"${later}" after "${earlier}": ${relation}`, () => {
    assert.equal(relationOf(normaliseStatement(earlier), normaliseStatement(later)), relation)
  })

test('a statement of any length and kind is normalised quickly', () => {
  const start = process.cpuUsage()
  for (const text of [
    'instead of '.repeat(1_000),
    '9 '.repeat(5_000),
    'a'.repeat(10_000),
    '\u{1F600}'.repeat(2_000),
    '-'.repeat(3_900),
    'a-'.repeat(1_900),
    `${'replaces '.repeat(400)}`,
    '`'.repeat(3_900),
    '` '.repeat(1_900),
    '[a'.repeat(1_900),
    '*a '.repeat(1_300),
    '**a'.repeat(1_300),
    '*/.'.repeat(1_300),
  ])
    relationOf(normaliseStatement(text), normaliseStatement(`${text} not`))
  assert.ok(process.cpuUsage(start).user < 1_000_000)
})

test('signs in a row take no time, wherever they stand', () => {
  const took = processorTime(() => normaliseStatement(`use${'!'.repeat(60_000)} tabs`))
  assert.ok(took < 1500, `${took | 0} ms`)
})
