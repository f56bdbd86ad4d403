// What a client reads in a prompt: documents, code and names in their places.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readPrompts } from '../../src/toolsets/architecture/prompts/prompt-files.js'
import { architecture } from '../../src/toolsets/architecture/toolset.js'
import { toolsetWorld } from '../support/toolset-world.js'
import { write } from '../support/world.js'

const prompt = (name: string, text: string) => ({
  [`mcp/prompts/${name}.json`]: JSON.stringify({ name, messages: [{ role: 'user', content: text }] }),
})
const world = await toolsetWorld(architecture, {
  embedding: false,
  files: {
    'docs/adr/0001-a.md': '# 1. A\n\n## Status\n\nAccepted\n\n## Decision\n\nWe do.\n',
    'mcp/resources/guidelines/small.md': '# Small\n',
    'mcp/resources/patterns/a-large.md': `# Large\n\n${'word word word word\n'.repeat(60_000)}`,
    'mcp/resources/patterns/two words.md': '# Two words\n',
    'mcp/resources/patterns/repository.md': '# Repository\n',
    ...prompt('large', '{{resource:architecture://patterns/*}}'),
    ...prompt('one', '{{resource:architecture://patterns/a-large}}'),
    ...prompt('all', '{{index:architecture://*}}'),
    ...prompt('spaced', '{{resource: architecture://patterns/two words }}'),
    ...prompt('typo', '{{resource:architecture://patterns/repositry}}'),
  },
})
after(() => world.close())

async function textOf(name: string, args: Record<string, string> = {}): Promise<string> {
  const prompt = (await world.registry.prompts()).find((one) => one.name === name)!
  const { messages } = await prompt.get({ library: world.library }, args, undefined as never)
  return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n')
}

describe('text that is inserted into a prompt', () => {
  test('a document that is too large is left out by its name, and the others are there', async () => {
    const text = await textOf('large')
    assert.match(text, /^<<< architecture:\/\/patterns\/repository\n/)
    assert.match(text, />>> architecture:\/\/patterns\/two%20words\n\n\[1 more resource is left out: /)
    assert.match(text, /1 MB at most\. architecture:\/\/patterns\/a-large\]$/)
    assert.match(await textOf('one'), /^\[1 resource is left out: .* architecture:\/\/patterns\/a-large\]$/)
  })

  test('a star alone means documents of every kind', async () => {
    assert.equal((await textOf('all')).match(/^- architecture:/gm)?.length, 5)
  })

  test('a name may have spaces in it', async () => {
    assert.match(await textOf('spaced'), /^<<< architecture:\/\/patterns\/two%20words\n# Two words\n/)
  })

  test('a name that is nearly right brings up the right one', async () => {
    assert.equal(
      await textOf('typo'),
      '[There is no resource architecture://patterns/repositry. Did you mean "repository"?]',
    )
  })

  test('code is fenced apart from the text about it, whatever fences it contains', async () => {
    for (const name of ['guided-pattern-validation', 'review-code-against-patterns']) {
      assert.match(await textOf(name, { code: '1. x()' }), /\nCode:\n```\n1\. x\(\)\n```\n/)
      assert.match(await textOf(name, { code: 'a ```` b\n' }), /\n`{5}\na ```` b\n`{5}\n/)
      assert.match(await textOf(name, { code: '```ts\nx()\n```' }), /\nCode:\n```ts\nx\(\)\n```\n/)
    }
  })
})

test('an error in a message of a prompt is reported', async () => {
  const content = [{ type: 'image', data: '', mimeType: 'image/png' }, [{ type: 'text', text: 'x' }], 5]
  for (const [i, one] of content.entries())
    write(world.root, {
      [`mcp/prompts/bad${i}.json`]: JSON.stringify({
        name: `bad${i}`,
        messages: [{ role: 'user', content: one }],
      }),
    })
  const { problems } = await readPrompts(world.root)
  assert.deepEqual(
    problems.map(({ message }) => message),
    content.map(() => '"messages.0.content": it is a text, or { "type": "text", "text": … }.'),
  )
})
