// Notes by their titles, what a search found and where, tags with their counts, and what a rename tells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, vault } from './vault.js'

const files = {
  'concepts/retry-budget.md':
    '---\ntitle: Retry budget\nstatus: draft\nowner: { name: Ada }\ntags: [concept, api/http]\n---\n\nSee [[outbox]].\n',
  'concepts/outbox.md': '# Outbox\n\nSee [[home]]. #concept\n',
  'home.md': '# Home\n\nSee [[Retry budget]] and [[outbox]]. #Api\n',
  'a/same.md': '# Same words\n',
  'b/other.md': '# Same words\n',
}

test('a note is read by its title, whatever its case, and by no title that several have', async (t) => {
  const { call, noted } = await vault(t, files)
  for (const id of ['Retry budget', 'RETRY BUDGET', 'retry budget'])
    assert.equal((await call('get_node', { id })).id, 'concepts/retry-budget.md', id)
  const around = await call('get_node', { id: 'Outbox', depth: 1 })
  assert.deepEqual([around.id, around.incomingCount, around.outgoingCount], ['concepts/outbox.md', 2, 1])
  const neighbours = await call('get_neighbors', { id: 'Retry budget', direction: 'out' })
  assert.deepEqual(
    neighbours.map(({ id }: Answered) => id),
    ['concepts/outbox.md'],
  )
  const { path } = await call('find_path', { source: 'Retry budget', target: 'Home' })
  assert.deepEqual(path, ['concepts/retry-budget.md', 'concepts/outbox.md', 'home.md'])
  const several = await noted('get_node', { id: 'Same words' })
  assert.equal(several.value, null)
  assert.match(JSON.stringify(several), /Several notes are called that: .*a\/same\.md.*b\/other\.md/)
})

test('a name that ends like a file is an id, and no title', async (t) => {
  const { call } = await vault(t, { 'x.md': '# gone.md\n' })
  assert.equal(await call('get_node', { id: 'gone.md' }), null)
})

test('a title that no note has is answered with the closest', async (t) => {
  const { noted } = await vault(t, files)
  const answer = await noted('get_node', { id: 'Retry budgte' })
  assert.equal(answer.value, null)
  assert.match(JSON.stringify(answer), /Did you mean \\*"concepts\/retry-budget\.md/)
})

test('update_node takes a title for tags and a rename, and delete_node takes ids alone', async (t) => {
  const { call, refused, read, noted } = await vault(t, files)
  assert.deepEqual((await call('update_node', { id: 'Outbox', tags: ['x'] })).tags, ['x', 'concept'])
  const { code, message } = await refused('update_node', { id: 'Retry budget', content: 'All new.\n' })
  assert.deepEqual([code, message.includes('concepts/retry-budget.md')], ['NODE_NOT_FOUND', true])
  const answer = await noted('delete_node', { id: 'Retry budget' })
  assert.equal((answer.value as Answered).deleted, false)
  assert.match(JSON.stringify(answer), /Did you mean \\*"concepts\/retry-budget\.md/)
  assert.ok(read('concepts/retry-budget.md'))
})

test('get_node shows the fields of the frontmatter', async (t) => {
  const { call } = await vault(t, {
    ...files,
    'long.md': `---\nfirst: 1\nlist: [${'x, '.repeat(5_000)}]\n---\n`,
  })
  const { frontmatter, tags, title } = await call('get_node', { id: 'concepts/retry-budget.md' })
  assert.deepEqual(frontmatter, { status: 'draft', owner: { name: 'Ada' } })
  assert.deepEqual([title, tags], ['Retry budget', ['concept', 'api/http']])
  assert.equal('frontmatter' in (await call('get_node', { id: 'home.md' })), false)
  assert.deepEqual((await call('get_node', { id: 'long.md' })).frontmatter, { first: 1 })
})

test('search shows the passage that matched, with its lines', async (t) => {
  const filler = Array.from({ length: 60 }, (_, i) => `Line ${i} is about something else entirely.`)
  const text = [
    '# Log',
    '',
    ...filler,
    '',
    '## Moorings',
    '',
    'The walrus ties its boat to the pier.',
    '',
  ].join('\n')
  const { call } = await vault(t, { 'log.md': text, 'x.md': '# X\n' })
  const [found] = await call('search', { query: 'walrus boat pier', limit: 1 })
  assert.equal(found.id, 'log.md')
  assert.doesNotMatch(found.content, /walrus/)
  assert.match(found.passage.text, /walrus/)
  assert.ok(found.passage.text.length <= 500)
  const [first, last] = found.passage.lines
  assert.match(
    text
      .split('\n')
      .slice(first - 1, last)
      .join('\n'),
    /walrus/,
  )
  assert.deepEqual(found.passage.headings, ['Log', 'Moorings'])
  const [bare] = await call('search', { query: 'walrus boat pier', limit: 1, include_content: false })
  assert.deepEqual(bare.passage, { lines: found.passage.lines, headings: ['Log', 'Moorings'] })
})

test('tags are listed with their counts, all of them or those that contain a text', async (t) => {
  const { call, noted } = await vault(t, files)
  assert.deepEqual(await call('search_by_tags', { tags: ['*'], list: true }), [
    { tag: 'api', count: 2 },
    { tag: 'concept', count: 2 },
    { tag: 'api/http', count: 1 },
  ])
  assert.deepEqual(await call('search_by_tags', { tags: ['HTTP'], list: true }), [
    { tag: 'api/http', count: 1 },
  ])
  assert.equal((await call('search_by_tags', { tags: ['*'], list: true, limit: 1 })).length, 1)
  const miss = await noted('search_by_tags', { tags: ['conecpt'] })
  assert.deepEqual(miss.value, [])
  assert.match(JSON.stringify(miss), /No note has the tag \\*"conecpt\\*"\. Did you mean \\*"concept\\*"\?/)
})

test('a rename returns the notes that it rewrote', async (t) => {
  const { call } = await vault(t, files)
  const renamed = await call('update_node', { id: 'concepts/outbox.md', title: 'Sent items' })
  assert.deepEqual(renamed.rewritten, ['concepts/retry-budget.md', 'home.md'])
  assert.equal(renamed.rewrittenCount, 2)
  assert.equal('rewritten' in (await call('update_node', { id: 'a/same.md', tags: ['x'] })), false)
})

test('a rename changes the title in the frontmatter and the heading that says it together', async (t) => {
  const { call, read } = await vault(t, {
    'both.md': '---\ntitle: Old name\n---\n\n# Old name\n\nText.\n',
    'apart.md': '---\ntitle: Old title\n---\n\n# Another heading\n',
  })
  await call('update_node', { id: 'both.md', title: 'New name' })
  assert.equal(read('new-name.md'), '---\ntitle: New name\n---\n\n# New name\n\nText.\n')
  await call('update_node', { id: 'apart.md', title: 'New title' })
  assert.equal(read('new-title.md'), '---\ntitle: New title\n---\n\n# Another heading\n')
})

test('a rank has four digits', async (t) => {
  const { call } = await vault(t, files)
  const hubs = await call('get_hubs', { metric: 'pagerank' })
  for (const { score } of hubs) assert.equal(score, Number(score.toPrecision(4)))
})
