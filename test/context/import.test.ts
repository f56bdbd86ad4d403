import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allDiscoveries } from '../../src/answer/memory/records.js'
import { indexAll } from '../../src/app/index-all.js'
import { readTranscriptLine } from '../../src/parse/transcript.js'
import { importNotes, importTranscript } from '../../src/toolsets/context/import.js'
import { recordDiscovery } from '../../src/toolsets/context/record-discovery.js'
import { world } from '../support/world.js'

const claude = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  uuid: 'message-1',
  timestamp: '2026-03-01T10:00:00Z',
  sessionId: 'session-1',
  ...more,
})

const codex = (text: string, more: object = {}) => ({
  timestamp: '2026-03-02T10:00:00Z',
  type: 'response_item',
  payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  ...more,
})

async function imported(t: TestContext, lines: (object | string)[], end = '\n') {
  const { library, root } = await world(t, { 'src/auth/token.ts': 'export const token = 1\n' })
  await indexAll(library, {})
  const file = join(root, 'transcript.jsonl')
  writeFileSync(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end,
  )
  return { library, file, report: () => importTranscript(library, file) }
}

test('statements of Claude Code and Codex are kept with file, line, message and time', async (t) => {
  const { library, report } = await imported(t, [
    { type: 'summary', summary: 'We decided to go home early today.', leafUuid: 'x' },
    claude('Looking at it. The root cause was a missing await in src/auth/token.ts. Let me fix it.'),
    { type: 'session_meta', payload: { id: 'codex-1' } },
    codex('We decided to keep the outbox table for one month.'),
    {
      type: 'event_msg',
      payload: { type: 'agent_message', message: 'We decided to repeat everything twice.' },
    },
  ])
  const { file, messages, recorded, unreadable } = await report()
  assert.deepEqual([file, messages, recorded, unreadable], ['transcript.jsonl', 2, 2, 0])
  const [decision, issue] = (await allDiscoveries(library)).sort((a, b) => (a.type < b.type ? -1 : 1))
  assert.deepEqual(issue, {
    ...issue,
    content: 'The root cause was a missing await in src/auth/token.ts.',
    module: 'auth',
    session: 'session-1',
    createdAt: '2026-03-01T10:00:00.000Z',
    provenance: [
      {
        by: 'transcript',
        file: 'transcript.jsonl',
        line: 2,
        message: 'message-1',
        at: '2026-03-01T10:00:00.000Z',
        session: 'session-1',
      },
    ],
  })
  assert.deepEqual([decision?.session, decision?.provenance[0]?.line], ['codex-1', 4])
})

test('the same file twice adds nothing', async (t) => {
  const { library, report } = await imported(t, [claude('Never commit generated files to the repository.')])
  await report()
  const again = await report()
  assert.deepEqual([again.recorded, again.merged], [0, 1])
  assert.equal((await allDiscoveries(library))[0]?.count, 1)
})

test('secrets of a transcript are not kept', async (t) => {
  const key = `sk_live_${'aB3dE6gH9j'.repeat(3)}`
  const { library, report } = await imported(t, [claude(`Never put ${key} into the repository of the shop.`)])
  await report()
  assert.match((await allDiscoveries(library))[0]!.content, /^Never put \[redacted Stripe key\]/)
})

test('cut, foreign and huge lines are passed over and counted', async (t) => {
  const { report } = await imported(
    t,
    [
      'not json',
      '[1, 2]',
      'null',
      '{"type":"assistant","message":{"content":[{"type":"text","text":42},null,"x"]}}',
      '{"type":"user","message":null}',
      JSON.stringify(claude('x'.repeat(5_000_000))),
      '\u0000\u0001',
      '',
      JSON.stringify(claude('Always run the linter before pushing a branch.')),
      '{"type":"assistant","mess',
    ],
    '',
  )
  const { recorded, unreadable } = await report()
  assert.deepEqual([recorded, unreadable], [1, 6])
})

test('a file that is no transcript is refused with a hint', async (t) => {
  const { report, library, file } = await imported(t, ['# Notes', 'Never commit generated files.'])
  await assert.rejects(report(), /no transcript/)
  await assert.rejects(importTranscript(library, `${file}.gone`), /no file/)
  await assert.rejects(importTranscript(library, join(file, '..')), /is a folder, not a file/)
})

test('inserted context, results of tools and system prompts are no statements', () => {
  const textOf = (line: object) => readTranscriptLine(line)?.message?.text ?? null
  const rule = 'Never commit generated files.'
  assert.equal(textOf(claude(`<system-reminder>${rule}</system-reminder>Fine.`)), 'Fine.')
  assert.equal(textOf(claude(`Fine. <system-reminder>${rule}`)), 'Fine.')
  assert.equal(textOf(claude(rule, { isMeta: true })), null)
  assert.equal(
    textOf(claude('', { message: { role: 'user', content: [{ type: 'tool_result', content: rule }] } })),
    null,
  )
  assert.equal(
    textOf(
      codex(rule, {
        payload: { type: 'message', role: 'developer', content: [{ type: 'input_text', text: rule }] },
      }),
    ),
    null,
  )
  assert.equal(textOf({ type: 'message', role: 'user', content: [{ type: 'input_text', text: rule }] }), rule)
  assert.equal(textOf({ type: 'unknown' }), null)
})

test('notes: lists under headings and labelled lines', async (t) => {
  const { library, root } = await world(t, {
    'notes.md':
      '# Decisions\n\n- Sessions live in Postgres, next to the users\n\n# Other\n\nRule: names are in English throughout.\n',
  })
  await indexAll(library, {})
  const { recorded } = await importNotes(library, join(root, 'notes.md'))
  assert.equal(recorded, 2)
  const stored = (await allDiscoveries(library)).map(({ type, content, provenance }) => [
    type,
    content,
    provenance[0]?.line,
  ])
  assert.deepEqual(stored.sort(), [
    ['decision', 'Sessions live in Postgres, next to the users', 3],
    ['rule', 'Names are in English throughout.', 7],
  ])
})

test('notes: items that cannot be recorded are reported with their lines', async (t) => {
  const { library, root } = await world(t, {
    'notes.md': `# Rules\n\n- Use tabs in Go\n- Tabs\n- ${'so on and '.repeat(200)}\n- sk_live_${'aB3dE6gH9j'.repeat(3)}\n`,
  })
  await indexAll(library, {})
  const { recorded, leftOut } = await importNotes(library, join(root, 'notes.md'))
  assert.deepEqual([recorded, leftOut], [1, [4, 5, 6]])
})

test('notes: a line that was imported before does not count again, whatever was recorded since', async (t) => {
  const line = '- Always enable retries for deliveries.\n'
  const { library, root } = await world(t, { 'n.md': line })
  const file = join(root, 'n.md')
  await importNotes(library, file)
  const message = {
    type: 'rule',
    content: 'Never enable retries for deliveries.',
    from: { by: 'tool' },
  } as const
  const never = await recordDiscovery(library, message)
  const before = await allDiscoveries(library)
  assert.equal(never.supersedes.length, 1)
  writeFileSync(file, `${line}- Always name the branch after the ticket.\n`)
  const { recorded, merged, superseded } = await importNotes(library, file)
  assert.deepEqual([recorded, merged, superseded], [1, 1, 0])
  const after = await allDiscoveries(library)
  assert.deepEqual(
    after.filter(({ id }) => before.some((one) => one.id === id)),
    before,
  )
})

test('notes: a line that moved does not count again; an additional equal one does', async (t) => {
  const [always, never] = [
    '- Always enable retries for deliveries.\n',
    '- Never enable retries for deliveries.\n',
  ]
  const { library, root } = await world(t, {})
  const file = join(root, 'n.md')
  const imported = async (...lines: string[]) => {
    writeFileSync(file, lines.join(''))
    await importNotes(library, file)
    const stored = await allDiscoveries(library)
    return stored
      .filter(({ content }) => content.endsWith('enable retries for deliveries.'))
      .map(({ content, count, supersededBy }) => [content.split(' ')[0], count, supersededBy !== null])
      .sort()
  }
  const reports = [
    ['Always', 1, true],
    ['Never', 1, false],
  ]
  assert.deepEqual(await imported(always, never), reports)
  assert.deepEqual(await imported('# Deliveries\n\n', always, '- Always name the branch.\n', never), reports)
  assert.deepEqual(await imported(never, always), reports)
  const again = [
    ['Always', 2, false],
    ['Never', 1, true],
  ]
  assert.deepEqual(await imported(always, never, always), again)
  assert.deepEqual(await imported('# Deliveries\n\n', always, never, always), again)
})

test('no statement is dated later than now, whatever the time of a file or a message', async (t) => {
  const { library, file, report } = await imported(t, [
    claude('Always run the linter before pushing a branch.', { timestamp: '2099-01-01T00:00:00Z' }),
    claude('Never commit generated files to the repository.', { timestamp: '+012026-01-01T00:00:00Z' }),
  ])
  const notes = join(file, '../n.md')
  writeFileSync(notes, '- Always enable retries for deliveries.\n')
  utimesSync(notes, new Date('2099-01-01'), new Date('2099-01-01'))
  await report()
  await importNotes(library, notes)
  const now = new Date().toISOString()
  const stored = await allDiscoveries(library)
  assert.equal(stored.length, 3)
  for (const { createdAt, updatedAt, provenance } of stored)
    assert.ok([createdAt, updatedAt, provenance[0]!.at].every((at) => at.startsWith('20') && at <= now))
  const message = {
    type: 'rule',
    content: 'Never enable retries for deliveries.',
    from: { by: 'tool' },
  } as const
  const { supersedes, discovery } = await recordDiscovery(library, message)
  assert.deepEqual([supersedes.length, discovery.supersededBy], [1, null])
})
