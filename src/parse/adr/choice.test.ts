import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

const chosenOf = (options: readonly string[], outcome: string): string[] => {
  const list = options.map((option) => `* ${option}`).join('\n')
  const text = `# 4. Order database\n\n## Status\n\nAccepted\n\n## Considered Options\n\n${list}\n\n## Decision Outcome\n\n${outcome}\n`
  return parseAdr('docs/adr/0004-x.md', text)
    .options.filter((option) => option.outcome === 'chosen')
    .map(({ name }) => name)
}

const databases = ['PostgreSQL', 'MongoDB', 'MySQL']
const check = (outcome: string, chosen: string | null, options: readonly string[] = databases) =>
  test(`${JSON.stringify(outcome)} chooses ${chosen ?? 'none'}`, () =>
    assert.deepEqual(chosenOf(options, outcome), chosen === null ? [] : [chosen]))

describe('the chosen option', () => {
  check('Chosen option: "MongoDB", because it scales.', 'MongoDB')
  check('Chosen option: PostgreSQL, which beats MongoDB.', 'PostgreSQL')
  check(`Chosen option: MySQL, because ${'MongoDB is not as old, '.repeat(40)}and so on.`, 'MySQL')
  check('Selected solution is MySQL.', 'MySQL')
  check('We will use PostgreSQL for orders.', 'PostgreSQL')
  check('Therefore, we will use PostgreSQL rather than MongoDB.', 'PostgreSQL')
  check('We decided to use MySQL instead of PostgreSQL since we know it.', 'MySQL')
  check('We chose the MySQL database.', 'MySQL')
  check('We opted for PostgreSQL, not MongoDB.', 'PostgreSQL')
  check('Use MySQL.', 'MySQL')
  check('We use MySQL, because it is there.', 'MySQL')
  check('Option 2', 'MongoDB')
  check('Option 2, MongoDB.', 'MongoDB')
  check('Option 2: MongoDB, because it scales.', 'MongoDB')
  check('Option B was chosen because it scales.', 'MongoDB')
  check('We chose option 3.', 'MySQL')
  check('Option 2 - We will use the document store.', 'MongoDB')
  check(`Chosen option: 'Put "good, because" first', because it is short.`, 'Put "good, because" first', [
    'Put nothing first',
    'Put "good, because" first',
  ])
  check('Chosen option: "Do not add a status", since it is simple.', 'Do not add a status', [
    'Add a status',
    'Do not add a status',
  ])
  check('Chosen option: "Redis"', null, ['Redis Cluster', 'Redis Sentinel'])
})

describe('an option that is complained of, turned down or only in use is not chosen', () => {
  check('We use MongoDB for carts today and it hurts. We will use PostgreSQL for orders.', 'PostgreSQL')
  check('We use MongoDB today. It hurts. We move to PostgreSQL.', 'PostgreSQL')
  check('We use MongoDB for carts today and it hurts.', null)
  check('We currently use MongoDB.', null)
  check('Option 2, MongoDB, was rejected because it is heavy. Chosen option: "MySQL".', 'MySQL')
  check('Option 3 needs Java and option 2 cannot persist. We will use PostgreSQL.', 'PostgreSQL')
  check('Option 2 is too hard to query. We chose MySQL, because machines read it.', 'MySQL')
  check('Option 2 is too hard to query.', null)
  check('Option 3 needs Java.', null)
  check('We chose not to use MongoDB.', null)
  check('We decided on dropping MongoDB. We go with MySQL.', 'MySQL')
  check('We will use MongoDB no longer.', null)
  check('We will use an alternative to MongoDB.', null)
  check('Use MongoDB? Never. We will adopt MySQL.', 'MySQL')
  check('Use of MongoDB was painful.', null)
  check('We decided against MongoDB.', null)
})

describe('two that were chosen are none', () => {
  check('We will use PostgreSQL for orders. We will use MongoDB for carts.', null)
  check('We will use PostgreSQL and MongoDB.', null)
  check('Option 2, PostgreSQL.', null)
})

test('what the decision chooses counts before what a list prefers', () => {
  assert.deepEqual(chosenOf(['MySQL (preferred)', 'PostgreSQL'], 'We chose PostgreSQL.'), ['PostgreSQL'])
  assert.deepEqual(chosenOf(['MySQL (preferred)', 'PostgreSQL'], 'More on this later.'), ['MySQL'])
})
