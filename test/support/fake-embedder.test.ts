import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dot } from '../../src/embed/arithmetic.js'
import { fakeEmbedder } from './fake-embedder.js'

const embed = async (...texts: string[]) => fakeEmbedder().embed(texts, { kind: 'passage' })

test('the same text gives the same unit vector', async () => {
  const [a, b, empty, symbols] = await embed('Hello, World', 'hello world', '', '!?')
  assert.deepEqual(a, b)
  assert.deepEqual(empty, symbols)
  for (const vector of [a!, empty!]) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-6)
})

test('texts are the nearer the more words they share', async () => {
  const [query, near, half, far] = await embed(
    'deploy the web server',
    'deploying the web servers',
    'the web is large',
    'cats sleep all day',
  )
  const likeness = [near!, half!, far!].map((vector) => dot(query!, vector))
  assert.ok(
    likeness[0]! > 0.99 && likeness[0]! > likeness[1]! && likeness[1]! > likeness[2]!,
    String(likeness),
  )
})

test('name and size can be chosen, and a signal is heard', async () => {
  const embedder = fakeEmbedder({ dimensions: 8, model: 'other' })
  assert.deepEqual([embedder.model, embedder.dimensions], ['other/8', 8])
  assert.equal((await embedder.embed(['x'], { kind: 'query' }))[0]!.length, 8)
  await assert.rejects(embedder.embed(['x'], { kind: 'query', signal: AbortSignal.abort() }), {
    name: 'AbortError',
  })
})
