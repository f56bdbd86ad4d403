import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { search } from '../../src/answer/search.js'
import { registry } from '../../src/server/registry.js'
import { checkGraph } from '../../src/toolsets/graph/check.js'
import { exportGraph } from '../../src/toolsets/graph/export.js'
import { graph } from '../../src/toolsets/graph/toolset.js'
import { flawsOf } from '../support/tool-flaws.js'
import { tokenCost } from '../tools/token-cost.js'
import { type Answered, vault } from './vault.js'

const files = {
  'home.md':
    '---\ntitle: Home\ntags: [hub, Wiki/Start]\n---\n\n# Welcome\n\nStart with [[Retry budget]]. Then see [[wick|the wicks]] and [[nowhere]].\n',
  'concepts/retry-budget.md': '# Retry budget\n\nSee [the wick](wick.md) and [[home]]. #concept\n',
  'concepts/wick.md':
    '---\naliases: [Carrier]\ntags: concept, tool\n---\n# Wick\n\nBurns. ![[retry-budget#Why]]\n',
  'loose.md': 'Nothing links here. [[roadmap]]\n',
  'a/roadmap.md': '# Roadmap\n',
  'b/roadmap.md': '# Roadmap\n',
  'code.ts': 'export const x = 1\n',
}

test('the records meet the rules for every record, within their tokens', () => {
  assert.deepEqual(flawsOf(graph), [])
  const cost = tokenCost(registry([graph], { library: null as never }, { capabilities: ['embedder'] }))
  assert.ok(cost.model <= 1_900, JSON.stringify(cost))
  assert.equal(graph.tools.length, 10)
})

test('get_node gives a note with titled links, its version, and its warnings once', async (t) => {
  const { call, root } = await vault(t, files)
  const node = await call('get_node', { id: 'home.md' })
  assert.deepEqual(
    { ...node, version: typeof node.version },
    {
      id: 'home.md',
      title: 'Home',
      content: '# Welcome\n\nStart with [[Retry budget]]. Then see [[wick|the wicks]] and [[nowhere]].\n',
      tags: ['hub', 'Wiki/Start'],
      links: [
        { id: 'concepts/retry-budget.md', title: 'Retry budget' },
        { id: 'concepts/wick.md', title: 'Wick' },
      ],
      version: 'string',
      _warnings: ['Broken link: [[nowhere]]'],
    },
  )
  assert.equal('_warnings' in (await call('get_node', { id: 'HOME.md' })), false)
  writeFileSync(join(root, 'home.md'), 'Now [[elsewhere]] only.')
  assert.deepEqual((await call('get_node', { id: 'home' }))._warnings, ['Broken link: [[elsewhere]]'])
  assert.deepEqual((await call('get_node', { id: 'loose.md' }))._warnings, [
    'Ambiguous link: [[roadmap]] could be a/roadmap.md, b/roadmap.md; it is taken as the first.',
  ])
})

test('a link that breaks later is warned of when its note is read next', async (t) => {
  const { call } = await vault(t, {
    'l.md': '[[Target]] and [[Two]] and [[nowhere]]\n',
    'target.md': '# Target\n',
    'a/two.md': '# Two\n',
  })
  const warnings = async () => (await call('get_node', { id: 'l.md' }))._warnings
  assert.deepEqual(await warnings(), ['Broken link: [[nowhere]]'])
  await call('get_node', { id: 'target.md' })
  assert.equal((await call('delete_node', { id: 'target.md' })).deleted, true)
  assert.deepEqual(await warnings(), ['Broken link: [[Target]]'])
  assert.equal(await warnings(), undefined)
  await call('create_node', { title: 'Two', content: 'x', directory: 'b' })
  assert.deepEqual(await warnings(), [
    'Ambiguous link: [[Two]] could be a/two.md, b/two.md; it is taken as the first.',
  ])
  await call('create_node', { title: 'Target', content: 'x' })
  assert.equal(await warnings(), undefined)
  assert.equal((await call('delete_node', { id: 'target.md' })).deleted, true)
  assert.deepEqual(await warnings(), ['Broken link: [[Target]]'], 'it broke again')
})

test('the sentence of an incoming link is that of the neighbour, also where both link', async (t) => {
  const { call } = await vault(t, {
    'hub.md': '---\nup: "[[n1]]"\n---\n# Hub\n',
    'n1.md': 'Back to [[hub]] in text.\n',
  })
  const of = (direction: string) => call('get_neighbors', { id: 'hub.md', direction, context: true })
  assert.deepEqual(
    [...(await of('in')), ...(await of('out')), ...(await of('both'))].map(({ context }) => context),
    ['Back to [[hub]] in text.', 'up: "[[n1]]"', 'up: "[[n1]]"'],
  )
})

test('get_node with neighbours returns directions and true counts', async (t) => {
  const { call } = await vault(t, files)
  const node = await call('get_node', {
    id: 'concepts/wick.md',
    depth: 1,
    include_content: false,
    context: true,
  })
  assert.deepEqual([node.incomingCount, node.outgoingCount, node.content], [2, 1, ''])
  assert.deepEqual(
    node.neighbors.map((one: Answered) => [one.id, one.direction, one.context]),
    [
      ['concepts/retry-budget.md', 'both', '![[retry-budget#Why]]'],
      ['home.md', 'in', 'Then see [[wick|the wicks]] and [[nowhere]].'],
    ],
  )
})

test('at most twenty neighbours stand under the true counts', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}.md`, '[[hub]] '.repeat(2)]))
  const { call } = await vault(t, { ...many, 'hub.md': '[[n1]] [[n2]]' })
  const node = await call('get_node', { id: 'hub.md', depth: 1 })
  assert.deepEqual([node.neighbors.length, node.incomingCount, node.outgoingCount], [20, 30, 2])
  assert.deepEqual(
    node.neighbors.slice(0, 3).map((one: Answered) => one.direction),
    ['both', 'both', 'in'],
  )
  assert.equal((await call('get_neighbors', { id: 'hub.md', direction: 'in', limit: 50 })).length, 30)
})

test('texts are cut with the suffix inside the limit, never through a character', async (t) => {
  const long = '🏮'.repeat(9_000)
  const { call } = await vault(t, { 'a.md': `${long}\n\n[[b]]`, 'b.md': `x${long}\n\n[[a]] #t` })
  const { content, neighbors } = await call('get_node', { id: 'a.md', depth: 1 })
  for (const [text, most] of [
    [content, 10_000],
    [neighbors[0].content, 200],
    [(await call('get_neighbors', { id: 'a.md' }))[0].content, 500],
    [(await call('search_by_tags', { tags: ['t'] }))[0].content, 500],
  ] as const) {
    assert.ok(text.length <= most && text.length > most - 3, `${text.length} of ${most}`)
    assert.match(text, /🏮\.\.\. \[truncated\]$/u)
  }
})

test('find_path, get_hubs, search_by_tags and random_node answer as specified', async (t) => {
  const { call } = await vault(t, files)
  assert.deepEqual(await call('find_path', { source: 'home.md', target: 'concepts/wick.md' }), {
    path: ['home.md', 'concepts/wick.md'],
    length: 1,
  })
  assert.equal(await call('find_path', { source: 'home.md', target: 'loose.md' }), null)
  assert.deepEqual(
    await call('find_path', { source: 'a/roadmap.md', target: 'loose.md', direction: 'any' }),
    {
      path: ['a/roadmap.md', 'loose.md'],
      length: 1,
    },
  )
  assert.deepEqual(await call('find_path', { source: 'home.md', target: 'Home.md' }), {
    path: ['home.md'],
    length: 0,
  })
  assert.deepEqual(await call('get_hubs', { limit: 3 }), [
    { id: 'concepts/retry-budget.md', title: 'Retry budget', score: 2 },
    { id: 'concepts/wick.md', title: 'Wick', score: 2 },
    { id: 'a/roadmap.md', title: 'Roadmap', score: 1 },
  ])
  assert.equal((await call('get_hubs', { metric: 'pagerank' })).length, 6)
  const ids = async (args: unknown) => (await call('search_by_tags', args)).map(({ id }: Answered) => id)
  assert.deepEqual(await ids({ tags: ['#Concept', 'wiki'] }), [
    'concepts/retry-budget.md',
    'concepts/wick.md',
    'home.md',
  ])
  assert.deepEqual(await ids({ tags: ['concept', 'TOOL'], mode: 'all' }), ['concepts/wick.md'])
  assert.deepEqual(await ids({ tags: ['none'] }), [])
  assert.equal((await call('random_node', { tags: ['hub'] })).id, 'home.md')
  assert.equal(await call('random_node', { tags: ['none'] }), null)
})

test('search gives notes once each, scored, and none below the threshold', async (t) => {
  const { call } = await vault(t, files)
  const found = await call('search', { query: 'retry budget wick' })
  const ids = found.map(({ id }: Answered) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.includes('concepts/retry-budget.md') && !ids.includes('code.ts'))
  assert.ok(found.every(({ score }: Answered, i: number) => score <= (found[i - 1]?.score ?? 1)))
  assert.deepEqual(await call('search', { query: 'retry budget', threshold: 1 }), [])
  assert.deepEqual(await call('search', { query: 'xyzzy plugh' }), [])
})

test('search finds every note, copies too', async (t) => {
  const teams = Array.from({ length: 12 }, (_, i) => `team${i}/review.md`)
  const { call } = await vault(t, {
    ...Object.fromEntries(teams.map((path) => [path, '# Review\n\nThe mooring checklist was signed.\n'])),
    'other.md': '# Other\n\nA checklist of something else.\n',
  })
  for (const query of ['mooring checklist', '"mooring checklist"']) {
    const found = await call('search', { query, limit: 50 })
    const ids = found.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids.slice(0, 12).toSorted(), teams.toSorted(), query)
    assert.equal((await call('search', { query, limit: 5 })).length, 5)
  }
})

test('search finds the present text of files, and all matches', async (t) => {
  const texts = {
    'a.md': '# Yak\n\nyak yak\n',
    'b.md': '# Yak\n\nyak and more\n',
    'c.md': '# C\n\nA gnu, a yak.\n',
  }
  const { call, root } = await vault(t, texts)
  const found = async (limit: number) =>
    (await call('search', { query: 'yak', limit })).map(({ id }: Answered) => id)
  const [first, second] = await found(2)
  rmSync(join(root, first))
  assert.deepEqual(await found(1), [second])
  writeFileSync(join(root, second), '# Other\n\nNothing of the kind, but much else.\n')
  assert.deepEqual(await found(1), ['c.md'])
})

test('misses are values', async (t) => {
  const { call, refused } = await vault(t, files)
  assert.equal(await call('get_node', { id: 'never.md' }), null)
  assert.deepEqual(await call('get_neighbors', { id: 'b/roadmap.md' }), [])
  assert.deepEqual(await call('get_neighbors', { id: 'never.md' }), [])
  assert.deepEqual(await call('delete_node', { id: 'never.md' }), { deleted: false })
  assert.equal(await call('get_node', { id: 'code.ts' }), null)
  assert.equal((await refused('update_node', { id: 'hoem.md', title: 'x' })).code, 'NODE_NOT_FOUND')
  assert.equal((await refused('get_node', {})).code, 'INVALID_PARAMS')
  assert.equal((await refused('get_hubs', { limit: 51 })).code, 'INVALID_PARAMS')
})

test('an edit, a move and a deletion by hand are seen by the next call after indexing', async (t) => {
  const { call, root, index } = await vault(t, files)
  await call('get_hubs', {})
  renameSync(join(root, 'concepts/wick.md'), join(root, 'moved.md'))
  rmSync(join(root, 'loose.md'))
  mkdirSync(join(root, 'new'))
  writeFileSync(join(root, 'new/nowhere.md'), 'Here. [[Carrier]]')
  await index()
  const home = await call('get_node', { id: 'home.md', include_content: false })
  assert.deepEqual(
    home.links.map(({ id }: Answered) => id),
    ['concepts/retry-budget.md', 'moved.md', 'new/nowhere.md'],
  )
  assert.deepEqual(await call('get_neighbors', { id: 'a/roadmap.md' }), [])
  assert.equal((await call('get_neighbors', { id: 'moved.md', direction: 'in' })).length, 2)
})

test('notes that changed by hand are shown as they are now, however many', async (t) => {
  const names = Array.from({ length: 130 }, (_, i) => `n${String(i).padStart(3, '0')}.md`)
  const { call, root, library } = await vault(t, Object.fromEntries(names.map((name) => [name, '#x one'])))
  for (const name of names) writeFileSync(join(root, name), name < 'n120' ? '#x two, by hand' : 'two #y')
  rmSync(join(root, 'n000.md'))
  const shown = await call('search_by_tags', { tags: ['x'], limit: 100 })
  assert.deepEqual([...new Set(shown.map(({ content }: Answered) => content))], ['#x two, by hand'])
  const before = await library.store.version()
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(root, 'n001.md'), past, past)
  for (let i = 0; i < 3; i++) await call('get_node', { id: 'n001.md' })
  assert.equal(await library.store.version(), before)
})

test('a folder that is not there for a while keeps its notes', async (t) => {
  const { root } = await vault(t, { 'disk/a.md': '[[b]] #x', 'disk/b.md': 'B' })
  const disk = join(root, 'disk')
  const { call } = await vault(t, {}, { sources: [{ name: 'disk', path: disk, include: [], exclude: [] }] })
  renameSync(disk, `${disk}-away`)
  assert.equal((await call('search_by_tags', { tags: ['x'] })).length, 1)
  renameSync(`${disk}-away`, disk)
  assert.equal((await call('get_node', { id: 'a.md' })).links[0].id, 'b.md')
})

test('several vaults are distinguished by aliases, of which the first has none', async (t) => {
  const { root } = await vault(t, {
    'one/a.md': '[[b]]',
    'one/b.md': '#x',
    'one/zeta.md': '#x',
    'two/a.md': '[[b]]',
    'two/b.md': '#x',
  })
  const sources = ['one', 'two'].map((name) => ({ name, path: join(root, name), include: [], exclude: [] }))
  const { call } = await vault(t, {}, { sources })
  assert.equal((await call('get_node', { id: 'two:a.md' })).links[0].id, 'two:b.md')
  assert.equal((await call('get_node', { id: 'one:a.md' })).id, 'a.md')
  const tagged = async (limit: number) =>
    (await call('search_by_tags', { tags: ['x'], limit })).map(({ id }: Answered) => id)
  assert.deepEqual(await tagged(3), ['b.md', 'two:b.md', 'zeta.md'])
  assert.deepEqual(await tagged(2), ['b.md', 'two:b.md'])
  const made = await call('create_node', { title: 'New', content: 'x', directory: 'two:sub' })
  assert.equal(made.id, 'two:sub/new.md')
})

test('a note of a source inside another is renamed and deleted with the links of both', async (t) => {
  const { root } = await vault(t, {
    'all/root.md': '[[Alpha]] [x](notes/alpha.md)\n',
    'all/beta.md': '# Beta\n',
    'all/notes/alpha.md': '# Alpha\n',
    'all/notes/b.md': '[[Alpha]] and [[Beta]]\n',
    'all/notes/deep/beta.md': '# Beta\n',
  })
  const folder = (name: string, path: string) => ({ name, path: join(root, path), include: [], exclude: [] })
  const sources = [folder('all', 'all'), folder('notes', 'all/notes')]
  const { call } = await vault(t, {}, { sources })
  const wide = await call('delete_node', { id: 'notes/alpha.md', dry_run: true })
  assert.equal(wide.danglingCount, 3)
  assert.deepEqual(await call('delete_node', { id: 'notes:alpha.md', dry_run: true }), wide)
  const renamed = await call('update_node', { id: 'notes:alpha.md', title: 'Omega' })
  assert.deepEqual([renamed.id, renamed._warnings], ['notes:omega.md', undefined])
  const content = async (id: string) => (await call('get_node', { id })).content
  assert.equal(await content('root.md'), '[[omega]] [x](notes/omega.md)\n')
  assert.equal(await content('notes:b.md'), '[[omega]] and [[Beta]]\n')
  assert.deepEqual(
    (await call('get_node', { id: 'notes:b.md' })).links.map(({ id }: Answered) => id),
    ['notes:omega.md', 'notes:deep/beta.md'],
  )
  const apart = await call('update_node', { id: 'notes:deep/beta.md', title: 'Gamma' })
  assert.equal(apart.id, 'notes:deep/gamma.md')
  assert.match(apart._warnings[0], /meant it in notes alone no longer lead to it: see notes:b\.md\./)
  assert.equal((await call('delete_node', { id: 'notes:omega.md' })).deleted, true)
  assert.equal(await call('get_node', { id: 'notes/omega.md' }), null)
  assert.equal(await call('get_node', { id: 'notes:omega.md' }), null)
})

test('a note that is new in one of two sources is there in the other, as far as that takes it', async (t) => {
  const { root } = await vault(t, {
    'all/root.md': '[[Fresh]] [[Later]]\n',
    'all/notes/b.md': 'b',
    'away/c.md': 'c',
  })
  const folder = (name: string, path: string) => ({ name, path: join(root, path), include: [], exclude: [] })
  const sources = [
    folder('all', 'all'),
    folder('notes', 'all/notes'),
    { ...folder('few', ''), exclude: ['all/notes/**'] },
    folder('away', 'away'),
  ]
  const { call, library } = await vault(t, {}, { sources })
  const content = async (id: string) => (await call('get_node', { id }))?.content
  await call('create_node', { title: 'Fresh', content: 'x', directory: 'notes' })
  assert.equal(await content('notes:fresh.md'), 'x')
  for (const id of ['few:all/notes/fresh.md', 'away:fresh.md']) assert.equal(await content(id), undefined)
  await call('create_node', { title: 'Later', content: 'y', directory: 'notes:' })
  assert.equal(await content('notes/later.md'), 'y')
  assert.equal((await call('update_node', { id: 'notes:fresh.md', title: 'Old' })).id, 'notes:old.md')
  assert.equal(await content('root.md'), '[[old]] [[Later]]\n')
  // The one may have been read before the other.
  await library.store.forget([{ source: library.sources[0]!.id, path: 'notes/later.md' }])
  await call('update_node', { id: 'notes:later.md', title: 'Now' })
  assert.equal(await content('root.md'), '[[old]] [[now]]\n')
})

test('ranks of several vaults are those of all notes together', async (t) => {
  const { root } = await vault(t, {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`one/n${i}.md`, '[[hub]]'])),
    'one/hub.md': '[[n1]]',
    'two/a.md': 'x',
    'two/b.md': 'x',
    'three/c.md': '[[d]]',
    'three/d.md': 'x',
  })
  const folder = (name: string) => ({ name, path: join(root, name), include: [], exclude: [] })
  const { call } = await vault(t, {}, { sources: ['one', 'two', 'three'].map(folder) })
  const apart: Answered[] = await call('get_hubs', { metric: 'pagerank', limit: 50 })
  assert.equal(apart[0].id, 'hub.md')
  const together = await vault(t, {}, { sources: [folder('')] })
  const expected = await together.call('get_hubs', { metric: 'pagerank', limit: 50 })
  const score = (rows: Answered[], title: string) => rows.find((row) => row.title === title).score
  for (const { title } of apart)
    assert.ok(Math.abs(score(apart, title) - score(expected, title)) < 1e-6, title)
})

test('an id names one note, whatever colons and aliases stand in file names', {
  skip: process.platform === 'win32' ? 'no colons in file names here' : false,
}, async (t) => {
  const { root } = await vault(t, {
    'one/sec:s.md': '# Of one\n[[plain]] #x [[nowhere]]',
    'one/SEC:t.md': '#x',
    'one/main:plain.md': '#x',
    'one/other:plain.md': '#x',
    'one/plain.md': '#x [[sec:s]] [[main:plain]]',
    'two/s.md': '# Of two\n#x [[T]] [[nowhere]]',
    'two/sec:s.md': '#x [[s]]',
    'two/T.md': '#x',
  })
  const sources = [
    { name: 'main', path: join(root, 'one'), include: [], exclude: [] },
    { name: 'Sec', path: join(root, 'two'), include: [], exclude: [] },
  ]
  const { call, library } = await vault(t, {}, { sources })
  const ids = (await call('search_by_tags', { tags: ['x'] })).map(({ id }: Answered) => id)
  const expected = {
    'main:sec:s.md': 'one/sec:s.md',
    'main:SEC:t.md': 'one/SEC:t.md',
    'main:main:plain.md': 'one/main:plain.md',
    'other:plain.md': 'one/other:plain.md',
    'plain.md': 'one/plain.md',
    'Sec:s.md': 'two/s.md',
    'Sec:sec:s.md': 'two/sec:s.md',
    'Sec:T.md': 'two/T.md',
  }
  assert.deepEqual([...ids].sort(), Object.keys(expected).sort())
  const given = [
    ...(await call('get_hubs', { limit: 50 })),
    ...(await call('search', { query: 'x', limit: 50 })),
    ...(await call('get_node', { id: 'plain.md' })).links,
    ...(await call('get_neighbors', { id: 'Sec:s.md' })),
    ...JSON.parse(await exportGraph(library, 'json')).nodes,
    ...(await checkGraph(library)).broken,
  ].map(({ id }: Answered) => id)
  for (const id of given) assert.ok(ids.includes(id), id)
  for (const id of ids)
    for (const written of [id, id.toUpperCase(), id.toLowerCase(), id.replace(/\.md$/, '')])
      assert.equal((await call('get_node', { id: written }))?.id, id, written)
  assert.deepEqual(await call('find_path', { source: 'main:sec:s.md', target: 'MAIN:main:plain.md' }), {
    path: ['main:sec:s.md', 'plain.md', 'main:main:plain.md'],
    length: 2,
  })
  const sane = await call('get_node', { id: 'main:sec:s' })
  assert.equal(sane.title, 'Of one')
  for (const id of ids) {
    assert.deepEqual((await call('delete_node', { id, dry_run: true })).deleted, false)
    assert.equal((await call('delete_node', { id })).deleted, true)
    const file = join(root, expected[id as keyof typeof expected])
    assert.equal(existsSync(file), false, `${id} is gone`)
    assert.equal((await call('delete_node', { id })).deleted, false, `${id} names nothing else now`)
  }
})

test('an alias before a folder is read in any case', async (t) => {
  const { root } = await vault(t, { 'one/a.md': 'x', 'two/a.md': 'x' })
  const sources = ['one', 'two'].map((name) => ({ name, path: join(root, name), include: [], exclude: [] }))
  const { call, refused } = await vault(t, {}, { sources })
  assert.equal(
    (await call('create_node', { title: 'New', content: 'x', directory: 'TWO:sub' })).id,
    'two:sub/new.md',
  )
  assert.equal(
    (await refused('create_node', { title: 'A', content: 'x', directory: 'Two:' })).code,
    'NODE_EXISTS',
  )
  const renamed = await call('update_node', { id: 'TWO:A', title: 'B', dry_run: true })
  assert.deepEqual(renamed.rename, { from: 'two:a.md', to: 'two:b.md' })
})

test('an alias of no vault is refused before a folder is made of it', async (t) => {
  const { root } = await vault(t, { 'one/a.md': 'x', 'one/re: all/a.md': 'x', 'two/a.md': 'x' })
  const sources = ['one', 'two'].map((name) => ({ name, path: join(root, name), include: [], exclude: [] }))
  const { call, refused } = await vault(t, {}, { sources })
  const create = { title: 'New', content: 'x' }
  for (const directory of ['tow:sub', 'tow:', 'tow:sub/deep']) {
    const { code, message } = await refused('create_node', { ...create, directory })
    assert.equal(code, 'INVALID_PARAMS')
    assert.match(message, /^There is no vault "tow"\. There are: one, two\. .*"one:tow:/)
  }
  assert.deepEqual(readdirSync(join(root, 'one')).sort(), ['a.md', 're: all'])
  for (const [directory, id] of [
    ['re: all', 're: all/new.md'],
    ['one:tow:sub', 'tow:sub/new.md'],
    ['tow:sub/deep', 'tow:sub/deep/new.md'],
  ])
    assert.equal((await call('create_node', { ...create, directory })).id, id)
})

test('a new note goes where the path of its folder below the root leads, unless the first vault has such a folder', async (t) => {
  const files = { 'one/a.md': 'x', 'one/two/a.md': 'x', 'two/a.md': 'x', 'three/deep/a.md': 'x' }
  const { root } = await vault(t, files)
  const sources = ['one', 'two', 'three/deep'].map((path) => {
    return { name: path.replace('three/', ''), path: join(root, path), include: [], exclude: [] }
  })
  const { call } = await vault(t, {}, { root, sources })
  for (const [directory, id] of [
    ['one', 'new.md'],
    ['./one/sub/', 'sub/new.md'],
    ['two/sub', 'two/sub/new.md'],
    ['three/deep', 'deep:new.md'],
    ['three/deep/sub', 'deep:sub/new.md'],
    ['three', 'three/new.md'],
    ['one:one', 'one/new.md'],
  ])
    assert.equal((await call('create_node', { title: 'New', content: 'x', directory })).id, id, directory)
})

test('every tool finds a name however its accents are written, and no folder is made twice', async (t) => {
  const [apart, whole] = ['NFD', 'NFC'].map((form) => 'Übergabe/Protokoll über.md'.normalize(form)) as [
    string,
    string,
  ]
  const { root, call, library } = await vault(t, {
    [apart]: '# P\n\n## Teil\n\nlantern\n',
    'a.md': 'lantern',
  })
  const at = { collection: library.sources[0]!.name, document: whole }
  for (const [tool, args] of [
    ['documents_get_document', at],
    ['documents_get_outline', at],
    ['documents_get_section', { ...at, section: 'Teil' }],
  ] as const)
    assert.equal((await call(tool, args)).document, apart, tool)
  assert.equal((await call('documents_find_related', at)).source.document, apart)
  const hits = await call('documents_search', { query: 'lantern', document: whole })
  assert.deepEqual([...new Set(hits.map(({ documentId }: Answered) => documentId))], [apart])
  assert.equal((await call('read_file', { path: whole })).file.path, apart)
  const grepped = { pattern: 'lantern', filePattern: 'Übergabe/**'.normalize('NFC') }
  assert.equal((await call('grep_codebase', grepped)).matches[0]?.file, apart)
  const found = await search(library, {
    query: 'lantern',
    under: ['Übergabe'.normalize('NFC')],
    mode: 'text',
  })
  assert.deepEqual([...new Set(found.hits.map(({ document }) => document))], [apart])
  const made = { title: 'Neu', content: 'x', directory: 'Übergabe/tief'.normalize('NFC') }
  assert.equal((await call('create_node', made)).id, `${'Übergabe'.normalize('NFD')}/tief/neu.md`)
  assert.equal(readdirSync(root).filter((name) => name.endsWith('bergabe')).length, 1)
})

test('an id with its ending names no note with two', async (t) => {
  const { call, read } = await vault(t, { 'a.md': 'x', 'a.md.md': 'y' })
  assert.deepEqual(await call('delete_node', { id: 'a.md' }), { deleted: true })
  assert.deepEqual(await call('delete_node', { id: 'A.md' }), { deleted: false })
  assert.equal(read('a.md.md'), 'y')
  assert.equal((await call('get_node', { id: 'A.md.md' })).content, 'y')
})

test('a note that is gone leaves its id to no other', {
  skip: process.platform === 'linux' ? false : 'names that differ by case are one file here',
}, async (t) => {
  const files = { 'notes/Idea.md': '# Big\n', 'notes/idea.md': '# Small\n', 'x.md': 'x', 'x.mdx': 'of x' }
  const { call, refused, read } = await vault(t, files)
  for (const id of ['notes/Idea.md', 'notes/idea.md']) await call('get_node', { id })
  assert.deepEqual(await call('delete_node', { id: 'notes/Idea.md' }), { deleted: true })
  assert.deepEqual(await call('delete_node', { id: 'notes/Idea.md' }), {
    deleted: false,
    note: 'There is no note "notes/Idea.md". Did you mean "notes/idea.md"?',
  })
  const replaced = await refused('update_node', { id: './notes/Idea.md', content: 'new' })
  assert.equal(replaced.code, 'NODE_NOT_FOUND')
  assert.match(replaced.message, /Did you mean "notes\/idea\.md"\?/)
  assert.equal(read('notes/idea.md'), files['notes/idea.md'])
  for (const [tool, args] of [
    ['delete_node', { id: 'X' }],
    ['update_node', { id: 'x', content: 'new' }],
  ] as const) {
    const { code, message } = await refused(tool, args)
    assert.equal(code, 'INVALID_PARAMS')
    assert.match(message, /"x" may be x\.md or x\.mdx\. /i)
  }
  assert.deepEqual([read('x.md'), read('x.mdx')], ['x', 'of x'])
  assert.equal((await call('update_node', { id: 'notes/IDEA.md', tags: ['t'] })).id, 'notes/idea.md')
  assert.deepEqual(await call('delete_node', { id: 'notes/IDEA' }), { deleted: true })
})
