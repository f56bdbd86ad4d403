import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { defineTool, defineToolset, hideToolNames } from './define.js'
import { errorShapes } from './error-shapes.js'
import { executor } from './executor.js'
import { registry } from './registry.js'

const hint = 'search finds notes by what they say. find_notes finds them by name. Nothing was changed.'

function tool(name: string, needs: string[] = []) {
  return defineTool({
    name,
    title: name,
    summary: name,
    input: z.object({ how: z.string() }),
    output: z.any(),
    effect: 'read',
    needs,
    examples: [],
    run: (_services, { how }) => {
      if (how === 'fails') throw new Problem('not_found', 'There is none.', hint)
      return { sentence: `There is none. ${hint}`, noted: { note: hint, text: hint }, nothing: null }[how]
    },
    view: (result) => result,
  })
}

const toolset = defineToolset({
  name: 'n',
  title: 'N',
  purpose: 'N',
  errorShape: errorShapes.documents,
  note: async (_services, _args, { isNothing }) => (isNothing ? hint : null),
  tools: [tool('read_note'), tool('find_notes'), tool('search', ['embedder'])],
})

test('messages name only tools that this client is offered', async () => {
  const all = registry([toolset], {}, { capabilities: ['embedder'] })
  const ask = async (tools: typeof all, how: string) => {
    const { value, note } = await executor().call(
      tools.tool('read_note'),
      {},
      { how },
      { client: { id: 'test' } },
    )
    return note ?? value
  }
  const answers = async (tools: typeof all) => ({
    fails: await ask(tools, 'fails'),
    sentence: await ask(tools, 'sentence'),
    noted: await ask(tools, 'noted'),
    nothing: await ask(tools, 'nothing'),
  })
  const expected = (advice: string) => ({
    fails: `There is none. ${advice}`,
    sentence: `There is none. ${advice}`,
    noted: { note: advice, text: hint },
    nothing: advice,
  })
  assert.deepEqual(await answers(all), expected(hint))
  const names = 'find_notes finds them by name. Nothing was changed.'
  assert.deepEqual(await answers(registry([toolset], {})), expected(names))
  assert.deepEqual(await answers(all.narrow({ tools: ['read_note'] })), expected('Nothing was changed.'))
})

test('text that only looks like the name of a tool stays', () => {
  const withheld = [{ name: 'read_file' }, { name: 'search' }]
  const unchanged = [
    'Did you mean "read_file" or "src/read_file.ts"?',
    'This search is by words. A search was made.',
    'read_files is another.',
  ]
  for (const text of unchanged) assert.equal(hideToolNames(text, withheld), text)
  assert.equal(hideToolNames('Use read_file. Or not.', withheld), 'Or not.')
  assert.equal(hideToolNames('read_file has it.', withheld), '')
})
