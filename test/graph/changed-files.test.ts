// Notes whose files changed, or came, a moment ago: nothing has indexed them since.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Answered, vault } from './vault.js'

const ids = (nodes: Answered) => nodes.map(({ id }: Answered) => id)

test('neighbours are those of the note as it is now', async (t) => {
  const { call, root } = await vault(t, { 'a.md': '[[far]]', 'far.md': '', 'near.md': '' })
  const around = async (direction: string) => ids(await call('get_neighbors', { id: 'a.md', direction }))
  assert.deepEqual(await around('out'), ['far.md'])
  writeFileSync(join(root, 'a.md'), 'No link.')
  assert.deepEqual(await around('out'), [])
  writeFileSync(join(root, 'a.md'), 'Now [[near]].')
  assert.deepEqual(await around('both'), ['near.md'])
  rmSync(join(root, 'a.md'))
  assert.deepEqual(await around('out'), [])
})

test('a path follows the present links of its notes', async (t) => {
  const { call, root } = await vault(t, {
    'a.md': '[[b]]',
    'b.md': '[[d]]',
    'c.md': 'no link yet',
    'd.md': '[[e]]',
    'e.md': '',
  })
  const way = async (source: string, target: string, direction = 'out') =>
    (await call('find_path', { source, target, direction }))?.path ?? null
  assert.deepEqual(await way('a.md', 'd.md'), ['a.md', 'b.md', 'd.md'])
  writeFileSync(join(root, 'b.md'), 'in between, the link is gone')
  assert.equal(await way('a.md', 'd.md'), null)
  writeFileSync(join(root, 'a.md'), '[[c]] and [[d]]')
  assert.deepEqual(await way('a.md', 'd.md'), ['a.md', 'd.md'])
  writeFileSync(join(root, 'c.md'), '[[b]]')
  assert.deepEqual(await way('c.md', 'b.md'), ['c.md', 'b.md'])
  writeFileSync(join(root, 'e.md'), '[[c]]')
  assert.deepEqual(await way('a.md', 'e.md', 'any'), ['a.md', 'c.md', 'e.md'])
  rmSync(join(root, 'd.md'))
  assert.equal(await way('a.md', 'd.md'), null)
})

test('hubs are shown with the title and the links that they have now', async (t) => {
  const { call, root } = await vault(t, {
    'a.md': '# Old\n\n[[b]] [[c]]',
    'b.md': '[[a]]',
    'c.md': '[[a]]',
  })
  const hubs = (metric: string) => call('get_hubs', { metric, limit: 1 })
  assert.deepEqual(await hubs('in_degree'), [{ id: 'a.md', title: 'Old', score: 2 }])
  writeFileSync(join(root, 'a.md'), '# New\n\nNo link.')
  assert.deepEqual(await hubs('in_degree'), [{ id: 'a.md', title: 'New', score: 2 }])
  writeFileSync(join(root, 'b.md'), '[[a]] [[c]]')
  assert.deepEqual(await hubs('out_degree'), [{ id: 'b.md', title: 'B', score: 2 }])
  rmSync(join(root, 'b.md'))
  assert.deepEqual(await hubs('out_degree'), [{ id: 'c.md', title: 'C', score: 1 }])
})

test('tags and titles of a note that nothing has indexed yet can be changed', async (t) => {
  const { call, refused, read, root } = await vault(t, { 'a.md': '' })
  for (const name of ['b.md', 'c.md', 'd.md', 'e.md']) writeFileSync(join(root, name), 'By hand.\n')
  assert.deepEqual((await call('update_node', { id: 'b.md', tags: ['t'] })).tags, ['t'])
  assert.match(read('b.md')!, /By hand\./)
  const unseen = { id: 'd.md', content: 'x', tags: ['t'] }
  assert.equal((await refused('update_node', unseen)).code, 'VERSION_CONFLICT')
  assert.equal((await refused('delete_node', { id: 'e.md' })).code, 'VERSION_CONFLICT')
  assert.deepEqual([read('d.md'), read('e.md')], ['By hand.\n', 'By hand.\n'])
  assert.equal((await call('update_node', { id: 'c', title: 'Renamed' })).id, 'renamed.md')
  assert.equal(read('renamed.md'), 'By hand.\n')
})

test('a note that nothing has indexed yet is read by its id', async (t) => {
  const { call, noted, root } = await vault(t, { 'a.md': '', '.gitignore': 'hidden.md\n' })
  const name = (i: number) => `new${i}.md`
  for (const i of [1, 2, 3]) writeFileSync(join(root, name(i)), `By hand: [[a]] [[new${i + 1}]]`)
  assert.equal((await call('get_node', { id: 'new1' })).content, 'By hand: [[a]] [[new2]]')
  assert.deepEqual(ids(await call('get_neighbors', { id: name(2) })), ['a.md', name(1)])
  assert.equal((await call('find_path', { source: name(1), target: name(3) })).length, 2)
  for (const [path, text] of [
    ['hidden.md', 'kept out by a rule'],
    ['binary.md', 'a\0b'],
  ] as const) {
    writeFileSync(join(root, path), text)
    const { value, note } = await noted('get_node', { id: path })
    assert.equal(value, null)
    assert.match(note!, /There is no note/)
  }
})
