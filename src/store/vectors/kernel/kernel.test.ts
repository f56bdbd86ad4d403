import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SOURCE_SHA256 } from './kernel-wasm.js'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

describe('the committed kernel', () => {
  test('names the source it was made from', () => {
    const source = readFileSync(join(root, 'src/store/vectors/kernel/scan.as'), 'utf8').replaceAll(
      '\r\n',
      '\n',
    )
    assert.equal(createHash('sha256').update(source).digest('hex'), SOURCE_SHA256)
  })

  test('is byte for byte the compiled source', () => {
    const check = spawnSync(process.execPath, [join(root, 'scripts/kernel.mjs'), '--check'], {
      encoding: 'utf8',
    })
    assert.equal(check.status, 0, check.stderr)
  })

  test('is left aside where WebAssembly is missing, and searches give the same answer', () => {
    const program = `
      delete globalThis.WebAssembly
      const { SignIndex } = await import(${JSON.stringify(new URL('../sign-index.js', import.meta.url).href)})
      const index = new SignIndex(16)
      index.load([3, 1, 2], Uint8Array.of(255, 255, 0, 1, 0, 2))
      const { ids, distances } = index.nearest(Uint8Array.of(0, 0), { limit: 2 })
      console.log(index.kind, ...ids, ...distances)`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    assert.equal(run.stdout.trim(), 'plain 1 2 1 1', run.stderr)
  })
})
