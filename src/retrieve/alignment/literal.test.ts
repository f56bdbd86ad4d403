import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { literalRule } from './literal.js'

function record(title: string, decision: string, status = 'Accepted') {
  return parseAdr(
    'adr/0001.md',
    `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\nWe need to choose.\n\n## Decision\n\n${decision}\n`,
  )
}
const withOptions = parseAdr(
  'adr/0002.md',
  '# Message broker\n\n## Status\n\nAccepted\n\n## Considered Options\n\n* NATS\n* Apache Kafka\n* RabbitMQ, with plugins\n\n## Decision Outcome\n\nChosen option: "NATS", because it is small.\n',
)
const verdict = (proposal: string, adr = withOptions) => {
  const found = literalRule(proposal)(adr)
  return found ? `${found.verdict} ${found.rule}` : 'nothing'
}

function check(title: string, adr: ReturnType<typeof record>, cases: Record<string, string>) {
  describe(title, () => {
    for (const [proposal, expected] of Object.entries(cases))
      test(`${proposal} → ${expected}`, () => assert.equal(verdict(proposal, adr), expected))
  })
}

check('options by their names', withOptions, {
  'Use Apache Kafka as the message broker.': 'conflicts picks-rejected',
  'Send every message through RabbitMQ.': 'conflicts picks-rejected',
  'Store the metrics in Apache Kafka.': 'nothing',
  'Drop NATS.': 'conflicts negates-chosen',
  'Replace NATS with Redis streams.': 'conflicts negates-chosen',
  'Use Redis streams instead of NATS.': 'conflicts negates-chosen',
  'Send events through NATS.': 'nothing',
  'Use NATS rather than Apache Kafka.': 'nothing',
  'We will not use Apache Kafka.': 'nothing',
  'Measure how fast Apache Kafka is.': 'nothing',
  'Should we use Apache Kafka?': 'nothing',
  'Paint the canteen green.': 'nothing',
})

check('sentences of the decision', record('Service calls', 'We will use gRPC between services.'), {
  'We will use gRPC between services.': 'supports same-choice',
  'Use gRPC between services': 'supports same-choice',
  'We will not use gRPC between services.': 'conflicts negates-chosen',
  'Use REST between services.': 'conflicts other-option',
  'Use gRPC between services. Deploy on Fridays.': 'nothing',
  'Use gRPC between services and browsers, later.': 'nothing',
})

check('a title that decides', record('Use Redis for the cache', 'Pages are cached.'), {
  'Use Redis for the cache.': 'supports same-choice',
  'Do not use Redis for the cache.': 'conflicts negates-chosen',
  'Stop using Redis for the cache.': 'conflicts negates-chosen',
  'Use Memcached for the cache.': 'conflicts other-option',
  'Use Redis for the sessions.': 'nothing',
  'Give Redis for the cache more memory.': 'nothing',
})

check('a rejected record', record('GraphQL for the public API', 'We stay with REST.', 'Rejected'), {
  'Offer GraphQL for the public API.': 'conflicts picks-rejected',
  'We will not use GraphQL for the public API.': 'nothing',
})

check('a decision that says no', record('Databases', 'We will not share a database between services.'), {
  'We will not share a database between services.': 'supports same-choice',
  'Share a database between services.': 'conflicts negates-chosen',
})

test('a sentence of the decision never goes against it', () => {
  const adr = record('Retire Lunr', 'Use Lunr only in the docs. Swap Lunr out for Algolia everywhere else.')
  for (const text of ['Swap Lunr out for Algolia everywhere else.', 'Use Lunr only in the docs.'])
    assert.doesNotMatch(verdict(text, adr), /conflicts/)
})
