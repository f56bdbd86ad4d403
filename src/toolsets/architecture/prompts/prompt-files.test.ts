import assert from 'node:assert/strict'
import { renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryFolder, write } from '../../../../test/support/world.js'
import { readPrompts } from './prompt-files.js'

const prompt = (name: string, text = 'Hello {{who}}') =>
  JSON.stringify({
    name,
    arguments: [{ name: 'who' }],
    messages: [{ role: 'user', content: { type: 'text', text } }],
  })

function project(t: TestContext, files: Record<string, string>) {
  const root = temporaryFolder(t)
  const put = (more: Record<string, string>) =>
    write(root, Object.fromEntries(Object.entries(more).map(([name, text]) => [`mcp/prompts/${name}`, text])))
  put(files)
  const names = async () => (await readPrompts(root)).prompts.map(({ name }) => name)
  return { root, put, names, file: (name: string) => join(root, 'mcp/prompts', name) }
}

describe("the project's prompts", () => {
  test('a project without any has none', async (t) => {
    const { prompts, problems } = await readPrompts(temporaryFolder(t))
    assert.deepEqual([prompts, problems], [[], []])
  })

  test('are seen as soon as they are there, changed or gone', async (t) => {
    const { put, names, file } = project(t, { 'a.json': prompt('a') })
    assert.deepEqual(await names(), ['a'])
    put({ 'b.json': prompt('b') })
    assert.deepEqual(await names(), ['a', 'b'])
    put({ 'a.json': prompt('other-name') })
    assert.deepEqual(await names(), ['other-name', 'b'])
    rmSync(file('a.json'))
    assert.deepEqual(await names(), ['b'])
  })

  test('a change that keeps the size is seen', async (t) => {
    const { put, names, file } = project(t, { 'a.json': prompt('aa') })
    await names()
    put({ 'a.json': prompt('bb') })
    utimesSync(file('a.json'), new Date(), new Date(Date.now() + 5_000))
    assert.deepEqual(await names(), ['bb'])
  })

  test('one that replaces a built-in prompt is used, and reported', async (t) => {
    const { root, names } = project(t, { 'a.json': prompt('create-adr') })
    assert.deepEqual(await names(), ['create-adr'])
    const { problems } = await readPrompts(root)
    assert.deepEqual(
      problems.map(({ file, state }) => [file, state]),
      [['a.json', 'warning']],
    )
    assert.match(problems[0]!.message, /replaces the built-in prompt "create-adr"/)
  })

  test('a half-written file keeps its last good version, and is reported', async (t) => {
    const { root, put, names } = project(t, { 'a.json': prompt('a') })
    await names()
    put({ 'a.json': prompt('a').slice(0, 40) })
    const { prompts, problems } = await readPrompts(root)
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['a'],
    )
    assert.deepEqual(problems[0]?.state, 'kept')
    put({ 'a.json': prompt('a') })
    assert.deepEqual((await readPrompts(root)).problems, [])
  })

  test('a file that changes while it is read is read as one version or another, never as a mixture', async (t) => {
    const { root, put, file } = project(t, { 'a.json': prompt('a', 'x'.repeat(100_000)) })
    await readPrompts(root)
    let writing = true
    t.after(() => {
      writing = false
    })
    const writer = (async () => {
      for (let i = 0; writing; i++) {
        put({ 'next.tmp': prompt('a', (i % 2 ? 'x' : 'y').repeat(100_000)) })
        if (i % 3 === 0) put({ 'a.json': prompt('a', (i % 2 ? 'x' : 'y').repeat(100_000)) })
        else renameSync(file('next.tmp'), file('a.json'))
        await new Promise(setImmediate)
      }
    })()
    for (let i = 0; i < 25; i++) {
      const { prompts } = await readPrompts(root)
      const part = prompts[0]?.messages[0]?.parts[0]
      assert.ok(part?.kind === 'text' && /^(x+|y+)$/.test(part.text))
    }
    writing = false
    await writer
  })

  const wrong: [name: string, json: string, message: RegExp][] = [
    ['empty', '', /no JSON/],
    ['no object', '[]', /./],
    ['no name', '{"messages":[]}', /"name"/],
    ['a bad name', prompt('a b'), /"name"/],
    ['no messages', '{"name":"a","messages":[]}', /"messages"/],
    ['another role', '{"name":"a","messages":[{"role":"system","content":"x"}]}', /"messages.0.role"/],
    [
      'a picture',
      '{"name":"a","messages":[{"role":"user","content":{"type":"image"}}]}',
      /"messages.0.content/,
    ],
    [
      'twins',
      '{"name":"a","arguments":[{"name":"x"},{"name":"x"}],"messages":[{"role":"user","content":"x"}]}',
      /Two arguments/,
    ],
    ['too large', `${prompt('a')}${' '.repeat(300_000)}`, /bytes/],
  ]
  for (const [name, json, message] of wrong)
    test(`a file with ${name} is skipped and reported, and the others are offered`, async (t) => {
      const { root } = project(t, { 'bad.json': json, 'good.json': prompt('good') })
      const { prompts, problems } = await readPrompts(root)
      assert.deepEqual(
        prompts.map((one) => one.name),
        ['good'],
      )
      assert.match(problems[0]!.message, message)
      assert.equal(problems[0]!.state, 'skipped')
    })

  test('a second prompt by one name is left out', async (t) => {
    const { root } = project(t, { 'a.json': prompt('same', 'first'), 'b.json': prompt('same', 'second') })
    const { prompts, problems } = await readPrompts(root)
    assert.deepEqual([prompts.length, prompts[0]!.file, problems[0]!.file], [1, 'a.json', 'b.json'])
  })

  test('a placeholder that is no argument is pointed out', async (t) => {
    const { root } = project(t, { 'a.json': prompt('a', '{{whom}} {{workflow_id}}') })
    const { problems } = await readPrompts(root)
    assert.deepEqual(
      problems.map(({ state, message }) => [state, /whom/.test(message)]),
      [['warning', true]],
    )
  })

  test('a link out of the folder is not followed', {
    skip: process.platform === 'win32' && 'links need rights',
  }, async (t) => {
    const { root, file } = project(t, { 'a.json': prompt('a') })
    write(root, { 'secret.json': prompt('secret') })
    symlinkSync(join(root, 'secret.json'), file('b.json'))
    const { prompts, problems } = await readPrompts(root)
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['a'],
    )
    assert.match(problems[0]!.message, /no file/)
  })
})
