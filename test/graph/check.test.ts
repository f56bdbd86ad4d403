import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkGraph } from '../../src/services/graph/check.js'
import { exportGraph } from '../../src/services/graph/export.js'
import { checkText } from '../../src/surfaces/cli/commands/graph.js'
import { vault } from './vault.js'

const files = {
  'retry-budget.md': '# Retry budget\n\nSee [[outbox]] and [[gone]].\n',
  'outbox.md':
    '# Outbox\n\nThe retry budget is spent here, and the retry  budget again.\n\n```\nclock skew\n```\n`Clock skew`\n',
  'clock-skew.md': '# Clock skew\n\nThe [[outbox|Retry budget]] is no mention.\n',
  'x/roadmap.md': '',
  'y/roadmap.md': '[[roadmap]]\n',
  'alone.md': '# A < b & "quoted"\n',
}

test('check names what is broken, ambiguous, alone and mentioned', async (t) => {
  const { library } = await vault(t, files)
  const report = await checkGraph(library)
  assert.deepEqual(report, {
    notes: 6,
    links: 4,
    broken: [{ id: 'retry-budget.md', line: 3, link: '[[gone]]' }],
    ambiguous: [
      { id: 'y/roadmap.md', line: 1, link: '[[roadmap]]', candidates: ['x/roadmap.md', 'y/roadmap.md'] },
    ],
    orphans: ['alone.md'],
    mentions: [{ id: 'outbox.md', line: 3, title: 'Retry budget', target: 'retry-budget.md' }],
  })
  assert.match(
    checkText(report),
    /^6 notes, 4 links\n\n1 broken links\n {2}retry-budget.md:3 {2}\[\[gone\]\]\n/,
  )
})

test('export writes every note and link in each format', async (t) => {
  const { library } = await vault(t, files)
  const json = JSON.parse(await exportGraph(library, 'json'))
  assert.deepEqual([json.nodes.length, json.edges.length], [6, 3])
  assert.deepEqual(json.edges[0], { source: 'clock-skew.md', target: 'outbox.md' })
  const graphml = await exportGraph(library, 'graphml')
  assert.match(graphml, /<node id="alone.md"><data key="title">A &lt; b &amp; &quot;quoted&quot;<\/data>/)
  assert.equal(graphml.match(/<edge /g)?.length, 3)
  const dot = await exportGraph(library, 'dot')
  assert.match(dot, /"clock-skew.md" -> "outbox.md";/)
  assert.match(dot, /"alone.md" \[label="A < b & \\"quoted\\""\];/)
})
