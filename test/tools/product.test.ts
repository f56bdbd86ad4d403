// The product's own tools, all of them: sound records, the same answer on every road, and a list that costs little.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Library } from '../../src/answer/library.js'
import { fillVectors } from '../../src/answer/vectors.js'
import { indexAll } from '../../src/app/index-all.js'
import { executor } from '../../src/server/executor.js'
import { inputSchemaOf, outputSchemaOf } from '../../src/server/json-schema.js'
import { registry } from '../../src/server/registry.js'
import type { Surface } from '../../src/surfaces/mcp/server.js'
import { type Services, toolsets } from '../../src/toolsets/all.js'
import { fakeEmbedder } from '../support/fake-embedder.js'
import { flawsOf } from '../support/tool-flaws.js'
import { copySample, openForTest, settingsFor, temporaryFolder } from '../support/world.js'
import { everyExample } from './every-example.js'
import { checkGolden } from './golden.js'
import { tokenCost } from './token-cost.js'

/** A fresh copy of the sample library, indexed and embedded, behind the product's tools. */
async function sample(t: TestContext): Promise<Surface<Services>> {
  const library = await open(t, copySample(t))
  await indexAll(library, {})
  await fillVectors(library)
  return surfaceOf(library)
}

async function open(t: TestContext, root: string): Promise<Library> {
  const settings = {
    ...settingsFor(root),
    sources: [{ name: 'library', path: root, include: [], exclude: [] }],
  }
  const opened = await openForTest(settings)
  t.after(() => opened.close())
  return { ...opened, embedder: fakeEmbedder() }
}

function surfaceOf(library: Library): Surface<Services> {
  return {
    registry: registry(
      toolsets,
      { library },
      { capabilities: ['embedder'], toolsets: toolsets.map(({ name }) => name) },
    ),
    executor: executor({ rates: false, checkOutput: true }),
    info: { name: 'carrel', version: 'test' },
  }
}

test('no record has a flaw', () => {
  assert.deepEqual(
    toolsets.flatMap((set) => flawsOf(set)),
    [],
  )
})

test('every example gives the same answer over MCP, HTTP and the command line, and the one in the golden file', async (t) => {
  const answers = await everyExample(() => sample(t), steady)
  for (const { tools } of toolsets)
    for (const { name } of tools) {
      const own = answers.filter(({ tool }) => tool === name)
      assert.ok(own.length > 0, `${name} has an example`)
      checkGolden(`tools/${name}.answers.json`, `${JSON.stringify(own, null, 2)}\n`)
    }
})

/** Chance, times and the folder's own id differ from one copy to the next. */
function steady(value: unknown): unknown {
  const text = JSON.stringify(value ?? null)
    .replace(/folder-[0-9a-f]{12}/g, 'folder-…')
    .replace(/(?<=\b(?:src|doc)_)[0-9a-f]{16}/g, '…')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'uuid-…')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time-…')
  return JSON.parse(text, (key, inner) => (random.has(key) ? '…' : inner)) as unknown
}

const random = new Set<string>(['created_at', 'updated_at', 'searchTime'])

test('schemas are as agreed', async (t) => {
  const { registry: exposed } = surfaceOf(await open(t, temporaryFolder(t)))
  for (const { tool } of exposed.tools.values()) {
    const schemas = { name: tool.name, input: inputSchemaOf(tool), output: outputSchemaOf(tool) }
    checkGolden(`tools/${tool.name}.json`, `${JSON.stringify(schemas, null, 2)}\n`)
  }
})

test('the list costs its share of 6,000 tokens at most', async (t) => {
  const { registry: exposed } = surfaceOf(await open(t, temporaryFolder(t)))
  const { model, byTool } = tokenCost(exposed)
  checkGolden('tools/token-cost.json', `${JSON.stringify({ model, byTool }, null, 2)}\n`)
  assert.ok(model <= (6_000 * exposed.tools.size) / 30, `${model} tokens for ${exposed.tools.size} tools`)
})
