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
