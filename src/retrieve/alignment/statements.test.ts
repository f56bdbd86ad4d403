import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { partsOf, readAtOnce, statementsOf } from './statements.js'

const adr = (status: string) =>
  parseAdr(
    'adr/1.md',
    `# Use NATS.\n\n## Status\n\n${status}\n\n## Context\n\nToday it is slow.\n\n## Considered Options\n\n* NATS\n* Kafka\n\n## Decision Outcome\n\nChosen option: "NATS", because it is small.\n\n## Consequences\n\n* Teams learn it.\n`,
  )

describe('statements of a record', () => {
  test('have its title, options with their outcome, and nothing about the time before', () => {
    assert.deepEqual(
      statementsOf(adr('Accepted')).map(({ whole }) => whole),
      [
        'Use NATS',
        'Use NATS. Chosen option: NATS.',
        'Use NATS. Kafka was rejected.',
        'Use NATS. Chosen option: "NATS", because it is small.',
        'Use NATS. Teams learn it.',
      ],
    )
  })
  test('do not reject a part of the chosen option', () => {
    const dual = parseAdr(
      'adr/5.md',
      '# License\n\n## Considered Options\n\n* MIT\n* BSD\n* Both MIT and CC0\n\n## Decision Outcome\n\nChosen option: "Both MIT and CC0".\n',
    )
    assert.deepEqual(
      statementsOf(dual)
        .filter(({ role }) => role === 'refused')
        .map(({ text }) => text),
      ['BSD'],
    )
  })
  test('of a rejected record say so', () => {
    assert.deepEqual(
      statementsOf(adr('Rejected'))
        .slice(0, 3)
        .map(({ whole }) => whole),
      ['Use NATS. This was rejected.', 'Use NATS. Chosen option: NATS.', 'Use NATS. Kafka was rejected.'],
    )
  })
  test('are no more of a long record than can be read soon', () => {
    const long = parseAdr('adr/2.md', `# X\n\n## Decision\n\n${'We will use X for it. '.repeat(500)}\n`)
    assert.equal(statementsOf(long).length, 121)
  })
  test('may stand under headings of a house style, or tell how it is checked', () => {
    const own = parseAdr(
      'adr/3.md',
      '# EKS\n\n## Status\n\nAccepted\n\n## Access to nodes\n\nNo bastion nodes.\n\n## Compliance\n\nA test looks for them.\n\n## Links\n\nSee the wiki.\n',
    )
    assert.deepEqual(
      statementsOf(own).map(({ whole, line }) => [whole, line]),
      [
        ['EKS', 1],
        ['EKS. No bastion nodes.', 9],
        ['EKS. A test looks for them.', 13],
      ],
    )
  })
  test('may be rows of a table, without its header and the list of options', () => {
    const own = parseAdr(
      'adr/4.md',
      '# Retention\n\n## Options\n\n| Option | Price |\n|---|---|\n| Keep all | high |\n\n## Decision\n\nBy kind:\n\n| Kind | Kept for |\n|---|---|\n| **Logs** | 30 days |\n| Orders \\| bills | |\n',
    )
    assert.deepEqual(
      statementsOf(own)
        .filter(({ role }) => role === 'said')
        .map(({ whole, line }) => [whole, line]),
      [
        ['Retention. By kind:', 11],
        ['Retention. Logs | 30 days', 15],
        ['Retention. Orders | bills', 16],
      ],
    )
  })
})

describe('parts of a proposal', () => {
  test('a short one is whole, a long one is cut between sentences, whatever else is not', () => {
    assert.deepEqual(partsOf('Use Kafka.\nIt is known.'), ['Use Kafka. It is known.'])
    const parts = partsOf('Use Kafka for every order that comes in at night. '.repeat(20))
    assert.ok(parts.length > 1 && parts.every((part) => part.startsWith('Use') && part.endsWith('.')))
    assert.deepEqual(partsOf(''), [])
    assert.equal(partsOf('x '.repeat(2500)).length, 1)
  })
})

describe('statements at once', () => {
  test('stand under the title, in the order of the record, however near each is', () => {
    const [title, ...rest] = statementsOf(adr('Accepted'))
    assert.equal(
      readAtOnce(title!, [...rest].reverse()),
      'Use NATS. Chosen option: NATS. Kafka was rejected. Chosen option: "NATS", because it is small. Teams learn it.',
    )
    assert.equal(readAtOnce(title!, [title!, rest[3]!]), 'Use NATS. Teams learn it.')
    assert.equal(readAtOnce(title!, [title!]), 'Use NATS')
  })
  test('of a rejected record say so first', () => {
    const [title, ...rest] = statementsOf(adr('Rejected'))
    assert.match(readAtOnce(title!, rest.slice(0, 1)), /^Use NATS\. This was rejected\. /)
  })
  test('are the nearest where all of them would be too long, and one at least', () => {
    const long = (word: string) => `${`${word} `.repeat(100)}stays.`
    const text = `# Stays\n\n## Decision\n\n${long('Alder')} ${long('Birch')} ${long('Cedar')}\n`
    const [title, alder, birch, cedar] = statementsOf(parseAdr('adr/1.md', text))
    assert.equal(readAtOnce(title!, [cedar!, birch!, alder!]), `Stays. ${cedar!.body}`)
    assert.equal(readAtOnce(title!, [alder!, title!]), `Stays. ${alder!.body}`)
  })
})
