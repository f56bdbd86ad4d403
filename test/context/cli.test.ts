import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { indexAll } from '../../src/app/index-all.js'
import { openLibrary } from '../../src/app/open.js'
import { status } from '../../src/app/status.js'
import type { Configuration } from '../../src/model/settings.js'
import { runOn, type Stage } from '../cli-stage.js'
import { world } from '../support/world.js'

async function stage(t: TestContext): Promise<{ stage: Stage; root: string }> {
  const { root, settings, library } = await world(t, { 'a.md': '# A\n' })
  await indexAll(library, {})
  return {
    root,
    stage: {
      services: { open: openLibrary, status },
      settings: async () => ({ settings: settings as Configuration, notes: [] }),
    },
  }
}

test('carrel remember records, merges, and takes secrets out', async (t) => {
  const { stage: on } = await stage(t)
  const first = await runOn(on, 'remember', '--type', 'rule', 'never', 'commit', 'generated', 'files')
  assert.deepEqual([first.out, first.code], ['Recorded: never commit generated files\n', 0])
  const again = await runOn(on, 'remember', '-t', 'rule', 'Never commit generated files!')
  assert.equal(again.out, 'Known already (stated 2 times): never commit generated files\n')
  const secret = await runOn(on, 'remember', 'The staging password is hunter2x99 since May')
  assert.equal(secret.out, 'Recorded: The staging password is [redacted] since May\n')
  assert.match(secret.err, /Secrets were removed/)
  const opposite = JSON.parse(
    (await runOn(on, 'remember', '--json', '-t', 'rule', 'commit generated files')).out,
  ) as { supersedes: string[] }
  assert.equal(opposite.supersedes.length, 1)
  assert.match((await runOn(on, 'status')).out, /discoveries {2}3 \(3 rule, 1 superseded\)/)
})

test('carrel remember refuses a text without a statement', async (t) => {
  const { stage: on } = await stage(t)
  const short = await runOn(on, 'remember', 'short')
  assert.deepEqual([short.code, short.out], [2, ''])
  assert.match(short.err, /10 to 1,000 characters, and this one has 5\./)
  assert.equal((await runOn(on, 'remember', 'x'.repeat(1_001))).code, 2)
  assert.equal((await runOn(on, 'remember', '--type', 'note', 'long enough for anybody')).code, 2)
  assert.equal((await runOn(on, 'remember')).code, 2)
})

test('carrel import brings in notes and transcripts', async (t) => {
  const { stage: on, root } = await stage(t)
  writeFileSync(join(root, 'n.md'), '# Rules\n\n- Names are in English throughout\n')
  const line = {
    type: 'assistant',
    message: { role: 'assistant', content: 'We decided to keep the outbox table.' },
  }
  writeFileSync(join(root, 't.jsonl'), `${JSON.stringify(line)}\nbroken\n`)
  assert.equal(
    (await runOn(on, 'import', 'notes', join(root, 'n.md'))).out,
    'n.md: 1 statements, 1 recorded\n',
  )
  assert.equal(
    (await runOn(on, 'import', 'transcript', join(root, 't.jsonl'))).out,
    't.jsonl: 1 statements, 1 recorded, 1 lines unreadable\n',
  )
  const missing = await runOn(on, 'import', 'notes', join(root, 'nope.md'))
  assert.deepEqual([missing.code, /no file/.test(missing.err)], [1, true])
})

test('carrel import goes on after a file that it cannot take, and names it', async (t) => {
  const { stage: on, root } = await stage(t)
  const [first, binary, last] = ['n1.md', 'n2.md', 'n3.md'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(first, 'Rule: names are in English throughout.\n')
  writeFileSync(binary, Buffer.from([0, 1, 2, 0, 255, 0, 7, 0]))
  writeFileSync(last, 'Decision: we keep the outbox table for one month.\n')
  const result = await runOn(on, 'import', 'notes', first, binary, `${root}/nope.md`, last)
  assert.deepEqual(result.out.split('\n'), [
    'n1.md: 1 statements, 1 recorded',
    `${binary}: not imported: This is a binary file, not text. Leave it out, or convert it to text first.`,
    `${root}/nope.md: not imported: There is no file at ${root}/nope.md. Name a file to import.`,
    'n3.md: 1 statements, 1 recorded',
    '',
  ])
  assert.equal(result.code, 1)
  const jsonResult = await runOn(on, 'import', 'transcript', '--json', first, last)
  const reports = JSON.parse(jsonResult.out) as { file: string; error: string }[]
  assert.deepEqual([reports.map(({ file }) => file), jsonResult.code], [[first, last], 1])
  assert.match(reports[1]!.error, /no transcript/)
})

test('carrel memory lists discoveries and forgets one by its id', async (t) => {
  const { stage: on } = await stage(t)
  assert.equal((await runOn(on, 'memory', 'list')).out, 'No discovery is recorded.\n')
  await runOn(on, 'remember', '--type', 'rule', 'never commit generated files')
  await runOn(on, 'remember', '--type', 'rule', 'commit generated files')
  await runOn(on, 'remember', '--type', 'decision', '--module', 'api', 'sessions are kept in Postgres')
  const listed = async (...flags: string[]) =>
    JSON.parse((await runOn(on, 'memory', 'list', '--json', ...flags)).out) as {
      id: string
      content: string
      supersededBy: string | null
    }[]
  const [decision] = await listed('--type', 'decision')
  const rules = await listed('--type', 'rule')
  assert.equal((await listed('--module', 'api')).length, 1)
  const newer = rules.find(({ supersededBy }) => supersededBy === null)!
  const text = await runOn(on, 'memory', 'list')
  assert.match(
    text.out,
    new RegExp(`^${decision!.id}  \\d{4}-\\d\\d-\\d\\d  decision in api\\n  sessions`, 'm'),
  )
  assert.match(text.out, new RegExp(`\\(replaced by a newer discovery, ${newer.id}\\)`))

  const gone = await runOn(on, 'memory', 'forget', newer.id.slice(0, 8))
  assert.deepEqual([gone.code, gone.out], [0, 'Deleted: commit generated files\n'])
  const [left] = await listed('--type', 'rule')
  assert.deepEqual([left!.content, left!.supersededBy], ['never commit generated files', null])
  const json = JSON.parse((await runOn(on, 'memory', 'forget', '--json', decision!.id)).out) as {
    forgotten: { id: string }
  }
  assert.equal(json.forgotten.id, decision!.id)
  assert.equal((await listed()).length, 1)

  for (const id of [decision!.id, 'x', '']) {
    const unknown = await runOn(on, 'memory', 'forget', id)
    assert.notEqual(unknown.code, 0)
    assert.match(unknown.err, /There is no discovery|carrel memory list/)
  }
  assert.match((await runOn(on, 'memory', '--help')).out, /carrel memory forget/)
})
