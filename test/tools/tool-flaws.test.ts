import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { defineTool, defineToolset } from '../../src/server/define.js'
import { errorShapes } from '../../src/server/error-shapes.js'
import { flawsOf } from '../support/tool-flaws.js'
import { fixtureToolsets } from '../surfaces/fixture.js'

test('the fixture has no flaws', () => {
  assert.deepEqual(fixtureToolsets.flatMap(flawsOf), [])
})

test('flaws are found and named', () => {
  const bad = defineTool({
    name: 'bad tool',
    title: 'B',
    summary: 'Short.',
    effect: 'read',
    destructive: true,
    limits: { timeMs: 40_000 },
    input: z.object({
      count: z.int().min(0),
      inner: z.object({ a: z.string() }).describe('An object'),
      list: z.array(z.object({ b: z.string().describe('B') })).describe('A list'),
    }),
    output: z.string(),
    examples: [{ title: 'wrong', args: { count: -1, inner: { a: '' }, list: [] } }],
    run: () => '',
    view: (value) => value,
  })
  const toolset = defineToolset({
    name: 'bad',
    title: 'Bad',
    purpose: 'None.',
    errorShape: errorShapes.documents,
    tools: [bad],
    resources: [{ name: 'r', title: 'R', summary: 'No', read: () => null }],
    prompts: [
      {
        name: 'p',
        title: 'P',
        summary: 'No',
        arguments: [{ name: 'a', description: '' }],
        get: () => ({ messages: [] }),
      },
    ],
  })
  assert.deepEqual(flawsOf(toolset), [
    'bad tool: the name has characters that clients refuse',
    'bad tool: the title needs 3 to 60 characters',
    'bad tool: the summary says too little',
    'bad tool: no tool gets more than 30 s',
    'bad tool: what only reads cannot destroy',
    'bad tool: the example "wrong" is wrong: count: expected a number at least 0, got -1.',
    'bad tool: arguments.count is not described',
    'bad tool: arguments.count is a whole number without both bounds',
    'bad tool: arguments.inner.a is not described',
    'bad tool: arguments.inner lets unknown names through; use z.strictObject',
    'bad tool: arguments.list lets unknown names through; use z.strictObject',
    'resource r: it needs either a uri or a template',
    'resource r: the address has no scheme',
    'resource r: the summary says too little',
    'prompt p: the summary says too little',
    'prompt p: a is not described',
  ])
})
