import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { supersessionOf } from '../../parse/adr/supersession.js'
import { align, prepared, weightsOf } from '../../retrieve/alignment/align.js'
import { askedOf } from '../../retrieve/alignment/asked.js'
import { candidatesOf } from './candidates.js'
import type { Decision, Decisions } from './decisions.js'

function decisionsOf(records: Record<string, [status: string, title: string]>): Decisions {
  const all = Object.entries(records).map(([path, [status, title]]) => {
    const adr = parseAdr(path, `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\n${title}.\n`)
    return { ...adr, document: { ref: { source: 'adr', path } } } as Decision
  })
  const ready = new Map(all.map((decision) => [decision, { ...prepared(decision), adr: decision }]))
  return {
    all,
    supersessions: new Map([['adr', supersessionOf(all)]]),
    prepared: ready,
    weights: weightsOf([...ready.values()]),
  }
}

function candidates(decisions: Decisions, proposal: string, scores: Record<string, number>) {
  const found = new Map(
    decisions.all.filter(({ path }) => path in scores).map((one) => [one, scores[one.path]!]),
  )
  const asked = askedOf(proposal)
  const ruled = new Map(
    decisions.all.map((one) => [one, align(asked, decisions.prepared.get(one)!, decisions.weights)]),
  )
  return candidatesOf(decisions, found, ruled).map(({ record, score }) => [record.adr.path, score])
}

describe('records that a proposal may be about', () => {
  const decisions = decisionsOf({
    '0001-mongo.md': ['Superseded by [2](0002-mysql.md)', 'Use MongoDB for the audit log'],
    '0002-mysql.md': ['Superseded by [3](0003-postgres.md)', 'Use MySQL for the audit log'],
    '0003-postgres.md': ['Accepted', 'Keep all data in PostgreSQL'],
    '0004-cron.md': ['Deprecated', 'Send the digest by cron'],
    '0005-nats.md': ['Accepted', 'Use NATS for events'],
  })

  test('are those that hold today in place of superseded ones, as near as these', () => {
    const scores = {
      '0001-mongo.md': 0.6,
      '0002-mysql.md': 0.4,
      '0003-postgres.md': 0.1,
      '0005-nats.md': 0.2,
    }
    assert.deepEqual(candidates(decisions, 'Archive old rows.', scores), [
      ['0003-postgres.md', 0.6],
      ['0005-nats.md', 0.2],
    ])
  })
  test('are found though search did not find them itself', () => {
    assert.deepEqual(candidates(decisions, 'Archive old rows.', { '0002-mysql.md': 0.4 }), [
      ['0003-postgres.md', 0.4],
    ])
  })
  test('are none that nothing holds in place of', () => {
    assert.deepEqual(candidates(decisions, 'Archive old rows.', { '0004-cron.md': 0.9 }), [])
  })
  test('are those that a rule is sure of too, if they hold', () => {
    assert.deepEqual(candidates(decisions, 'Do not use NATS for events.', {}), [['0005-nats.md', 0]])
    assert.deepEqual(candidates(decisions, 'Do not use MongoDB for the audit log.', {}), [])
  })
  test('are eight at most', () => {
    const many = decisionsOf(
      Object.fromEntries([...Array(12).keys()].map((n) => [`${n}.md`, ['Accepted', `Rule ${n}`]])),
    )
    const scores = Object.fromEntries(many.all.map(({ path }, i) => [path, i / 100]))
    assert.deepEqual(
      candidates(many, 'Archive old rows.', scores).map(([path]) => path),
      [11, 10, 9, 8, 7, 6, 5, 4].map((n) => `${n}.md`),
    )
  })
})
