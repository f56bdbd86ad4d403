import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { doctor } from '../../src/app/doctor.js'
import { indexAll } from '../../src/app/index-all.js'
import { openLibrary } from '../../src/app/open.js'
import type { Configuration, Settings } from '../../src/model/settings.js'
import { executor } from '../../src/server/executor.js'
import { registry } from '../../src/server/registry.js'
import { checkText } from '../../src/surfaces/cli/commands/graph.js'
import { runTool } from '../../src/surfaces/cli/tool-command.js'
import { checkGraph } from '../../src/toolsets/graph/check.js'
import { exportGraph } from '../../src/toolsets/graph/export.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { runOn, type Stage } from '../cli-stage.js'
import { world, write } from '../support/world.js'
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

test('check names broken and ambiguous links, orphans and mentions', async (t) => {
  const { library } = await vault(t, files)
  const report = await checkGraph(library, { mentions: true })
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
    /^6 notes, 4 links\n\n1 broken link\n {2}retry-budget.md:3 {2}\[\[gone\]\]\n/,
  )
})

test('check looks for mentions only on request, and reports its progress', async (t) => {
  const { library, settings } = await vault(t, files)
  assert.equal('mentions' in (await checkGraph(library)), false)
  const received: [number, number][] = []
  await checkGraph(library, { mentions: true, onProgress: (...progress) => received.push(progress) })
  assert.deepEqual([received.length, received.at(-1)], [6, [6, 6]])
  const stage: Stage = {
    services: { open: openLibrary },
    settings: async () => ({ settings: settings as Configuration, notes: [] }),
    terminal: true,
  }
  const plain = await runOn(stage, 'graph', 'check')
  assert.doesNotMatch(plain.out, /mentioned/)
  const result = await runOn(stage, 'graph', 'check', '--mentions')
  assert.match(result.out, /1 title mentioned but not linked/)
  assert.match(result.err, /Looking for mentions: \d of 6 notes/)
})

test('check shows each name on one line, whatever it contains', () => {
  const id = 'docs/f\x1b[2J\n9 notes, all is well\r.md'
  const shown = checkText({
    ...{ notes: 1, links: 2, orphans: [id], mentions: [{ id, line: 1, title: '\x9b31m', target: id }] },
    ...{ broken: [{ id, line: 1, link: '[[\x1b]8;;x]]' }] },
    ambiguous: [{ id, line: 1, link: '[[x]]', candidates: [id, '\u202etxt.md'] }],
  })
  assert.doesNotMatch(shown, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^9 notes/m)
  assert.equal(shown.split('\n').length, 14)
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
  const { mentions } = await checkGraph(library, { mentions: true })
  assert.deepEqual(
    mentions?.map(({ id, line, title }) => [id, line, title]),
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

const nothing = 'Nothing is indexed yet: run "carrel index".'

test('notes that are not indexed are not reported as missing', async (t) => {
  const { settings } = await world(t, { 'a.md': '[[Nowhere]]\n' })
  const stage: Stage = {
    services: { open: openLibrary },
    settings: async () => ({ settings: settings as Configuration, notes: [] }),
  }
  const commands = [['graph', 'check'], ['graph', 'check', '--json'], ['graph', 'export'], ['list']]
  for (const argv of commands)
    assert.equal((await runOn(stage, ...argv)).err, `note: ${nothing}\n`, argv.join(' '))
  // An index above this folder is named, since it may be the one that was meant.
  const above = dirname(settings.root)
  write(above, { '.carrel/index.sqlite': '' })
  const message = `${nothing} There is an index in ${above}, above this folder: --root "${above}" asks there.`
  assert.equal((await runOn(stage, 'graph', 'check')).err, `note: ${message}\n`)
})

test('a project that was moved, or got another folder, is reported as never indexed', async (t) => {
  const { settings, library } = await world(t, { 'a.md': '[[Nowhere]]\n' })
  await indexAll(library, {})
  const noteAndState = async ({ sources, ...rest }: Settings) => {
    const at = { ...rest, sources } as Configuration
    const stage: Stage = {
      services: { open: openLibrary },
      settings: async () => ({ settings: at, notes: [] }),
    }
    const checks = (await doctor(at, {})).filter(({ name }) => name.startsWith('source '))
    return [(await runOn(stage, 'graph', 'check')).err, ...checks.map(({ state }) => state)]
  }
  assert.deepEqual(await noteAndState(settings), ['', 'ok'])
  const elsewhere = join(dirname(settings.root), 'elsewhere')
  cpSync(settings.root, elsewhere, { recursive: true, filter: (from) => !from.includes('.carrel') })
  const [source] = settings.sources
  const more = { ...source!, name: 'more', path: elsewhere }
  const never = '"more" was never indexed to its end, so there may be more than this: run "carrel index".'
  assert.deepEqual(await noteAndState({ ...settings, sources: [...settings.sources, more] }), [
    `note: ${never}\n`,
    'ok',
    'warning',
  ])
  assert.deepEqual(await noteAndState({ ...settings, sources: [more] }), [`note: ${never}\n`, 'warning'])
})

test('tools that answer with a list or null add a note that nothing is indexed', async (t) => {
  const { library } = await world(t, { 'a.md': '[[b]] #tag\n', 'b.md': '' })
  const tools = registry([graph], { library }, { capabilities: ['embedder'] })
  const ask = async (name: string, args: object) => {
    const written = { out: '', err: '' }
    const into = (stream: 'out' | 'err') => ({
      write: (text: string) => {
        written[stream] += text
      },
    })
    const terminal = { stdin: process.stdin, stdout: into('out'), stderr: into('err') }
    await runTool({ registry: tools, executor: executor() }, { name, json: JSON.stringify(args) }, terminal)
    return [written.out, written.err]
  }
  const calls: [string, object, string][] = [
    ['search', { query: 'a' }, '[]\n'],
    ['get_node', { id: 'a.md' }, 'null\n'],
    ['get_hubs', {}, '[]\n'],
    ['search_by_tags', { tags: ['tag'] }, '[]\n'],
    ['find_path', { source: 'a.md', target: 'b.md' }, 'null\n'],
  ]
  for (const [name, args, answer] of calls)
    assert.deepEqual(await ask(name, args), [answer, `note: ${nothing}\n`], name)
  await indexAll(library, {})
  assert.deepEqual(await ask('search_by_tags', { tags: ['other'] }), ['[]\n', ''])
})
