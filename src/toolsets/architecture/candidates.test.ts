import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { supersessionOf } from '../../parse/adr/supersession.js'
import { candidatesOf } from './alignment.js'
import type { Decision, Decisions } from './decisions.js'

function decisionsOf(records: Record<string, [status: string, title: string]>): Decisions {
  const all = Object.entries(records).map(([path, [status, title]]) => {
    const adr = parseAdr(path, `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\n${title}.\n`)
    return { ...adr, document: { ref: { source: 'adr', path } } } as Decision
  })
  return { all, supersessions: new Map([['adr', supersessionOf(all)]]) }
}

function candidates(decisions: Decisions, scores: Record<string, number>) {
  const found = decisions.all.filter(({ path }) => path in scores)
  const near = new Map(found.map((one) => [one, { relevance: scores[one.path]! }]))
  return candidatesOf(decisions, near).map(({ path }) => path)
}

describe('records that a proposal may be about', () => {
  const decisions = decisionsOf({
    '0001-mongo.md': ['Superseded by [2](0002-mysql.md)', 'Use MongoDB for the audit log'],
    '0002-mysql.md': ['Superseded by [3](0003-postgres.md)', 'Use MySQL for the audit log'],
    '0003-postgres.md': ['Accepted', 'Keep all data in PostgreSQL'],
    '0004-cron.md': ['Deprecated', 'Send the digest by cron'],
    '0005-nats.md': ['Accepted', 'Use NATS for events'],
  })

  test('a successor takes the place and the score of a superseded record', () => {
    const scores = {
      '0001-mongo.md': 0.6,
      '0002-mysql.md': 0.4,
      '0003-postgres.md': 0.1,
      '0005-nats.md': 0.2,
    }
    assert.deepEqual(candidates(decisions, scores), ['0003-postgres.md', '0005-nats.md'])
  })
  test('a successor is a candidate though search did not find it itself', () => {
    assert.deepEqual(candidates(decisions, { '0002-mysql.md': 0.4 }), ['0003-postgres.md'])
  })
  test('a deprecated record without successor is none', () => {
    assert.deepEqual(candidates(decisions, { '0004-cron.md': 0.9 }), [])
  })
  test('there are eight at most, the nearest first', () => {
    const many = decisionsOf(
      Object.fromEntries([...Array(12).keys()].map((n) => [`${n}.md`, ['Accepted', `Rule ${n}`]])),
    )
    const scores = Object.fromEntries(many.all.map(({ path }, i) => [path, i / 100]))
    assert.deepEqual(
      candidates(many, scores),
      [11, 10, 9, 8, 7, 6, 5, 4].map((n) => `${n}.md`),
    )
  })
})
