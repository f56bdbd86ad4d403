import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseAdr } from '../../parse/adr/parse-adr.js'
import { verdictsByReading, verdictsByWords } from './judge.js'
import type { Candidate } from './signals.js'
import { statementsOf } from './statements.js'

const record = (path: string, title: string, decision: string) =>
  parseAdr(path, `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${decision}\n`)
const records = [
  record('adr/0001.md', 'Use Concourse for deployment pipelines', 'Deploy all services with Concourse.'),
  record('adr/0002.md', 'Use a private cluster endpoint', 'The cluster endpoint will be private.'),
  record('adr/0003.md', 'Cache lifetime', 'Assets are cached for 300 seconds.'),
]

type Stood = [against: number, along: number]

/** What search would find: the meant record first; the reading model takes this stand on it and none on the others. */
function candidates(path: string, [against, along]: Stood): Candidate<(typeof records)[number]>[] {
  return records.map((one) => {
    const isMeant = one.path === path
    const stand = isMeant
      ? { against, along, beside: 1 - against - along }
      : { against: 0.01, along: 0.01, beside: 0.98 }
    const statements = statementsOf(one).map((statement) => ({ statement, part: 'the proposal', stand }))
    return { record: one, score: isMeant ? 0.6 : 0.1, read: { statements, atOnce: [stand] } }
  })
}

function verdictOn(path: string, text: string, stood: Stood) {
  const verdicts = verdictsByReading(text, candidates(path, stood))
  return verdicts[records.findIndex((one) => one.path === path)]!
}

describe('verdicts by reading', () => {
  const text = 'Purge browser assets every minute.'

  test('a statement that it clearly goes against is a conflict and is quoted', () => {
    const { alignment, evidence } = verdictOn('adr/0003.md', text, [0.97, 0.01])
    assert.deepEqual([alignment, evidence?.rule, evidence?.line], ['conflicts', 'goes-against', 1])
  })
  test('one that it clearly follows is a support, for one short sentence only', () => {
    assert.equal(verdictOn('adr/0003.md', text, [0.005, 0.98]).alignment, 'supports')
    assert.equal(verdictOn('adr/0003.md', `${text} Do more.`, [0.005, 0.98]).alignment, 'related')
  })
  test('if the model is unsure, the record is related, with its most relevant sentence', () => {
    const { alignment, evidence, nearest } = verdictOn('adr/0003.md', text, [0.3, 0.3])
    assert.deepEqual([alignment, evidence], ['related', null])
    assert.equal(nearest?.decision, 'Assets are cached for 300 seconds.')
  })
  test('a literal rule needs no model', () => {
    const dropped = 'Do not use Concourse for deployment pipelines.'
    assert.equal(verdictOn('adr/0001.md', dropped, [0.1, 0.1]).evidence?.rule, 'negates-chosen')
    assert.equal(verdictsByWords(dropped)(records[0]!).alignment, 'conflicts')
  })
  test('words that say support give way to a model that says the opposite', () => {
    const same = 'Use Concourse for deployment pipelines.'
    assert.equal(verdictOn('adr/0001.md', same, [0.1, 0.1]).alignment, 'supports')
    assert.notEqual(verdictOn('adr/0001.md', same, [0.95, 0.01]).alignment, 'supports')
  })
  test('a record that the model calls a contradiction is never a support', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 1, noNaN: true }), fc.string(), (against, said) => {
        const { alignment } = verdictOn('adr/0003.md', said || 'x', [against, (1 - against) / 2])
        assert.notEqual(alignment, 'supports')
      }),
    )
  })
})
