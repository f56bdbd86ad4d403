import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAdr } from './parse-adr.js'
import { supersessionOf } from './supersession.js'

const adr = (path: string, status: string, more = '') =>
  parseAdr(
    path,
    `# ${path.replace(/^.*\/\d+-|\.md$/g, '')}\n\n## Status\n\n${status}\n\n## Context\n\nx\n\n## Decision\n\ny\n${more}`,
  )
const paths = (adrs: readonly { path: string }[]) => adrs.map(({ path }) => path)

test('a chain is followed to its end, by link, number and title', () => {
  const all = [
    adr('adr/0001-a.md', 'Superseded by ADR-2'),
    adr('adr/0002-b.md', 'Superseded by [c](0003-c.md)', '\n## Links\n\n- Supersedes [ADR 1](0001-a.md)\n'),
    adr('adr/0003-c.md', 'Accepted\n\nSupersedes b'),
  ]
  const graph = supersessionOf(all)
  assert.deepEqual(paths(graph.current(all[0]!)), ['adr/0003-c.md'])
  assert.deepEqual(paths(graph.successors(all[0]!)), ['adr/0002-b.md'])
  assert.deepEqual(paths(graph.predecessors(all[2]!)), ['adr/0002-b.md'])
})

test('reports dangling, one-sided and circular links and a record that supersedes itself', () => {
  const all = [
    adr('adr/0001-a.md', 'Superseded by ADR-99'),
    adr('adr/0002-b.md', 'Superseded by ADR-3'),
    adr('adr/0003-c.md', 'Superseded by ADR-2'),
    adr('adr/0004-d.md', 'Accepted, supersedes ADR-4'),
    adr('adr/0005-e.md', 'Accepted', '\nThis supersedes ADR-1.\n'),
  ]
  const { issues, current } = supersessionOf(all)
  assert.deepEqual(issues.map(({ kind, path }) => [kind, path]).sort(), [
    ['cycle', 'adr/0003-c.md'],
    ['dangling', 'adr/0001-a.md'],
    ['one_sided', 'adr/0001-a.md'],
    ['one_sided', 'adr/0002-b.md'],
    ['one_sided', 'adr/0003-c.md'],
    ['self', 'adr/0004-d.md'],
  ])
  assert.deepEqual(current(all[1]!), [])
})

test('the same number in two folders means the one nearby', () => {
  const all = [
    adr('web/adr/0001-a.md', 'Superseded by ADR-2'),
    adr('core/adr/0002-b.md', 'Accepted'),
    adr('web/adr/0002-b.md', 'Accepted'),
  ]
  assert.deepEqual(paths(supersessionOf(all).current(all[0]!)), ['web/adr/0002-b.md'])
})

test('thousands of records in one chain are no trouble', () => {
  const all = Array.from({ length: 4_000 }, (_, i) => ({
    ...adr('adr/0001-a.md', 'Accepted'),
    path: `adr/${i}-a.md`,
    number: i,
    supersededBy: [{ text: `ADR ${i + 1}`, number: i + 1, path: null }],
  }))
  assert.equal(supersessionOf(all).current(all[0]!).length, 1)
})

test('a record is replaced by one that took effect, even where its own status does not say so', () => {
  const all = [
    adr('adr/0001-a.md', 'Accepted'),
    adr('adr/0002-b.md', 'Accepted\n\nSupersedes [a](0001-a.md)'),
    adr('adr/0003-c.md', 'Proposed\n\nSupersedes [b](0002-b.md)'),
    adr('adr/0004-d.md', 'Accepted'),
    adr('adr/0005-e.md', 'Accepted', '\nThis supersedes some aspects of ADR-4.\n'),
    adr('adr/0006-f.md', 'Accepted, partially supersedes ADR-4'),
  ]
  const { isReplaced, current, successors } = supersessionOf(all)
  assert.deepEqual(paths(all.filter(isReplaced)), ['adr/0001-a.md'])
  assert.deepEqual(paths(current(all[0]!)), ['adr/0002-b.md'])
  assert.deepEqual(successors(all[3]!), [])
})

test('a record that does not hold is not called current', () => {
  for (const status of ['Rejected', 'Proposed', 'Draft', 'Deprecated', 'Superseded by ADR-99']) {
    const all = [adr('adr/0001-a.md', 'Superseded by ADR-2'), adr('adr/0002-b.md', status)]
    const { isReplaced, current, fallen } = supersessionOf(all)
    assert.deepEqual(
      [isReplaced(all[0]!), current(all[0]!), paths(fallen(all[0]!))],
      [true, [], ['adr/0002-b.md']],
    )
  }
})

test('accepted records that supersede each other replace none, and one that holds in part holds', () => {
  const circle = [
    adr('adr/0001-a.md', 'Accepted\n\nSupersedes ADR-2'),
    adr('adr/0002-b.md', 'Accepted\n\nSupersedes ADR-1'),
  ]
  assert.deepEqual(circle.filter(supersessionOf(circle).isReplaced), [])
  const chain = [
    adr('adr/0001-a.md', 'Superseded by ADR-2'),
    adr('adr/0002-b.md', 'Partly superseded by ADR-3'),
    adr('adr/0003-c.md', 'Accepted'),
  ]
  const { isReplaced, current } = supersessionOf(chain)
  assert.deepEqual(paths(chain.filter(isReplaced)), ['adr/0001-a.md'])
  assert.deepEqual(paths(current(chain[0]!)), ['adr/0002-b.md', 'adr/0003-c.md'])
})

test('a successor may be named by its title alone', () => {
  const all = [
    parseAdr(
      'adr/0001-a.md',
      '# A\n\n- Status: accepted\n- Superseded by: Use Kafka\n\n## Decision\n\nDo it.\n',
    ),
    parseAdr('adr/0002-k.md', '# Use Kafka\n\n- Status: accepted\n\n## Decision\n\nDo it.\n'),
  ]
  assert.deepEqual(paths(all.filter(supersessionOf(all).isReplaced)), ['adr/0001-a.md'])
})

test('a field that supersedes a part leaves the other record in force', () => {
  for (const top of [
    '- Status: accepted\n- Supersedes: ADR-1 (partially)',
    '## Status\n\nAccepted, supersedes ADR-1 (in part)',
    '## Links\n\n- Supersedes [ADR-1](0001-a.md) (in part)',
  ]) {
    const all = [
      adr('adr/0001-a.md', 'Accepted'),
      parseAdr('adr/0002-b.md', `# B\n\n${top}\n\n## Decision\n\nDo it.\n`),
    ]
    assert.deepEqual(all.filter(supersessionOf(all).isReplaced), [], top)
  }
})
