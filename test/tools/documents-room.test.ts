import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Related, type Row, small } from './documents-world.js'

/** What clients take of one answer without putting it aside. */
const mostCharacters = 50_000
const cutEnd = /\n\[cut from lines \d+-\d+: documents_get_(section|document) has .+\]$/

const animals = [
  'serval',
  'okapi',
  'tapir',
  'lemur',
  'quokka',
  'numbat',
  'dugong',
  'pangolin',
  'axolotl',
  'kakapo',
]
const files = Object.fromEntries(
  Array.from({ length: 120 }, (_, i) => {
    const texts = animals.map(
      (name) => `The ${name} of house ${i} sleeps in box ${i * 7} and eats at ${i % 24}.`,
    )
    return [`house-${i}.md`, `# House ${i}\n\n${texts.join('\n')}\n`]
  }),
)

describe('an answer that would be too long', () => {
  test('of a search has every passage, the best in full and the others around the words of the question', async (t) => {
    const { ask } = await small(t, files, { embedding: false })
    const rows = await ask<Row[]>('documents_search', { query: 'tapir house', limit: 100 })
    assert.equal(rows.length, 100)
    assert.ok(JSON.stringify(rows).length < mostCharacters)
    assert.match(
      rows[0]!.note!,
      / \d+ passages are shown in part, since the answer would be too long otherwise\.$/,
    )
    const [first, last] = [rows[0]!, rows.at(-1)!]
    assert.doesNotMatch(first.content, cutEnd)
    assert.match(last.content, /tapir.* …$/s)
    const few = await ask<Row[]>('documents_search', { query: 'tapir house', limit: 5 })
    assert.ok(few.every(({ content, note }) => !cutEnd.test(content) && !note?.includes('in part')))
  })

  test('of several searches begins with the best passage of each', async (t) => {
    const { ask } = await small(t, files, { embedding: false })
    const queries = animals.map((query) => ({ query }))
    const { results } = await ask<{ results: { results: Row[]; note?: string }[] }>(
      'documents_search_batch',
      {
        queries,
        limit: 10,
      },
    )
    assert.ok(JSON.stringify(results).length < mostCharacters)
    for (const { results: rows, note } of results) {
      assert.equal(rows.length, 10)
      assert.doesNotMatch(rows[0]!.content, cutEnd)
      assert.ok(rows[9]!.content.length < rows[0]!.content.length)
      assert.match(note!, /passages are shown in part/)
    }
  })

  test('of related passages is cut, too', async (t) => {
    const { ask } = await small(t, files, { embedding: false })
    const { related, note } = await ask<Related>('documents_find_related', {
      collection: 'library',
      document: 'house-3.md',
      limit: 50,
    })
    assert.equal(related.length, 50)
    assert.ok(JSON.stringify(related).length < mostCharacters)
    assert.match(note!, /passages are shown in part/)
  })
})
