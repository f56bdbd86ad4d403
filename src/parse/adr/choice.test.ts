import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from './parse-adr.js'

const recordOf = (list: string, outcome: string): string =>
  `# 4. Order database\n\n## Status\n\nAccepted\n\n## Considered Options\n\n${list}\n\n## Decision Outcome\n\n${outcome}\n`

const chosenIn = (list: string, outcome: string): string[] =>
  parseAdr('docs/adr/0004-x.md', recordOf(list, outcome))
    .options.filter((option) => option.outcome === 'chosen')
    .map(({ name }) => name)

const chosenOf = (options: readonly string[], outcome: string): string[] =>
  chosenIn(options.map((option) => `* ${option}`).join('\n'), outcome)

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
  check('**MongoDB**', 'MongoDB')
  check('Chosen option `(2)`. Problems with `(1)` are known.', 'MongoDB')
  check('Chosen option: #2', 'MongoDB')
  check('We will opt for the second option. The first option is slow.', 'MongoDB')
  check('We will not go for the second option.', null)
  check('* MongoDB\n* MySQL', null)
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

describe('two chosen options are none', () => {
  check('We will use PostgreSQL for orders. We will use MongoDB for carts.', null)
  check('We will use PostgreSQL and MongoDB.', null)
  check('Option 2, PostgreSQL.', null)
})

test('the choice in the decision counts before the preference in a list', () => {
  assert.deepEqual(chosenOf(['MySQL (preferred)', 'PostgreSQL'], 'We chose PostgreSQL.'), ['PostgreSQL'])
  assert.deepEqual(chosenOf(['MySQL (preferred)', 'PostgreSQL'], 'More on this later.'), ['MySQL'])
})

describe('options that begin alike are distinguished', () => {
  const checkSecond = (options: string[], outcome = `Chosen option: "${options[1]}", because it fits.`) =>
    check(outcome, options[1]!, options)
  checkSecond(['React', 'React Native', 'Flutter'])
  checkSecond(['Java', 'Java 17', 'Java 21'])
  checkSecond(['Postgres', 'Postgres + Redis'])
  checkSecond(['Use Kubernetes', 'Use Kubernetes without Helm'])
  checkSecond(
    ['Kubernetes', 'Kubernetes without Helm'],
    'We will use Kubernetes without Helm for all that we deploy.',
  )
  test('and none counts as another', () => {
    const list = '1. Kafka\n2. Kafka Streams\n3. RabbitMQ\n4. NATS'
    assert.deepEqual(chosenIn(list, 'Chosen option: option 3'), ['RabbitMQ'])
  })
})

describe('an option is named by its own number or letter', () => {
  const check = (list: string, outcome: string, chosen: string | null) =>
    test(`${outcome} in ${JSON.stringify(list)} chooses ${chosen ?? 'none'}`, () =>
      assert.deepEqual(chosenIn(list, outcome), chosen === null ? [] : [chosen]))
  check('* Do nothing\n* Option 1: Redis\n* Option 2: Memcached', 'Option 2.', 'Memcached')
  check('* Do nothing\n* Option 1 Redis\n* Option 2 Memcached', 'Option 1.', 'Option 1 Redis')
  check('### Option 2: RabbitMQ\n\n### Option 1: Kafka', 'We chose Option 2.', 'RabbitMQ')
  check('### Option 0: Nothing\n\n### Option 1: Redis', 'Chosen option: Option 1', 'Redis')
  check('* Option B: Redis\n* Option C: Memcached', 'We will go with option C.', 'Memcached')
  check('* Option B: Redis\n* Option C: Memcached', 'We will go with option 1.', null)
  check('0. Nothing\n1. Redis\n2. Memcached', 'Option 1.', 'Redis')
  check('1. Nothing\n2. Option 1: Redis\n3. Option 2: Memcached', 'Option 1.', 'Redis')
  check('1. Nothing\n1. Redis\n1. Memcached', 'Option 2.', 'Redis')
  check('1. Nothing\n2. Redis\n3. Memcached', 'Option B was chosen.', 'Redis')
  check('* Redis\n* Memcached\n\n### Option 2: Redis\n\n### Option 1: Memcached', 'Option 2.', 'Redis')
})

test('a heading describes the option that a list has under that name', () => {
  const list =
    '* Kafka – a log\n* Kafka Streams – on top of it\n* Nomad\n\n### Kafka\n\n### Kafka Streams\n\n### Nomad for jobs'
  const { options } = parseAdr('docs/adr/0004-x.md', recordOf(list, 'Chosen option: Nomad'))
  assert.deepEqual(
    options.map(({ name }) => name),
    ['Kafka – a log', 'Kafka Streams – on top of it', 'Nomad'],
  )
})

describe('the chosen option in other words', () => {
  check('PostgreSQL.', 'PostgreSQL')
  check('Option 2: a document store in front.', 'MongoDB')
  check('Option 2 — PostgreSQL would be more to run.', null)
  check(
    'In the context of orders, facing load, we decided for MongoDB and against MySQL, to scale.',
    'MongoDB',
  )
  check('In the context of orders, we decided to prefer MySQL and neglected MongoDB.', 'MySQL')
  check('In the context of orders, we decided for no store and against MongoDB.', null)
  check('Option 2: not now.', null)
  check('Option#2', 'MongoDB')
  check('Options: see above.', null)
  check('MongoDB was there before.', null)
  const long = [
    'Install charts by hand in the first step',
    'Rely on whatever way the upstream charts propose',
  ]
  check('Chosen option: "Rely on the upstream charts", because it is less.', long[1]!, long)
  check('Chosen option: "Use caches", because it is less.', null, ['Do not use caches', 'Use no store'])
  check('Chosen option: "Use caches", because it is less.', null, ['Use new caches', 'Use old caches'])
})

describe('the chosen option in other languages', () => {
  check('Gewählte Option: **Option 2**, weil sie skaliert.', 'MongoDB')
  check('Wir haben uns für MySQL entschieden, weil wir es kennen.', 'MySQL')
  check('Wir haben uns nicht für MySQL entschieden.', null)
  check('Wir verwenden MySQL nicht.', null)
  check('Option retenue : « MySQL », car nous le connaissons.', 'MySQL')
  check('Nous retenons MySQL.', 'MySQL')
  check('Opción elegida: "MySQL", porque escala.', 'MySQL')
  check('Opção 2. É simples.', 'MongoDB')
  check('Opzione scelta: MySQL', 'MySQL')
  check('Wybrana opcja: "MySQL", ponieważ skaluje.', 'MySQL')
  check('Выбран вариант: "MySQL 8", потому что он быстрый.', 'MySQL')
  check('所选选项：“MySQL”，因为简单。', 'MySQL')
  check('采用选项 B：MongoDB。', 'MongoDB')
  check('不采用 MySQL。', null)
  check('我们选择 MySQL，而不是 MongoDB。', null)
  check('MySQL を採用する。', 'MySQL')
  check('MySQL を採用しない。', null)
  check('MySQL을 채택한다.', 'MySQL')
})
