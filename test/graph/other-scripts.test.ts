import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, vault } from './vault.js'

const apart = (text: string) => text.normalize('NFD')

test('a tag and a module are the same whichever way their accents are written', async (t) => {
  const { call } = await vault(t, {
    'a.md': '# A\n\n#Übung/Größe',
    'b.md': apart('# B\n\n#Übung/Größe'),
    'c.md': apart('---\ntags: [Übung]\n---\n# C\n\nStill #Übung'),
    [apart('src/größe/lampe.ts')]: 'export const lampe = 1\n',
  })
  const tagged = async (tag: string) =>
    (await call('search_by_tags', { tags: [tag] })).map(({ id }: Answered) => id)
  for (const form of ['übung', apart('ÜBUNG')])
    assert.deepEqual(await tagged(form), ['a.md', 'b.md', 'c.md'], form)
  assert.deepEqual(await tagged('übung/größe'), ['a.md', 'b.md'])
  const both = ['Übung', apart('Übung')]
  const { tags } = await call('create_node', { title: 'D', content: '', tags: both })
  assert.equal(tags.length, 1)
  const { results } = await call('context_search', { query: 'lampe', module: 'größe' })
  assert.deepEqual(
    results.map(({ module }: Answered) => module.normalize('NFC')),
    ['größe'],
  )
})

test('case makes no difference where a small letter depends on its place or a capital has a dot', async (t) => {
  const { call, read } = await vault(t, {
    'Οδός.md': '# Οδός\n\n#Οδός',
    'İzmir.md': '# İzmir\n\n#İzmir [[ΟΔΌΣ]]',
    'a.md': '[[izmir]] [the street](ΟΔΌΣ.md)',
  })
  const idOf = async (id: string) => (await call('get_node', { id }))?.id
  assert.equal(await idOf('ΟΔΌΣ.md'), 'Οδός.md')
  assert.equal(await idOf('izmir.md'), 'İzmir.md')
  assert.equal(await idOf('İZMİR.MD'), 'İzmir.md')
  const linked = await call('get_neighbors', { id: 'a.md', direction: 'out' })
  assert.deepEqual(linked.map(({ id }: Answered) => id).sort(), ['İzmir.md', 'Οδός.md'].sort())
  assert.equal((await call('search_by_tags', { tags: ['izmir'] })).length, 1)
  assert.equal((await call('create_node', { title: 'İstanbul', content: 'x' })).id, 'istanbul.md')
  assert.ok(read('istanbul.md'))
})

test('a tag goes on past the joiner that Persian parts words with', async (t) => {
  const { call } = await vault(t, { 'a.md': '# A\n\n#می\u200cخواهم و #کتاب\u200cها.' })
  assert.deepEqual((await call('get_node', { id: 'a.md' })).tags, ['می\u200cخواهم', 'کتاب\u200cها'])
})

test('invisible characters are in no file name', async (t) => {
  const { call, refused } = await vault(t, {})
  const { id } = await call('create_node', { title: 'Zero\u200bwidth\u200f no\u00adte', content: 'x' })
  assert.equal(id, 'zerowidth-note.md')
  assert.equal((await refused('create_node', { title: '\u200b\u2060', content: 'x' })).code, 'INVALID_PARAMS')
  assert.equal(
    (await call('create_node', { title: 'می\u200cخواهم 👩‍💻', content: 'x' })).id,
    'می\u200cخواهم-👩‍💻.md',
  )
})
