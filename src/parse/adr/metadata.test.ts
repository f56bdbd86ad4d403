// What a record says of itself, in the places that house styles have for it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Adr, AdrReference } from './adr.js'
import { fieldsOf } from './fields.js'
import { pageOf } from './page.js'
import { parseAdr } from './parse-adr.js'

const body = '## Context\n\nMail waits.\n\n## Decision\n\nWe use one queue.\n'
const read = (head: string, path = 'docs/adr/0007-queues.md'): Adr => parseAdr(path, `${head}\n\n${body}`)
/** The fields of a page by name, each with its values. */
const fieldValues = (text: string) =>
  Object.fromEntries(
    Object.entries(fieldsOf(pageOf('adr/0007-x.md', text))).map(([name, values]) => [
      name,
      values.map(({ value }) => value),
    ]),
  )
const named = (references: readonly AdrReference[]) => references.map(({ path, text }) => path ?? text)

describe('a table below its own heading', () => {
  for (const heading of ['Document Information', 'ADR Metadata', 'Document Control', 'Decision Info'])
    test(heading, () => {
      const adr = read(
        `# ADR-007: Queues\n\n## ${heading}\n\n| Field | Value |\n|---|---|\n| ADR | ADR-007 |\n| Status | Superseded |\n| Date | 2024-05-06 |\n| Decision Owners | Ann, Bob |\n| Supersedes | None |\n| Superseded By | ADR-087 |`,
      )
      assert.deepEqual([adr.status, adr.supersedes, named(adr.supersededBy)], ['superseded', [], ['ADR-087']])
    })
})

describe('names of fields', () => {
  const check = (line: string, expected: Record<string, string[]>) =>
    test(line, () => assert.deepEqual(fieldValues(`# Queues\n\n${line}\n\n${body}`), expected))
  check('* Document Status: Approved', { status: ['Approved'] })
  for (const name of ['Decision owner', 'Decision makers', 'Approver', 'Submitters', 'Tags', 'Informed'])
    check(`- ${name}: Ann`, { other: ['Ann'] })
  check('**Deciders:** Ann, Bob\\\n**Status:** Rejected', { other: ['Ann, Bob'], status: ['Rejected'] })
  for (const name of ['Date resolved', 'Last modified', 'Date approved'])
    check(`- ${name}: 2024-05-06`, { date: ['2024-05-06'] })
  check('### Date\n\n- 2024-05-06', { date: ['2024-05-06'] })
  test('people and tags are no part of the decision', () => {
    const adr = parseAdr(
      'adr/0007-x.md',
      '# Queues\n\n- Deciders: Ann\n\n**Tags:** mail\n\nWe use one queue.\n',
    )
    assert.equal(adr.decision?.text, 'We use one queue.')
  })
  test('the number may be a field', () => {
    const adr = read('---\nadr: 211\nstatus: accepted\n---\n# Queues', 'docs/adr/queues.md')
    assert.deepEqual([adr.id, adr.number], ['211', 211])
  })
})

describe('"Superseded" as a field', () => {
  const check = (value: string, by: string[], status: Adr['status']) =>
    test(value, () => {
      const adr = read(`# Queues\n\nDate: 2023-01-02\nSuperseded: ${value}`)
      assert.deepEqual([named(adr.supersededBy), adr.status], [by, status])
    })
  check('2024-05-06 by [ADR 14](0014-streams.md)', ['0014-streams.md'], 'superseded')
  check('by ADR 14', ['ADR 14'], 'superseded')
  check('2024-05-06', [], 'unknown')
  check('no', [], 'unknown')
})

describe('text beside the superseded record', () => {
  const check = (value: string, expected: [string, boolean][]) =>
    test(value, () => {
      const { supersedes } = read(`# Queues\n\n- Status: accepted\n- Supersedes: ${value}`)
      assert.deepEqual(
        supersedes.map(({ text, partly }) => [text, partly ?? false]),
        expected,
      )
    })
  check('ADR-3 (one clause only; ADR-4 and ADR-5 stand)', [['ADR-3', true]])
  check('ADR-3 (retry policy only — the rest stands, as does ADR-4)', [['ADR-3', true]])
  check('ADR-3 (and ADR-4)', [
    ['ADR-3', false],
    ['ADR-4', false],
  ])
  check('The old queues (ADR-3)', [['ADR-3', false]])
  check('ADR-3 for the mail server specifically', [['ADR-3', true]])
  check('ADR-3 and amends ADR-4', [['ADR-3', false]])
  check('None. This builds on [ADR-4](0004-y.md)', [])
  check('ADR-N/A (what stood in limits.md)', [])
})

describe('a record is named once', () => {
  const check = (head: string, by: string[]) =>
    test(head.replaceAll('\n', '⏎'), () =>
      assert.deepEqual(named(read(`# Queues\n\n${head}`).supersededBy), by),
    )
  check('* Status: superseded by [ADR-9](0009-x.md)\n* Superseded by: ADR-9', ['0009-x.md'])
  check('* Superseded by: ADR-9\n\n## Status\n\nSuperseded by [9. X](0009-x.md)', ['0009-x.md'])
  check('* Superseded by: [ADR-9](0009-x.md), [ADR-9](../other/0009-y.md)', [
    '0009-x.md',
    '../other/0009-y.md',
  ])
})

test('a record that a notice amends is not superseded', () => {
  const { supersedes } = read(
    '# Queues\n\nSupersedes [ADR 3](0003-x.md) and amends the limits\nin [ADR 4](0004-y.md).',
  )
  assert.deepEqual(named(supersedes), ['0003-x.md'])
  const among = read("# Queues\n\n## Links\n\n- Supersedes [ADR-3](0003-x.md)'s limits; ADR-3's names stand.")
  assert.deepEqual(named(among.supersedes), ['0003-x.md'])
})

test('a mark may stand behind the number of a title', () => {
  const adr = read('# ADR-0007 (Archived) — Queues')
  assert.deepEqual([adr.title, adr.status], ['Queues', 'deprecated'])
  const both = read('# ADR-0007 (Archived) — Queues\n\n## Status\n\nSuperseded by [ADR-9](0009-x.md)')
  assert.deepEqual([both.status, named(both.supersededBy)], ['superseded', ['0009-x.md']])
})

describe('a status in brackets', () => {
  const check = (value: string, status: Adr['status']) =>
    test(value, () => {
      assert.equal(read(`# Queues\n\n* **Status:** ${value}`).status, status)
      assert.equal(read(`# Queues\n\n## Status\n\n${value}`).status, status)
    })
  check('[approved]', 'accepted')
  check('[Superseded by ADR-9]', 'superseded')
  check('[change when approved]', 'unknown')
  check('[proposed | accepted]', 'unknown')
  check('Inprogress', 'proposed')
})

describe('a change log gives the status if nothing else does', () => {
  const check = (log: string, status: Adr['status'], more = '') =>
    test(log.replaceAll('\n', '⏎'), () =>
      assert.equal(read(`# Queues\n\n## Change Log\n\n${log}${more}`).status, status),
    )
  check('- [proposed](https://example.org/pull/7) (2024-05-06)', 'proposed')
  check('- [proposed](https://example.org/pull/7) (2024-05-06)\n- accepted (2024-06-06)', 'accepted')
  check('- 2024-05-06: Approved\n- 2024-04-06: Proposed', 'accepted')
  check('- 2024-05-06: Accepted comments of the board', 'unknown')
  check('- 2024-05-06: Initial draft', 'unknown')
  check('- 2024-05-06: Accepted', 'rejected', '\n\n## Status\n\nRejected')
})
