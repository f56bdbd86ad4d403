// What a passage of code is found by: its declaration, its scope, its path, and the parts of every name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Field, fields, type IndexedChunk } from '../model/document.js'
import { fieldWeights } from '../retrieve/query.js'
import { terms } from '../text/terms.js'
import { prepare } from './prepare.js'

const step = '    this.work(step, { retries: 3, delay: 100 })\n'
const source = `/** Decides when a delivery is tried again. */
export class RetryBudget {
  /** Spends one try. Never blocks. */
  spendOneTry(HTTPHeader: string) {
${step.repeat(30)}
${step.repeat(30)}  }
}
`

const ref = { source: 's', path: 'src/delivery/retry-budget.ts' }
const { chunks, words } = await prepare({ ref, bytes: Buffer.from(source), stamp: null, readAt: 0 })

function countIn(chunk: IndexedChunk, term: string, field: Field): number {
  const place = chunk.terms.places.indexOf(words.indexOf(term))
  return place < 0 ? 0 : chunk.terms.counts[place * fields.length + fields.indexOf(field)]!
}

test('every chunk of a declaration has its names in words, its signature and its comment in its context', () => {
  assert.ok(chunks.length >= 2)
  for (const { context } of chunks) {
    assert.match(
      context,
      /^retry budget spend one try: Spends one try\..*\bsrc delivery retry budget\nspendOneTry\(HTTPHeader: string\)/,
    )
  }
})

test('names are a field of their own: path, scope and symbol, whole and in parts', () => {
  const named = ['delivery', 'retry', 'budget', 'spend', 'try', 'spendOneTry', 'retry-budget.ts']
  for (const chunk of chunks) {
    for (const { term } of named.flatMap(terms))
      assert.ok(countIn(chunk, term, 'names') > 0, `${term} in names`)
    for (const { term } of terms('RetryBudget'))
      assert.ok(countIn(chunk, term, 'headings') > 0, 'the scope is a heading')
  }
  const [first] = chunks
  for (const { term } of terms('HTTPHeader http header'))
    assert.ok(countIn(first!, term, 'body') > 0, `${term} in the body`)
})

test('a match in a name counts more than one in the text', () => {
  assert.ok(fieldWeights.names > fieldWeights.body && fieldWeights.headings > fieldWeights.body)
})
