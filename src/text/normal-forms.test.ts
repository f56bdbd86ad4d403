import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalForms } from './normal-forms.js'

const [whole, apart] = ['\u00fc', 'u\u0308']

test('a path is given in every way its accents may be written, as it stands first', () => {
  assert.deepEqual(normalForms('a/b.md'), ['a/b.md'])
  assert.deepEqual(normalForms(''), [''])
  assert.deepEqual(normalForms('日本/東京.md'), ['日本/東京.md'])
  assert.deepEqual(normalForms(`${whole}/x`), [`${whole}/x`, `${apart}/x`])
  assert.deepEqual(normalForms(`${apart}/${whole}`), [
    `${apart}/${whole}`,
    `${whole}/${whole}`,
    `${whole}/${apart}`,
    `${apart}/${apart}`,
  ])
})

test('a deep path has some of them, and one that no file can have only itself', () => {
  assert.ok(normalForms(`${whole}/`.repeat(1_000)).length <= 33)
  assert.equal(normalForms(`${whole}/`.repeat(10_000)).length, 1)
})
