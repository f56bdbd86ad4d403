import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { EmbeddingSettings } from '../model/settings.js'
import { checkModels } from './check-models.js'

async function check(embedding: EmbeddingSettings, milliseconds?: number) {
  const checks = await checkModels({ embedding, rerank: { provider: 'none' } }, milliseconds)
  const [first, ...more] = checks.filter(({ name }) => name !== 'comparison')
  assert.deepEqual(more, [])
  return first
}

function service(baseUrl: string): EmbeddingSettings {
  const words = { queryPrefix: '', passagePrefix: '' }
  return {
    ...{ provider: 'openai-compatible', baseUrl, model: 'm', dimensions: 2, key: null },
    ...{ requestsPerMinute: null, ...words },
  }
}

async function served(t: TestContext, answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  t.after(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, stop }
}

test('no model is nothing to look at', async () => {
  assert.equal(await check({ provider: 'none' }), undefined)
})

test('a folder that has no model is a failure, for embedding and for reranking', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-no-model-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const words = { queryPrefix: '', passagePrefix: '' }
  const checks = await checkModels({
    embedding: { provider: 'onnx', folder, threads: 1, ...words },
    rerank: { provider: 'onnx', folder },
  })
  assert.deepEqual(
    checks.map(({ name, state }) => [name, state]),
    [
      ['model', 'failed'],
      ['reranker', 'failed'],
      ['comparison', 'ok'],
    ],
  )
  for (const { message } of checks.slice(0, 2)) assert.match(message, /has no config\.json\.$/)
})

test('a service that answers is well', async (t) => {
  const { url } = await served(t, (_, answer) => answer.end('{"data":[{"index":0,"embedding":[1,0]}]}'))
  assert.deepEqual(await check(service(url)), { name: 'model', state: 'ok', message: 'm/2 answers.' })
})

test('a service that refuses, cannot be reached or says nothing is a warning with the reason', async (t) => {
  const refusing = await served(t, (_, answer) => answer.writeHead(401).end())
  const silent = await served(t, () => {})
  const gone = await served(t, () => {})
  gone.stop()
  for (const [url, message] of [
    [refusing.url, /refused the key/],
    [silent.url, /did not answer within 0\.2 s/],
    [gone.url, /cannot be reached/],
  ] as const) {
    const seen = await check(service(url), url === silent.url ? 200 : 10_000)
    assert.equal(seen?.state, 'warning')
    assert.match(seen.message, message)
    assert.match(seen.hint!, /by words alone/)
  }
})
