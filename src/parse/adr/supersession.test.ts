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

test('dangling, one-sided, circular links and a record that supersedes itself are said', () => {
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
