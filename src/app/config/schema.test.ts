import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { configJsonSchema } from './json-schema.js'
import { keys } from './keys.js'
import { sizeInBytes } from './size.js'

interface Node {
  description?: string
  properties?: Record<string, Node>
  items?: { anyOf?: Node[] }
}

describe('the published schema', () => {
  test('is the one the program checks with', () => {
    const file = new URL('../../../../schema/carrel.schema.json', import.meta.url)
    assert.equal(readFileSync(file, 'utf8'), configJsonSchema(), 'Run "npm run schema".')
  })

  test('describes every key', () => {
    const silent: string[] = []
    const visit = (node: Node, path: string) => {
      for (const [name, inner] of Object.entries(node.properties ?? {})) {
        if (!inner.description) silent.push(`${path}${name}`)
        visit(inner, `${path}${name}.`)
      }
      for (const choice of node.items?.anyOf ?? []) visit(choice, path)
    }
    visit(JSON.parse(configJsonSchema()) as Node, '')
    assert.deepEqual(silent, [])
  })
})

test('every key has its own variable', () => {
  assert.equal(new Set(keys.map((key) => key.variable)).size, keys.length)
  for (const { variable } of keys) assert.match(variable, /^CARREL_[A-Z]+(_[A-Z]+)*$/)
})

test('sizes are read as people write them', () => {
  const cases = [
    ['2 MB', 2e6],
    ['1.5mb', 1.5e6],
    ['512 KiB', 524288],
    ['10', 10],
    [' 3 k ', 3000],
    [4096, 4096],
    ['2 apples', null],
    ['-1 MB', null],
    ['', null],
    [1.5, null],
    [Number.POSITIVE_INFINITY, null],
  ] as const
  for (const [written, bytes] of cases) assert.equal(sizeInBytes(written), bytes, String(written))
})
