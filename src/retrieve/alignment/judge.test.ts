import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { prepared, weightsOf } from './align.js'
import { askedOf } from './asked.js'
import { isRepeated } from './echo.js'
import { givenUp, isNamed } from './given-up.js'
import { verdictsOf } from './judge.js'
import { signalsOf } from './signals.js'
import { type Read, type ReadRecord, statementsOf } from './statements.js'

const record = (path: string, title: string, decision: string, context = 'We need to choose.') =>
  prepared(
    parseAdr(
      path,
      `# ${title}\n\n## Status\n\nAccepted\n\n## Context\n\n${context}\n\n## Decision\n\n${decision}\n`,
    ),
  )
const records = [
  record('adr/0001.md', 'Use Concourse for deployment pipelines', 'Deploy all services with Concourse.'),
  record('adr/0002.md', 'Use a private cluster endpoint', 'The cluster endpoint will be private.'),
  record('adr/0003.md', 'Cache lifetime', 'Assets are cached for 300 seconds.'),
  record('adr/0004.md', 'Use Helm for application packages', 'Package every application with Helm.'),
]
const weights = weightsOf(records)

type Stood = (text: string, i: number) => [against: number, along: number]

/** Stands that have nothing to do with what is said: enough to have every signal computed. */
const anyhow: Stood = (text, i) => {
  const stand = (n: number) => [0.02, 0.1, 0.9][n % 3]!
  return [stand(text.length + i), stand(text.length * 7 + i) / 10]
}

function readings(text: string, stood: Stood): Map<(typeof records)[number], ReadRecord> {
  return new Map(
    records.map((one) => {
      const statements = statementsOf(one.adr).map((statement, i): Read => {
        const [against, along] = stood(text, i)
        return { statement, part: text, stand: { against, along, beside: 1 - against - along } }
      })
      return [one, { statements, atOnce: statements.slice(-1).map(({ stand }) => stand) }]
    }),
  )
}

function verdictOn(path: string, text: string, stood: Stood | null = null) {
  const asked = askedOf(text)
  // What search would find: the record that is meant first.
  const candidates = records.map((one) => ({ record: one, score: one.adr.path === path ? 0.6 : 0.1 }))
  const judged = [...signalsOf(asked, candidates, weights, stood && readings(text, stood))]
  const found = verdictsOf(asked, judged)
  return found.find((one) => one.record.adr.path === path)!.verdict
}

describe('verdicts by words alone', () => {
  test('one of a family in place of the chosen one is a conflict', () => {
    const verdict = verdictOn('adr/0001.md', 'Use Jenkins for deployment pipelines.')
    assert.equal(verdict.alignment, 'conflicts')
    assert.equal(verdict.evidence?.proposal, 'Use Jenkins for deployment pipelines.')
    assert.match(verdict.evidence!.decision, /Concourse/)
  })
  test('turning down what was chosen is a conflict', () => {
    const verdict = verdictOn('adr/0004.md', 'Stop packaging applications with Helm.')
    assert.equal(verdict.alignment, 'conflicts')
    assert.equal(verdict.evidence?.rule, 'negates-chosen')
  })
  test('is said only where the record was not read', () => {
    const undecided: Stood = () => [0.3, 0.3]
    const text = 'Use Jenkins for deployment pipelines, whatever a team likes.'
    assert.equal(verdictOn('adr/0001.md', text).alignment, 'conflicts')
    assert.equal(verdictOn('adr/0001.md', text, undecided).alignment, 'related')
  })
  test('looking at a thing is no verdict about it', () => {
    assert.equal(verdictOn('adr/0004.md', 'Measure how long Helm takes to render.').alignment, 'related')
  })
})

describe('an echo needs no weighing', () => {
  const decided = (decision: string, title = 'Service communication', score = 0.01) => {
    const one = record('adr/0009.md', title, decision)
    return (text: string) => {
      const asked = askedOf(text)
      const judged = [...signalsOf(asked, [{ record: one, score }], weights, null)]
      const { alignment, evidence } = verdictsOf(asked, judged)[0]!.verdict
      return alignment === 'related' ? alignment : `${alignment} ${evidence?.rule}`
    }
  }
  const said = decided(
    'We will use `gRPC` between services. The web client is written in React. We could use REST.',
  )

  for (const [text, verdict] of Object.entries({
    'We will use gRPC between services.': 'supports same-choice',
    'Use gRPC between services': 'supports same-choice',
    'Use REST between services.': 'conflicts other-option',
    'We will not use gRPC between services.': 'conflicts negates-chosen',
    'Use gRPC between services. Deploy on Fridays.': 'related',
    'We could use REST.': 'related',
  }))
    test(`${text} ${verdict}`, () => assert.equal(said(text), verdict))

  test('a decision that says no is repeated with its no', () => {
    const refused = decided('We will not share a database between services.')
    assert.equal(refused('Do not share a database between services.'), 'related')
    assert.equal(refused('We will not share a database between services.'), 'supports same-choice')
  })

  describe('a sentence of the decision never goes against it', () => {
    const avoided =
      'To keep our codebase up to date, we have decided that React.FC and React.SFC should be avoided in our codebase.'
    const deployed = 'Instruct Kubernetes to deploy only ARM-architecture images.'
    const swapped = 'Swap Lunr out for Algolia everywhere else.'
    const check = (title: string, decision: string, text: string) =>
      test(text, () => assert.doesNotMatch(decided(decision, title, 0.6)(text), /^conflicts/))
    check('Avoid React.FC type', avoided, avoided)
    check('Use Graviton for compute instances', `We will use Graviton. ${deployed}`, deployed)
    check('Retire Lunr', `Use Lunr only in the docs. ${swapped}`, swapped)
    check('Retire Lunr', `Use Lunr only in the docs. ${swapped}`, `Use Lunr only in the docs. ${swapped}`)
    test('with anything else beside it, it may', () => {
      const said = decided(`Use Lunr only in the docs. ${swapped}`, 'Retire Lunr', 0.6)
      assert.match(said(`${swapped} Use Lunr again.`), /^conflicts/)
    })
    test('and an option that was not chosen, or a rejected record, says nothing that could be repeated', () => {
      const one = (status: string, options: string) =>
        prepared(
          parseAdr(
            'adr/1.md',
            `# Queue\n\n## Status\n\n${status}\n\n## Options\n\n${options}\n\n## Decision\n\nChosen option: NATS.\n\n* Use Kafka for orders\n`,
          ),
        )
      assert.equal(isRepeated('Use Kafka for orders', one('Accepted', '* NATS')), true)
      assert.equal(isRepeated('Use Kafka for orders', one('Rejected', '* NATS')), false)
      assert.equal(
        isRepeated('Use Kafka for orders', one('Accepted', '* NATS\n* Use Kafka for orders')),
        false,
      )
    })
  })

  test('a sentence that is only the start of a decision is none', () => {
    const both = decided('Use gRPC between services except for uploads.')
    assert.notEqual(both('Use gRPC between services.'), 'supports same-choice')
  })
})

describe('what a record chose by name, given up by that name, needs no weighing', () => {
  const search = record('adr/0011.md', 'Use Lunr for search', 'Search in the browser with Lunr.')
  const policy = record('adr/0012.md', 'Introduce Open Policy Agent', 'Admission is decided by OPA.')
  const verdict = (one: typeof search, text: string) => givenUp(askedOf(text), one)?.verdict ?? null
  for (const text of [
    'Swap Lunr out for Algolia.',
    'Trade Lunr for Meilisearch.',
    'Algolia takes over from Lunr.',
  ])
    test(text, () => assert.equal(verdict(search, text), 'conflicts'))
  test('under another name of its family', () => {
    assert.equal(verdict(policy, 'Kyverno replaces OPA.'), 'conflicts')
    assert.equal(verdict(policy, 'Replace OPA with a newer release of OPA.'), null)
  })
  for (const text of [
    'Swap the Lunr index file for a smaller one.',
    'Replace Lunr 1 with Lunr 2.',
    'Replace Solr with Lunr.',
    'Do not swap Lunr for Algolia.',
    'Should we swap Lunr for Algolia?',
    'Investigate the cost of replacing Lunr with Algolia.',
    'If anybody ever replaces Lunr with Algolia, tell us.',
    'Nobody should replace Lunr with Algolia.',
    'It would be a mistake to swap Lunr for Algolia.',
    'Algolia must not replace Lunr.',
    'Replace the search box that Lunr fills with a smaller one.',
  ])
    test(`but not: ${text}`, () => assert.equal(verdict(search, text), null))
  test('a record that was rejected chose nothing', () => {
    const rejected = prepared(parseAdr('adr/1.md', '# Use Lunr for search\n\n## Status\n\nRejected\n'))
    assert.equal(givenUp(askedOf('Swap Lunr for Algolia.'), rejected), null)
  })
  test('who names a choice speaks of its record', () => {
    assert.equal(isNamed(askedOf('Upgrade Lunr to its latest release.'), search), true)
    assert.equal(isNamed(askedOf('Upgrade React to its latest release.'), search), false)
  })
})

describe('support is given only without reserve', () => {
  const halfway = [
    'Use Helm for application packages, except for batch jobs.',
    'Use Helm for application packages only in staging.',
    'Teams may use Helm for application packages.',
    'Use Helm for application packages first and Kustomize later.',
    'Use Helm for application packages as long as it is not too slow.',
    'Use Helm or whatever suits a team for application packages.',
    'Use Helm 2 for application packages.',
    'Use Helm and Kustomize for application packages.',
  ]
  for (const text of halfway)
    test(text, () => assert.notEqual(verdictOn('adr/0004.md', text).alignment, 'supports'))

  test('and then it is given', () => {
    const verdict = verdictOn('adr/0004.md', 'Use Helm for application packages.')
    assert.deepEqual([verdict.alignment, verdict.evidence?.rule], ['supports', 'same-choice'])
  })
  test('a title that names a subject cannot be agreed with', () => {
    assert.notEqual(verdictOn('adr/0003.md', 'The cache lifetime is a year.').alignment, 'supports')
  })
})

describe('a word that the decision has not may turn it round', () => {
  const database = prepared(
    parseAdr(
      'adr/0005.md',
      '# Use PostgreSQL for persistence\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* PostgreSQL\n* MongoDB\n\n## Decision\n\nWe will use PostgreSQL for all persistent data.\n\n## Consequences\n\nA fraction of the data needs an alternative to zero.\n',
    ),
  )
  const monorepo = prepared(
    parseAdr(
      'adr/0006.md',
      '# Keep a monorepo\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* Monorepo\n* Many repositories\n\n## Decision Outcome\n\nChosen option: "Monorepo", because going away is hard.\n',
    ),
  )
  const all = [...records, database, monorepo]
  const alignmentOf = (one: typeof database, text: string) => {
    const asked = askedOf(text)
    const candidates = all.map((record) => ({ record, score: record === one ? 0.6 : 0.1 }))
    const judged = [...signalsOf(asked, candidates, weightsOf(all), null)]
    return verdictsOf(asked, judged).find(({ record }) => record === one)!.verdict.alignment
  }
  const turned = [
    'We will use a PostgreSQL alternative for all persistent data',
    'We will use PostgreSQL alternatives for all persistent data',
    'We will use a competitor of PostgreSQL for all persistent data',
    'Use a substitute for PostgreSQL for all persistent data',
    'Use the opposite of PostgreSQL for all persistent data',
    'We will use the successor of PostgreSQL for all persistent data',
    'We will use the ghost of PostgreSQL for all persistent data',
    'We will use PostgreSQL for little persistent data',
    'We will use PostgreSQL for a fraction of persistent data',
    'We will use PostgreSQL for a quarter of all persistent data',
    'We will use PostgreSQL for zero persistent data',
    'We will use less PostgreSQL for persistent data',
    'We will use PostgreSQL for 0% of persistent data',
    'We will use PostgreSQL wrongly for all persistent data',
    'We will fork PostgreSQL for all persistent data',
    'We used PostgreSQL for all persistent data',
    'We will use ~PostgreSQL~ for all persistent data',
    'We will use !PostgreSQL for all persistent data',
    'We will use PostgreSQL for all persistent data 🙃',
    'We will use PostgreSQL for all persistent data. Fooled you.',
    'We will use PostgreSQL for all persistent data is a bad idea',
    'We w\u0456ll n\u043et use PostgreSQL for all persistent data',
    'We will use PostgreSQL-free tools for all persistent data',
    'Store persistent data outside PostgreSQL',
    'Store persistent data next to PostgreSQL',
    'Keep persistent data from PostgreSQL',
    'Run persistence before PostgreSQL',
    'Build a new PostgreSQL for persistence and a module for speed',
  ]
  for (const text of turned) test(text, () => assert.notEqual(alignmentOf(database, text), 'supports'))
  for (const text of [
    'Keep a monorepo away',
    'Keep a monorepo a thing of yesteryear',
    'Keep a monorepo per team',
  ])
    test(text, () => assert.notEqual(alignmentOf(monorepo, text), 'supports'))

  const same = [
    'We will use PostgreSQL for persistent data.',
    'PostgreSQL is used for persistence.',
    'Adopt PostgreSQL for persistence',
    'Use `PostgreSQL` for persisting data',
    'Use Postgres for persistence',
    'Implement persistence with PostgreSQL',
    'Build the new persistence module on PostgreSQL',
  ]
  for (const text of same)
    test(`${text} says the same`, () => assert.equal(alignmentOf(database, text), 'supports'))
})

describe('a decision in its own words, in another order, may be turned round', () => {
  const check = (title: string, text: string, supports = false) =>
    test(`${title}: ${text}`, () => {
      const one = record('adr/0007.md', title, `We will ${title[0]!.toLowerCase()}${title.slice(1)}.`)
      const asked = askedOf(text)
      const candidates = [...records, one].map((each) => ({ record: each, score: each === one ? 0.6 : 0.1 }))
      const judged = [...signalsOf(asked, candidates, weightsOf([...records, one]), null)]
      const { verdict } = verdictsOf(asked, judged).find(({ record }) => record === one)!
      assert.equal(verdict.alignment === 'supports', supports)
    })
  const shared = 'Use PostgreSQL for orders and MongoDB for carts'
  check(shared, 'Use PostgreSQL for carts')
  check(shared, 'Use PostgreSQL for carts and MongoDB for orders')
  check(shared, 'Use MongoDB for orders')
  check(shared, 'Use PostgreSQL for orders', true)
  const queue = 'Use Kafka as an alternative to RabbitMQ'
  check(queue, 'Use RabbitMQ as an alternative to Kafka')
  check(queue, 'Use an alternative to Kafka')
  check(queue, 'Use a Kafka alternative')
  check('Migrate MongoDB to PostgreSQL', 'Migrate PostgreSQL to MongoDB')
  check('Write tools in C++', 'Write tools in C#')
})

describe('what a record will not have', () => {
  const one = prepared(
    parseAdr(
      'adr/0008.md',
      '# Public API is REST over HTTPS\n\n## Status\n\nAccepted\n\n## Decision\n\nAll public endpoints are REST. We do not offer GraphQL. A public endpoint must not depend on another public endpoint.\n',
    ),
  )
  const all = [...records, one]
  const verdict = (text: string) => {
    const asked = askedOf(text)
    const candidates = all.map((record) => ({ record, score: record === one ? 0.6 : 0.1 }))
    const judged = [...signalsOf(asked, candidates, weightsOf(all), null)]
    return verdictsOf(asked, judged).find(({ record }) => record === one)!.verdict
  }
  test('is not added', () => {
    const { alignment, evidence } = verdict('Add a GraphQL endpoint.')
    assert.equal(alignment, 'conflicts')
    assert.equal(evidence?.decision, 'We do not offer GraphQL.')
  })
  test('an aside about it adds nothing', () => {
    const text = 'Describe the order endpoint, which is GraphQL today, in OpenAPI and make it REST.'
    assert.notEqual(verdict(text).alignment, 'conflicts')
  })
  test('who does something else to what it is about does not do what it forbids', () => {
    assert.notEqual(verdict('Name every public endpoint after its team.').alignment, 'conflicts')
  })
  test('however likely it is, a conflict quotes two sentences', () => {
    for (const text of ['Offer GraphQL again.', 'No REST for us.', 'Use SOAP for public endpoints.']) {
      const { alignment, evidence } = verdict(text)
      if (alignment === 'conflicts') assert.ok(evidence?.proposal && evidence.decision)
    }
  })
})

describe('whatever is proposed', () => {
  const words = fc.constantFrom(
    'Helm',
    'not',
    'use',
    'instead of',
    'Jenkins',
    'private',
    'public',
    'one',
    'each',
    '300 seconds',
    'a day',
    '.',
    ',',
    'and',
    'Concourse',
    'drop',
    'keep',
    'cluster',
    'again',
    '"',
    '\n',
    '→',
    '🙂',
  )
  test('a verdict quotes what was said, by words and by reading', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.boolean(), (some, isRead) => {
        const text = some.join(' ')
        const { alignment, evidence } = verdictOn('adr/0001.md', text, isRead ? anyhow : null)
        if (alignment === 'related') return
        assert.ok(evidence)
        assert.ok(evidence.strength >= 0 && evidence.strength <= 1)
        assert.ok(evidence.line >= 1)
      }),
      { seed: 15, numRuns: 300 },
    )
  })
  test('nothing, and too much, are answered', () => {
    for (const text of ['', ' ', '.', 'x'.repeat(5000), 'not '.repeat(1200), 'use a; '.repeat(700)])
      assert.equal(typeof verdictOn('adr/0002.md', text, anyhow).alignment, 'string')
  })
})
