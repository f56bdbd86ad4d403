import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { chooseEmbedder, chooseReranker } from './choose.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-choose-'))
after(() => rmSync(folder, { recursive: true }))
const modelFolder = join(folder, 'tiny')
mkdirSync(modelFolder)
writeFileSync(join(modelFolder, 'config.json'), '{"hidden_size": 12}')
writeFileSync(join(modelFolder, 'vocab.txt'), '[PAD]')
writeFileSync(join(modelFolder, 'model.onnx'), 'weights')

const service = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }

describe('embedders', () => {
  test('the provider "none" is null', () => assert.equal(chooseEmbedder({ provider: 'none' }), null))

  test('the bundled one is known at once and touches nothing before it is used', async () => {
    const cacheFolder = join(folder, 'cache')
    const embedder = chooseEmbedder({ provider: 'bundled', cacheFolder })!
    assert.deepEqual([embedder.model, embedder.dimensions], ['all-MiniLM-L6-v2@6638f625/int8', 384])
    await embedder.close()
    assert.ok(!existsSync(cacheFolder))
    await assert.rejects(embedder.embed(['a'], { kind: 'query' }), {
      name: 'Problem',
      code: 'embedder_closed',
    })
  })

  test('a service is named as it will name itself', async () => {
    const { openOpenAi } = await import('./openai-compatible/openai-compatible.js')
    const settings = { ...service, dimensions: 8, passagePrefix: 'passage: ' }
    const embedder = chooseEmbedder({ provider: 'openai-compatible', ...settings })!
    const opened = openOpenAi(settings)
    assert.deepEqual([embedder.model, embedder.dimensions], [opened.model, opened.dimensions])
    await Promise.all([embedder.close(), opened.close()])
  })

  test('a model folder is read at once', () => {
    const embedder = chooseEmbedder({ provider: 'onnx', folder: modelFolder })!
    assert.match(embedder.model, /^tiny@[0-9a-f]{8}\/mean$/)
    assert.equal(embedder.dimensions, 12)
  })

  test('wrong settings are an error at once', () => {
    const refused = (settings: Parameters<typeof chooseEmbedder>[0], code: string) =>
      assert.throws(() => chooseEmbedder(settings), { name: 'Problem', code })
    refused(
      { provider: 'openai-compatible', ...service, baseUrl: 'localhost', dimensions: 8 },
      'embedder_url',
    )
    refused({ provider: 'openai-compatible', ...service, dimensions: Number.NaN }, 'embedder_dimensions')
    refused({ provider: 'onnx', folder: join(folder, 'nowhere') }, 'embedder_files')
  })
})

describe('rerankers', () => {
  test('prefer a service to a cross-encoder', () => {
    const crossEncoder = { folder: modelFolder }
    assert.equal(chooseReranker({ service, crossEncoder })?.model, 'm')
    assert.match(chooseReranker({ crossEncoder })!.model, /^tiny@/)
  })

  test('a wrong address shows at once', () => {
    assert.throws(() => chooseReranker({ service: { ...service, baseUrl: '' } }), { code: 'reranker_url' })
  })
})

test('choosing loads no model', () => {
  // The ONNX runtime is CommonJS: had it been loaded, it would be in this cache.
  const program = `
import { createRequire } from 'node:module'
await import('${new URL('./choose.js', import.meta.url)}')
console.log(Object.keys(createRequire('${import.meta.url}').cache).length)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  assert.equal(stdout.trim(), '0', stderr)
})
