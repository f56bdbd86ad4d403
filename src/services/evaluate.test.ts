import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fakeEmbedder } from '../embed/fake.js'
import type { Reranker } from '../embed/rerank/port.js'
import { referenceStore } from '../store/reference.js'
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

/** The words do not tell the two apart. */
const decided: Reranker = {
  model: 'decided',
  score: async (_query, passages) => passages.map((text) => (text.includes('there') ? 0.9 : 0.1)),
  close: async () => {},
}

const ask = (mode: 'hybrid' | 'rerank', reranker: Reranker | null) => {
  const models = { embedder: fakeEmbedder({ dimensions: 64 }), reranker }
  return evaluate(async () => referenceStore(), models, { folder, mode })
}

test('an evaluation of reranking asks the reranker', async () => {
  assert.equal((await ask('hybrid', decided)).mrr10, 0.5)
  const { mrr10, notes } = await ask('rerank', decided)
  assert.deepEqual([mrr10, notes], [1, []])
})

test('an evaluation of reranking without a reranker says so', async () => {
  const { mrr10, notes } = await ask('rerank', null)
  assert.deepEqual([mrr10, notes], [0.5, ['No reranker is set up; this is the hybrid order.']])
})
