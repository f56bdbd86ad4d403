import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { fakeEmbedder } from '../../../test/support/fake-embedder.js'
import { referenceStore } from '../../../test/support/reference-store.js'
import type { Reranker } from '../../embed/port.js'
import { evaluate } from './evaluate.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-eval-test-'))
after(() => rmSync(folder, { recursive: true }))
const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
writeFileSync(
  join(folder, 'corpus.jsonl'),
  lines([
    { _id: 'first', title: 'Lamps', text: 'lantern oil here' },
    { _id: 'second', title: 'Lamps', text: 'lantern oil there' },
  ]),
)
writeFileSync(join(folder, 'queries.jsonl'), lines([{ _id: 'q', text: 'lantern oil' }]))
writeFileSync(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq\tsecond\t1\n')

/** Both have the same words. */
const decided: Reranker = {
  model: 'decided',
  score: async (_query, passages) => passages.map((text) => (text.includes('there') ? 0.9 : 0.1)),
  close: async () => {},
}

const ask = (mode: 'hybrid' | 'rerank', reranker: Reranker | null, hasVectors = true) => {
  const models = { embedder: hasVectors ? fakeEmbedder({ dimensions: 64 }) : null, reranker }
  return evaluate(async () => referenceStore(), models, { folder, mode })
}

test('an evaluation of reranking asks the reranker', async () => {
  assert.equal((await ask('hybrid', decided)).mrr10, 0.5)
  const { mrr10, notes } = await ask('rerank', decided)
  assert.deepEqual([mrr10, notes], [1, []])
})

test('an evaluation of reranking without a reranker and without vectors says so', async () => {
  const { mrr10, notes } = await ask('rerank', null, false)
  assert.equal(mrr10, 0.5)
  assert.match(notes.join(), /no reranker is set up \(rerank\.provider .*\); this is the hybrid order\.$/)
})

test('an evaluation counts the kinds of questions apart, where a set names them', async (t) => {
  const made = mkdtempSync(join(tmpdir(), 'carrel-eval-kinds-'))
  t.after(() => rmSync(made, { recursive: true }))
  const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
  writeFileSync(
    join(made, 'corpus.jsonl'),
    lines([
      { _id: 'd1', text: 'lantern' },
      { _id: 'd2', text: 'wick' },
    ]),
  )
  const queries = [
    { _id: 'q1', text: 'lantern', kind: 'fact' },
    { _id: 'q2', text: 'lantern', kind: 'why' },
    { _id: 'q3', text: 'wick' },
  ]
  writeFileSync(join(made, 'queries.jsonl'), lines(queries))
  writeFileSync(join(made, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq3\td2\t1\n')
  const models = { embedder: null, reranker: null }
  const { kinds, queries: all } = await evaluate(async () => referenceStore(), models, {
    folder: made,
    mode: 'text',
  })
  assert.equal(all, 3)
  assert.deepEqual(
    kinds.map(({ kind, queries, mrr10 }) => [kind, queries, mrr10]),
    [
      ['fact', 1, 1],
      ['why', 1, 0],
    ],
  )
})

describe('a judged set', () => {
  const doc = { _id: 'd1', text: 'lantern oil' }
  const query = { _id: 'q1', text: 'lantern' }
  type Lines = (object | string)[]

  const report = async (t: TestContext, corpus: Lines, queries: Lines, qrels = 'q1\td1\t1\n') => {
    const made = mkdtempSync(join(tmpdir(), 'carrel-eval-set-'))
    t.after(() => rmSync(made, { recursive: true }))
    const text = (rows: Lines) =>
      rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')
    writeFileSync(join(made, 'corpus.jsonl'), text(corpus))
    writeFileSync(join(made, 'queries.jsonl'), text(queries))
    writeFileSync(join(made, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${qrels}`)
    const models = { embedder: null, reranker: null }
    return evaluate(async () => referenceStore(), models, { folder: made, mode: 'text' })
  }

  const broken: [string, Lines, Lines, RegExp][] = [
    ['without documents', [], [query], /^There is no document in .*corpus\.jsonl/],
    ['with a document without text', [doc, '', { _id: 'd2' }], [query], /^Line 3 of .*corpus\.jsonl is not/],
    ['with a query without text', [doc], [{ _id: 'q1' }], /^Line 1 of .*queries\.jsonl is not/],
    ['with a line without an id', [doc], [query, { text: 'x' }], /^Line 2 of .*queries\.jsonl is not/],
    ['with a line that is no object', [doc, 'null'], [query], /^Line 2 of .*corpus\.jsonl is not/],
    ['with a line that is no JSON', [doc, '{'], [query], /^Line 2 of .*corpus\.jsonl is not/],
  ]
  for (const [title, corpus, queries, message] of broken)
    test(`${title} is refused`, (t) =>
      assert.rejects(report(t, corpus, queries), { name: 'Problem', code: 'bad_set', message }))

  test('with lines that repeat an id is measured once for each, and says so', async (t) => {
    const { documents, queries, notes } = await report(t, [doc, doc], [query, query])
    assert.deepEqual([documents, queries], [1, 1])
    assert.deepEqual(notes, [
      '1 line of corpus.jsonl repeats an "_id" (d1); the last counts.',
      '1 line of queries.jsonl repeats an "_id" (q1); the last counts.',
    ])
  })

  test('reports judgements of unknown documents and queries', async (t) => {
    const { recall100, notes } = await report(t, [doc], [query], 'q1\td1\t1\nq1\tx\t1\nq2\td1\t1\n')
    assert.equal(recall100, 0.5)
    assert.deepEqual(notes, [
      '1 judged query (q2) is not in queries.jsonl.',
      '1 relevant document (x) is not in corpus.jsonl and can never be found.',
    ])
  })
})
