// The helpers that will hold the product's tools to their word, tried on the fixture's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputSchemaOf, outputSchemaOf } from '../../src/server/json-schema.js'
import { referencePages } from '../docs/reference-pages.js'
import { fixtureToolsets, shelf } from '../surfaces/fixture.js'
import { fixtureSurface } from '../surfaces/serving.js'
import { everyExample } from './every-example.js'
import { checkGolden } from './golden.js'
import { tokenCost } from './token-cost.js'

test('every example gives the same over MCP, HTTP and the command line', async () => {
  const answers = await everyExample(fixtureSurface)
  assert.equal(answers.length, 7)
  checkGolden('fixture/examples.json', `${JSON.stringify(answers, null, 2)}\n`)
})

test('schemas are as agreed', () => {
  const schemas = [...fixtureSurface().registry.tools.values()].map(({ tool }) => ({
    name: tool.name,
    input: inputSchemaOf(tool),
    output: outputSchemaOf(tool),
  }))
  checkGolden('fixture/schemas.json', `${JSON.stringify(schemas, null, 2)}\n`)
})

test('reference pages are as agreed', async () => {
  for (const { file, text } of await referencePages(fixtureToolsets, shelf()))
    checkGolden(`fixture/reference/${file}`, text)
})

test('the list of tools is counted in tokens', () => {
  const cost = tokenCost(fixtureSurface().registry)
  assert.ok(cost.model > 300 && cost.model < cost.list && cost.list < 1_500, JSON.stringify(cost))
})
