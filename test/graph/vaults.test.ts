// Whole vaults: ours, somebody's, and made ones in several scripts. Every link leads where it should, or nowhere.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Graph, linkWarnings } from '../../src/graph/graph.js'
import { namesNote } from '../../src/graph/resolve.js'
import { shown } from '../../src/graph/written.js'
import { projectRoot, sampleLibrary } from '../support/world.js'
import { graphOf } from './notes.js'

function load(folder: string): Graph {
  const paths = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.md') && !path.startsWith('.carrel'))
  return graphOf(
    Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
  )
}

const library = load(sampleLibrary)

function out(graph: Graph, path: string, written: string): string | null {
  const { facts, resolved } = graph.notes.get(path)!
  const at = facts.links.findIndex((link) => shown(link).includes(written))
  assert.ok(at >= 0, `${written} stands in ${path}`)
  return resolved[at]?.path ?? null
}

test('links of the sample library lead where their writers meant', () => {
  for (const [path, written, to] of [
    ['notes/home.md', '[[onboarding|', 'notes/onboarding.md'],
    ['notes/home.md', '[[concepts/outbox|', 'notes/concepts/outbox.md'],
    ['notes/home.md', '[[Idempotency keys]]', 'notes/concepts/idempotency-keys.md'],
    ['notes/home.md', '[[clock-skew]]', 'notes/concepts/Clock Skew.md'],
    ['notes/home.md', '[[delivery receipts]]', 'notes/ideas/delivery-receipts.md'],
    ['notes/home.md', '[[2026-02-11 duplicate', 'notes/incidents/2026-02-11 duplicate reminders.md'],
    ['notes/home.md', '[[projects/roadmap|', 'notes/projects/roadmap.md'],
    ['notes/home.md', '[[🏮 Naming ideas]]', 'notes/🏮 Naming ideas.md'],
    ['notes/home.md', '(../docs/adr/0001', 'docs/adr/0001-record-architecture-decisions.md'],
    ['notes/onboarding.md', '[[Tomas Wren]]', 'notes/people/tomas-wren.md'],
    ['notes/onboarding.md', '[[Yuna]]', 'notes/people/yuna-tsukigawa.md'],
    ['notes/onboarding.md', '![[glossary#Attempt]]', 'notes/glossary.md'],
    ['notes/onboarding.md', '[[glossary]]', 'notes/glossary.md'],
    [
      'notes/reading-list.md',
      'duplicate%20reminders.md',
      'notes/incidents/2026-02-11 duplicate reminders.md',
    ],
    ['notes/🏮 Naming ideas.md', 'Clock Skew.md', 'notes/concepts/Clock Skew.md'],
    ['notes/reading-list.md', '[[Restore tests for the impatient]]', null],
  ] as const)
    assert.equal(out(library, path, written), to, `${path}: ${written}`)
})

test('the broken and doubtful links of the sample library are known by name', () => {
  const notes = library.paths().map((path) => library.notes.get(path)!)
  const broken = notes.flatMap((note) =>
    linkWarnings(note).broken.map((link) => `${note.facts.path}: ${link.target}`),
  )
  const ambiguous = notes.flatMap((note) =>
    linkWarnings(note).ambiguous.map(({ link }) => `${note.facts.path}: ${link.target}`),
  )
  assert.ok(broken.includes('notes/reading-list.md: Restore tests for the impatient'), broken.join('\n'))
  assert.ok(broken.length <= 6, broken.join('\n'))
  assert.ok(
    ambiguous.every((one) => /roadmap/i.test(one)),
    ambiguous.join('\n'),
  )
})

const kepano = join(projectRoot, '../shared/data/vaults/kepano-small')

test('every resolved link of a real vault shares a name with its note', {
  skip: existsSync(kepano) ? false : 'needs ../shared/data',
}, () => {
  const graph = load(kepano)
  const notes = graph.paths().map((path) => graph.notes.get(path)!)
  const links = notes.flatMap(({ facts, resolved }) =>
    facts.links.map((link, i) => ({ link, to: resolved[i]?.path ?? null })),
  )
  assert.ok(notes.length > 10 && links.filter(({ to }) => to).length > 10)
  const files = new Map(
    graph.paths().map((path) => [path.replace(/^.*\//, '').replace(/\.md$/, '').toLowerCase(), path]),
  )
  for (const { link, to } of links) {
    // In this vault people link by file name, as the program it was written in does.
    const meant = files.get(link.target.replace(/^.*\//, '').replace(/\.md$/, '').toLowerCase())
    if (to === null)
      assert.ok(meant === undefined || !namesNote(link), `${shown(link)} should lead to ${meant}`)
    else if (meant !== undefined) assert.equal(to, meant, shown(link))
  }
})

const scripts = {
  latin: ['Åse Ødegård', 'Crème brûlée', 'naïve café', 'Straße', 'İstanbul'],
  others: [
    'Ελληνικά σημειώσεις',
    'Заметки о чае',
    '静かな時間',
    '日本語 メモ',
    '한국어 노트',
    'ملاحظات',
    'हिन्दी नोट',
    '🏮 lamps & 🐙',
    'a (b) [c',
    'x ^ y',
    'C# and F#',
    'C#',
    'C',
    'x ^',
    '100% sure',
    "it's",
  ],
}

for (const [name, titles] of Object.entries(scripts))
  test(`a vault with ${name} names has every edge and no other`, () => {
    const texts: Record<string, string> = {}
    const expected: [string, string][] = []
    for (const [i, title] of titles.entries()) {
      const next = titles[(i + 1) % titles.length]!
      const plain = /[[\]]/.test(next) ? 'nothing here' : ''
      const wiki =
        plain ||
        `[[${next}]] [[${next.toUpperCase()}|l]] ![[${next.normalize('NFD')}]] [[${next.replaceAll(' ', '-')}]] [[${next}#Some heading]] ${next.endsWith('#') ? '' : `![[${next}^block|l]]`} [[f${(i + 1) % titles.length}/${next}]]`
      texts[`f${i}/${title}.md`] =
        `${wiki}\n\n[x](<../f${(i + 1) % titles.length}/${next.replace(/[%#]/g, encodeURIComponent)}.md>) [y](../f${(i + 1) % titles.length}/${encodeURIComponent(next)}.md)\n`
      expected.push([`f${i}/${title}.md`, `f${(i + 1) % titles.length}/${next}.md`])
    }
    const graph = graphOf(texts)
    const edges = graph.paths().flatMap((path) => graph.notes.get(path)!.out.map((to) => [path, to]))
    assert.deepEqual(edges.sort(), expected.sort())
    for (const path of graph.paths())
      for (const [i, link] of graph.notes.get(path)!.facts.links.entries())
        if (!(/ı|i̇|ß|SS/i.test(link.target) && link.label === 'l'))
          assert.ok(graph.notes.get(path)!.resolved[i], `${path}: ${shown(link)}`)
  })
