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

test('check finds mentions where a reader sees them, and nowhere else', async (t) => {
  const fence = '```'
  const { library } = await vault(t, {
    'データベース設計.md': '# データベース設計\n',
    '京都.md': '# 京都\n',
    'ฐานข้อมูลหลัก.md': '# ฐานข้อมูลหลัก\n',
    'Tide Table.md': '# Tide Table\n',
    'ja.md': '昨日データベース設計を見直した。\n\n東京都に行く。\n\n次は京都に行く。\n',
    'th.md': 'เราใช้ฐานข้อมูลหลักทุกวัน\n',
    'nest.md': `text\n${fence}\`md\n${fence}js\nTide Table\n${fence}\`\nSee the Tide Table today.\n`,
    'open.md': 'An <!-- arrow\n\nand the Tide Table\n',
    'quote.md': `> ${fence}\n> Tide Table\nSee the Tide Table today.\n`,
    'hidden.md': `<!-- Tide Table -->\n<!--\n${fence}\nTide Table\n-->\n~~~\n${fence}\nTide Table\n~~~\n`,
    'after.md': '<!-- Tide\n--> the Tide Table\n',
  })
  const { mentions } = await checkGraph(library)
  assert.deepEqual(
    mentions.map(({ id, line, title }) => [id, line, title]),
    [
      ['after.md', 2, 'Tide Table'],
      ['ja.md', 1, 'データベース設計'],
      ['ja.md', 5, '京都'],
      ['nest.md', 6, 'Tide Table'],
      ['open.md', 3, 'Tide Table'],
      ['quote.md', 3, 'Tide Table'],
      ['th.md', 1, 'ฐานข้อมูลหลัก'],
    ],
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
