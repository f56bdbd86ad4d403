import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { deskToolset, shelf } from '../../../test/surfaces/fixture.js'
import { fixtureSurface } from '../../../test/surfaces/serving.js'
import { errorShapes } from '../../server/error-shapes.js'
import { registry } from '../../server/registry.js'
import { runTool, toolList } from './tool-command.js'

async function run(
  name: string,
  json?: string,
  input: string | Buffer = '',
  asJson = false,
  surface = fixtureSurface(),
) {
  const output = { stdout: '', stderr: '' }
  const sink = (to: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      output[to] += text
    },
  })
  const terminal = { stdin: Readable.from([input]), stdout: sink('stdout'), stderr: sink('stderr') }
  const code = await runTool(surface, { name, asJson, ...(json !== undefined && { json }) }, terminal)
  return { code, ...output }
}

const cases: [
  string,
  [string, string?, (string | Buffer)?],
  { code: number; stdout?: RegExp; stderr?: RegExp },
][] = [
  [
    'prints the result',
    ['read_note', '{"name":"welcome"}'],
    { code: 0, stdout: /^\{"name":"welcome",.*\}\n$/ },
  ],
  ['takes no arguments as none', ['list_notes'], { code: 0, stdout: /^\["welcome","über"\]\n$/ }],
  [
    'reads arguments from standard input',
    ['read_note', '-', '{"name":"x"}'],
    { code: 0, stdout: /^Note "x" not found\.\n$/ },
  ],
  [
    'passes over the mark that PowerShell puts before text',
    ['read_note', '-', '\ufeff{"name":"x"}'],
    { code: 0, stdout: /^Note "x" not found\.\n$/ },
  ],
  [
    'refuses what is not UTF-8',
    ['read_note', '-', Buffer.from('{"name":"caf\xe9"}', 'latin1')],
    { code: 2, stderr: /not UTF-8\. Convert it/ },
  ],
  ['names the nearest tool', ['raed_note', '{}'], { code: 2, stderr: /Did you mean "read_note"\?/ }],
  ['explains broken JSON', ['read_note', '{name}'], { code: 2, stderr: /not valid JSON/ }],
  ['explains wrong arguments', ['read_note', '{"nam":1}'], { code: 2, stderr: /did you mean "name"/ }],
  [
    'fails with what cannot be met',
    ['write_note', '{"name":"locked","text":""}'],
    { code: 1, stderr: /NODE_EXISTS/ },
  ],
]

for (const [title, args, expected] of cases)
  test(title, async () => {
    const { code, stdout, stderr } = await run(...args)
    assert.equal(code, expected.code, stderr)
    assert.match(stdout, expected.stdout ?? /^$/)
    assert.match(stderr, expected.stderr ?? /^$/)
  })

test('escapes control sequences from any source', async () => {
  const obeyed = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/
  const written = 'a\x1b[2J\x9b31m\u202eb'
  const calls: [string, string][] = [
    ['read_note', JSON.stringify({ name: written })],
    ['read_note', JSON.stringify({ [written]: 1 })],
    ['read_note', `{${written}`],
    [written, '{}'],
  ]
  for (const [name, json] of calls)
    for (const asJson of [false, true]) {
      const { stdout, stderr } = await run(name, json, '', asJson)
      assert.notEqual(stdout + stderr, '')
      assert.doesNotMatch(stdout + stderr, obeyed)
    }
})

describe('with --json stdout has one JSON value', () => {
  const calls: [string, [string, string?], { code: number; value: unknown }][] = [
    ['of the result', ['list_notes'], { code: 0, value: ['welcome', 'über'] }],
    ['of a text', ['read_note', '{"name":"x"}'], { code: 0, value: 'Note "x" not found.' }],
    ['of an unknown tool', ['raed_note', '{}'], { code: 2, value: 'unknown_tool' }],
    ['of broken JSON', ['read_note', '{name}'], { code: 2, value: 'usage' }],
    ['of wrong arguments', ['read_note', '{"nam":1}'], { code: 2, value: 'invalid_params' }],
    ['of a failure', ['write_note', '{"name":"locked","text":""}'], { code: 1, value: 'exists' }],
  ]
  for (const [title, [name, json], expected] of calls)
    test(title, async () => {
      const { code, stdout, stderr } = await run(name, json, '', true)
      const printed = JSON.parse(stdout)
      assert.deepEqual([code, printed.error?.code ?? printed], [expected.code, expected.value], stdout)
      assert.equal(stderr === '', code === 0)
    })

  test('of the list', () => {
    const [first] = JSON.parse(toolList(fixtureSurface().registry, { asJson: true }))
    assert.deepEqual(Object.keys(first), ['name', 'summary'])
  })
})

describe('a failure that its toolset words as an ordinary result is on stdout, and fails all the same', () => {
  const surface = {
    ...fixtureSurface(),
    registry: registry([{ ...deskToolset, errorShape: errorShapes.knowledge }], shelf()),
  }
  const calls: [string, string, number][] = [
    ['when it cannot be met', '{"name":"locked","text":""}', 1],
    ['when it is not understood', '{"nam":1}', 2],
    ['but not when all is well', '{"name":"open","text":""}', 0],
  ]
  for (const [title, json, expected] of calls)
    for (const asJson of [false, true])
      test(`${title}${asJson ? ', with --json' : ''}`, async () => {
        const { code, stdout, stderr } = await run('write_note', json, '', asJson, surface)
        assert.deepEqual([code, stderr], [expected, ''])
        assert.equal(JSON.parse(stdout).success, expected === 0 ? undefined : false)
      })
})

test('lists the tools with a line each', () => {
  assert.match(
    toolList(fixtureSurface().registry),
    /^read_note {3}Returns the text of one note with its length\.\n/,
  )
})
