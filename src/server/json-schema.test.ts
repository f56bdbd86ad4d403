import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { inputSchemaOf, outputSchemaOf } from './json-schema.js'

test('input schemas are flat: no $schema, const, exclusive bounds, type lists or 2^53', () => {
  const input = z
    .object({
      count: z.int().min(0).describe('How many'),
      ratio: z.number().gt(0).max(1).optional().describe('A part'),
      more: z.int().positive().lt(10).optional().describe('More'),
      only: z.literal('x').optional().describe('One value'),
      limit: z.int().min(1).max(9).default(3).describe('Most'),
      additionalProperties: z.string().optional().describe('A name that is also a keyword'),
    })
    .strict()
  assert.deepEqual(inputSchemaOf({ input }), {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 0, description: 'How many' },
      ratio: { type: 'number', minimum: 0, maximum: 1, description: 'A part' },
      more: { type: 'integer', minimum: 1, maximum: 9, description: 'More' },
      only: { type: 'string', enum: ['x'], description: 'One value' },
      limit: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'Most' },
      additionalProperties: { type: 'string', description: 'A name that is also a keyword' },
    },
    required: ['count'],
  })
})

test('the same schema is converted once', () => {
  const tool = { input: z.object({ a: z.string() }) }
  assert.equal(inputSchemaOf(tool), inputSchemaOf(tool))
})

test('a part used twice is written out twice instead of by reference', () => {
  const part = z.object({ id: z.string() })
  const text = JSON.stringify(inputSchemaOf({ input: z.object({ a: part, b: part }) }))
  assert.ok(!text.includes('$ref'))
})

test('output schemas are always of an object, which may have a note', () => {
  const check = (output: z.ZodType, expected: unknown) =>
    assert.deepEqual(outputSchemaOf({ output }), expected)
  const note = { type: 'string' }
  const object = { type: 'object', properties: { id: { type: 'string' }, note }, required: ['id'] }
  check(z.object({ id: z.string() }), object)
  check(z.array(z.string()), {
    type: 'object',
    properties: { result: { type: 'array', items: { type: 'string' } }, note },
    required: ['result'],
  })
  check(z.object({ id: z.string() }).nullable(), {
    type: 'object',
    properties: { id: { type: 'string' }, result: { type: 'null' }, note },
  })
  check(z.union([z.object({ id: z.string() }), z.string()]), {
    type: 'object',
    properties: { id: { type: 'string' }, result: { type: 'string' }, note },
  })
})
