import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quotes, readQuery } from './query.js'

test('a repeated phrase is looked for once', () => {
  const asked = readQuery('"text" '.repeat(500))
  assert.deepEqual(asked.phrases, [['text']])
  assert.equal(asked.cut, false)
  assert.deepEqual(readQuery('"New Desk" „new desk“ "new, desk" "news desk"').phrases, [
    ['new', 'desk'],
    ['news', 'desk'],
  ])
})

test('of very many phrases the first are required, and a flag says so', () => {
  const some = Array.from({ length: 40 }, (_, i) => `"w${i} x"`)
  const { phrases, terms, cut } = readQuery(some.join(' '))
  assert.equal(cut, true)
  assert.deepEqual(phrases[0], ['w0', 'x'])
  assert.equal(phrases.length, 24)
  assert.ok(terms.some(({ term, required }) => term === 'w3' && required))
  assert.ok(terms.some(({ term, required }) => term === 'w39' && !required))
  assert.equal(readQuery(some.slice(0, 24).join(' ')).cut, false)
})

test('a phrase is required wherever it is in a long query', () => {
  const words = Array.from({ length: 60 }, (_, i) => `w${i}`)
  const { terms, cut } = readQuery(`${words.join(' ')} "late phrase"`)
  assert.equal(cut, true)
  assert.equal(terms.length, 48)
  assert.equal(terms[0]?.term, 'w0')
  const demanded = terms.filter(({ required }) => required).map(({ term }) => term)
  assert.deepEqual(
    demanded,
    readQuery('"late phrase"').terms.map(({ term }) => term),
  )
  const long = readQuery(`"${words.join(' ')}"`)
  assert.equal(long.terms.length, 48)
  assert.ok(long.terms.every(({ required }) => required))
})

test('marks without words between them quote nothing', () => {
  assert.equal(quotes('"" "…" " "'), false)
  assert.equal(quotes('a "b" c'), true)
})

test('the mark inside a Hebrew abbreviation quotes nothing', () => {
  assert.deepEqual(readQuery('מנכ"ל של צה"ל').phrases, [])
  assert.deepEqual(readQuery('"שלום עולם" מנכ"ל').phrases, [['שלום', 'עולם']])
})
