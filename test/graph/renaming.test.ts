import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { updateNode } from '../../src/toolsets/graph/writing.js'
import { longestStep } from '../support/longest-step.js'
import { type Answered, vault } from './vault.js'

const linked = {
  'notes/retry-budget.md':
    '---\naliases: [Patience]\n---\n# Retry budget\n\nMyself: [[retry-budget]] and [[#Why]].\n\n## Why\n',
  'notes/a.md':
    '[[Retry budget]] [[retry-budget|label]] [[RETRY-BUDGET#Why]] [[retry budget^b]] ![[notes/retry-budget#Why|x]] [[Patience]]\n' +
    '[around [[Retry budget]] one](retry-budget.md#Why) and [around [[Patience]] one](retry-budget.md "a title")\n' +
    '[one](retry-budget.md) [two](./retry-budget.md#why "Title") [three](<retry-budget.md>) [four][ref]\n\n[ref]: retry-budget.md\n' +
    '\n`[[retry-budget]]` stays, as does ![[picture.png]]\n\n| a | b |\n|---|---|\n| [[retry-budget\\|cell]] | x |\n',
  'other/b.md':
    '---\nup: "[[retry-budget]]"\nlist:\n  - "[x](../notes/retry-budget.md)"\n---\n\ufeff[[/notes/retry-budget.md]] [[../notes/retry-budget]]\r\n',
  'other/error-budget.md': '# Something else\n',
  'c.md': '[[error-budget]] stays with the other one.\n',
}

test('a new title renames the file and rewrites every form of link, and nothing else', async (t) => {
  const { call, read, index } = await vault(t, linked)
  const args = { id: 'notes/retry-budget.md', title: 'Error budget' }
  const plan = await call('update_node', { ...args, dry_run: true })
  assert.deepEqual(plan.rename, { from: 'notes/retry-budget.md', to: 'notes/error-budget.md' })
  assert.equal(read('notes/a.md'), linked['notes/a.md'])
  const before = await edges(call)
  const node = await call('update_node', args)
  assert.deepEqual([node.id, node.title], ['notes/error-budget.md', 'Error budget'])
  assert.equal(read('notes/retry-budget.md'), null)
  assert.equal(
    read('notes/a.md'),
    '[[Error budget]] [[notes/error-budget|label]] [[notes/error-budget#Why]] [[Error budget^b]] ![[notes/error-budget#Why|x]] [[Patience]]\n' +
      '[around [[Error budget]] one](error-budget.md#Why) and [around [[Patience]] one](error-budget.md "a title")\n' +
      '[one](error-budget.md) [two](./error-budget.md#why "Title") [three](<error-budget.md>) [four][ref]\n\n[ref]: error-budget.md\n' +
      '\n`[[retry-budget]]` stays, as does ![[picture.png]]\n\n| a | b |\n|---|---|\n| [[notes/error-budget\\|cell]] | x |\n',
  )
  assert.equal(
    read('other/b.md'),
    '---\nup: "[[notes/error-budget]]"\nlist:\n  - "[x](../notes/error-budget.md)"\n---\n\ufeff[[/notes/error-budget.md]] [[../notes/error-budget]]\r\n',
  )
  assert.match(
    read('notes/error-budget.md')!,
    /# Error budget\n\nMyself: \[\[[^\]]*error-budget\]\] and \[\[#Why\]\]/,
  )
  const renamed = (path: string) => path.replace('notes/retry-budget.md', 'notes/error-budget.md')
  const expected = before.map(([from, to]) => [renamed(from), renamed(to)])
  assert.deepEqual(await edges(call), expected.sort())
  await index()
  assert.deepEqual(await edges(call), expected.sort())
})

async function edges(call: (tool: string, args: unknown) => Promise<Answered>): Promise<[string, string][]> {
  const hubs = await call('get_hubs', { limit: 50 })
  const nodes = await Promise.all(hubs.map(({ id }: Answered) => call('get_node', { id })))
  return nodes.flatMap(({ id, links }) => links.map((link: Answered) => [id, link.id])).sort()
}

test('the heading of a title stays when a link leads to it, however that is written', async (t) => {
  const links = {
    wiki: '[[wiki#Old: Title]]',
    encoded: '[x](encoded.md#Old:%20Title)',
    slug: '[x](slug.md#old-title)',
    below: '[[below#Old: Title#Section]]',
    'own-wiki': 'own [[#Old: Title|label]]',
    'own-slug': 'own [t](#old-title)',
    other: '[[other#Section]] [x](other.md#old) [[other]]',
  }
  const files = Object.entries(links).flatMap(([name, link]) => {
    const own = link.startsWith('own') ? link : ''
    const note = `# Old: Title\n\n## Section\n\n${own}\n`
    return [
      [`${name}.md`, note],
      [`from-${name}.md`, own ? 'None.' : link],
    ]
  })
  const { call, read } = await vault(t, Object.fromEntries(files))
  for (const name of Object.keys(links)) {
    const { id, title } = await call('update_node', { id: `${name}.md`, title: `New ${name}` })
    assert.equal(title, `New ${name}`)
    assert.equal(read(id)!.includes('\n# Old: Title\n'), name !== 'other', name)
  }
})

test('a heading that links lead to keeps its meaning when a link in it is rewritten', async (t) => {
  const { call, read } = await vault(t, {
    'one.md': '# One\n',
    'titled.md': '# About [[one]]\n\n[[one]] and | [[one]] |\n\nMore [[one]]\n---\n',
    'placed.md':
      '# Placed\n\n## Why [[one]] is\n\n## How [[one#x]] is\n\n## When [[one|it]] is\n\n[h](#how-onex-is)\n',
    'free-one.md': '# Free [[one]]\n\n## Part [[one]]\n',
    'from.md':
      '[[About one]] [[placed#Why one is]] [x](placed.md#when-it-is) [[free one]] [f](free-one.md)\n',
  })
  await call('update_node', { id: 'one.md', title: 'Uno' })
  assert.equal(read('titled.md'), '# About [[uno|one]]\n\n[[uno]] and | [[uno]] |\n\nMore [[uno]]\n---\n')
  assert.equal(
    read('placed.md'),
    '# Placed\n\n## Why [[uno|one]] is\n\n## How [[uno#x|one#x]] is\n\n## When [[uno|it]] is\n\n[h](#how-onex-is)\n',
  )
  assert.equal(read('free-one.md'), '# Free [[uno]]\n\n## Part [[uno]]\n')
  const { links, _warnings } = await call('get_node', { id: 'from.md' })
  assert.deepEqual(
    links.map(({ id }: Answered) => id),
    ['titled.md', 'placed.md', 'free-one.md'],
  )
  assert.equal(_warnings, undefined)
})

test('a rename that meets edits under both names keeps both files, and says so', async (t) => {
  const { root, call, refused, read } = await vault(t, { 'old.md': '# Old\n', 'l.md': '[[Old]]\n' })
  let over = false
  const renamed = refused('update_node', { id: 'old.md', title: 'New' }).finally(() => {
    over = true
  })
  while (!over && !existsSync(join(root, 'new.md'))) await nextTurn()
  for (const path of ['old.md', 'new.md']) appendFileSync(join(root, path), `Into ${path}.\n`)
  const { code, message } = await renamed
  assert.equal(code, 'VERSION_CONFLICT')
  assert.match(
    message,
    /^The rename of old.md to new.md was interrupted, .* Both are kept, .* Remove the one/,
  )
  assert.deepEqual(['old.md', 'new.md', 'l.md'].map(read), [
    '# Old\nInto old.md.\n',
    '# New\nInto new.md.\n',
    '[[Old]]\n',
  ])
  assert.match((await call('get_node', { id: 'new.md' })).content, /Into new.md/)
})

test('a rename onto another note is refused, and one that only changes the case keeps the file', async (t) => {
  const { call, refused, read } = await vault(t, {
    'Foo.md': '# Foo\n',
    'bar.md': '[[Foo]]',
    'x/dup.md': '# One',
    'y/dup.md': '# One',
  })
  assert.equal((await refused('update_node', { id: 'Foo.md', title: 'Bar' })).code, 'NODE_EXISTS')
  const node = await call('update_node', { id: 'Foo.md', title: 'FOO' })
  assert.deepEqual([node.id, node.title, read('Foo.md')], ['Foo.md', 'FOO', '# FOO\n'])
  assert.equal((await call('update_node', { id: 'x/dup.md', title: 'Two' })).id, 'x/two.md')
})

test('a rename sees links that were written since the last indexing', async (t) => {
  const { call, read, root } = await vault(t, { 'a.md': '# A', 'b.md': '' })
  writeFileSync(join(root, 'b.md'), 'by hand [[a]]')
  writeFileSync(join(root, 'c.md'), 'new by hand [a](a.md)')
  await call('update_node', { id: 'a.md', title: 'Z' })
  assert.deepEqual([read('b.md'), read('c.md')], ['by hand [[z]]', 'new by hand [a](z.md)'])
})

test('a read-only file with a link stops a rename before anything changed', async (t) => {
  const { refused, read, root, settings } = await vault(t, {
    'a.md': '# A',
    'b.md': '[[a]]',
    'c.md': '[[a]]',
  })
  chmodSync(join(root, 'c.md'), 0o444)
  assert.equal((await refused('update_node', { id: 'a.md', title: 'Z' })).code, 'PROVIDER_ERROR')
  assert.deepEqual([read('a.md'), read('b.md')], ['# A', '[[a]]'])
  assert.ok(
    !existsSync(join(settings.data, 'renames')) || readdirSync(join(settings.data, 'renames')).length === 0,
  )
})

test('a rename that would make a file with links too large for the index is refused before anything changed', async (t) => {
  const big = `# Big\n[[A]] [[A]]\n\n${'word '.repeat(600)}`
  const files = { 'a.md': '# A\n', 'b.md': '[[A]]\n', 'deep/big.md': big }
  const limits = {
    fileBytes: big.length + 20,
    documentBytes: 50_000_000,
    workers: 1,
    fileMs: 20_000,
    crawlPauseMs: 0,
  }
  const { call, refused, read } = await vault(t, files, { limits })
  for (const dry_run of [true, false]) {
    const args = { id: 'a.md', title: 'A much longer name', dry_run }
    const { code, message } = await refused('update_node', args)
    assert.equal(code, 'INVALID_PARAMS')
    assert.match(message, /^deep\/big\.md, its links rewritten, would have \d+ bytes/)
  }
  for (const [path, text] of Object.entries(files)) assert.equal(read(path), text)
  assert.equal((await call('update_node', { id: 'a.md', title: 'Longer' })).id, 'longer.md')
  assert.deepEqual((await call('get_node', { id: 'deep/big.md' })).links[0].id, 'longer.md')
})

test('a rename that is stopped before it is committed changes nothing, and one that is committed is done', async (t) => {
  const { library, read, root, settings } = await vault(t, { 'a.md': '# A\n', 'b.md': '[[A]]\n' })
  const stopped = new AbortController()
  const commit = () => stopped.signal.throwIfAborted()
  stopped.abort(new Error('stopped'))
  for (const stopping of [{ signal: stopped.signal }, { commit }])
    await assert.rejects(updateNode(library, { id: 'a.md', title: 'Z' }, stopping), /stopped|abort/)
  assert.deepEqual([read('a.md'), read('b.md')], ['# A\n', '[[A]]\n'])
  assert.deepEqual(readdirSync(root).sort(), ['.carrel', 'a.md', 'b.md'])
  const late = new AbortController()
  const stopping = { signal: late.signal, commit: () => late.abort() }
  const done = await updateNode(library, { id: 'a.md', title: 'Z' }, stopping)
  assert.deepEqual(['node' in done && done.node.id, read('b.md')], ['z.md', '[[z]]\n'])
  assert.ok(
    !existsSync(join(settings.data, 'renames')) || readdirSync(join(settings.data, 'renames')).length === 0,
  )
})

test('a rename gives way to others while it rewrites tens of thousands of links', async (t) => {
  const { call, read } = await vault(t, { 'a.md': '# A\n', 'big.md': `# Big\n${'[[A]] '.repeat(40_000)}` })
  const share = await longestStep(() => call('update_node', { id: 'a.md', title: 'Better' }))
  assert.ok(share < 0.4, `${share} of the whole`)
  assert.ok(read('big.md') === `# Big\n${'[[better]] '.repeat(40_000)}`)
})
