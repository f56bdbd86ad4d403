// Names that every JavaScript object inherits, and values of the wrong kind, as arguments of every tool.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { toolsets } from '../../src/toolsets/all.js'
import { type ToolsetWorld, toolsetWorld } from '../support/toolset-world.js'

const inherited = [
  ...['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'],
  ...['prototype', '__defineGetter__', '__lookupGetter__', 'propertyIsEnumerable', 'toLocaleString', 'then'],
]
const values = ['null', '"x"', '1', '[]', '{}', '{"constructor":null}', '{"__proto__":{"query":"x"}}']

// Written as JSON, as a client sends it: an object literal would set the prototype instead of a key "__proto__".
function withKey(args: object, key: string, value: string): unknown {
  const own = JSON.stringify(args).slice(1, -1)
  return JSON.parse(`{${own}${own ? ',' : ''}${JSON.stringify(key)}:${value}}`)
}

describe('hostile arguments', () => {
  let world: ToolsetWorld
  before(async () => {
    world = await toolsetWorld(toolsets)
  })
  after(() => world.close())

  for (const tool of toolsets.flatMap(({ tools }) => tools))
    test(`${tool.name} refuses names that every object inherits`, async () => {
      const example = tool.examples[0]?.args ?? {}
      for (const key of inherited)
        for (const value of values)
          for (const args of [withKey({}, key, value), withKey(example, key, value)]) {
            const { failure, text } = await world.call(tool.name, args)
            assert.equal(failure?.kind, 'invalid', `${JSON.stringify(args)}: ${text}`)
            assert.ok(text.includes(key), `${JSON.stringify(args)}: ${text}`)
          }
    })

  for (const tool of toolsets.flatMap(({ tools }) => tools))
    test(`${tool.name} answers values of any kind without an internal error`, async () => {
      for (const field of Object.keys(tool.input.shape))
        for (const value of [...values, '"constructor"', '"__proto__"', '"\\ud800"', '1e308', '-1', 'true']) {
          if (tool.effect !== 'read') continue
          const args = withKey(tool.examples[0]?.args ?? {}, field, value)
          const { failure, text } = await world.call(tool.name, args)
          assert.notEqual(failure?.kind, 'bug', `${JSON.stringify(args)}: ${text}`)
        }
    })

  test('nothing was added to the prototype of objects', () => {
    assert.deepEqual(Object.keys(Object.prototype), [])
    assert.equal(({} as { query?: string }).query, undefined)
  })
})
