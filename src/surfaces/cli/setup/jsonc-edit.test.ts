import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../../model/problem.js'
import { getIn, removeIn, setIn } from './jsonc-edit.js'

const path = ['servers', 'carrel']
const entry = { command: 'carrel', args: ['mcp'] }

const cases: [string, string, string][] = [
  [
    'a file that is empty',
    '',
    '{\n  "servers": {\n    "carrel": {\n      "command": "carrel",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  ],
  [
    'a file with only a comment',
    '// mine\n',
    '// mine\n{\n  "servers": {\n    "carrel": {\n      "command": "carrel",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  ],
  ['an empty object', '{}\n', '{"servers":{"carrel":{"command":"carrel","args":["mcp"]}}}\n'],
  ['one line', '{"a":1}', '{"a":1,"servers":{"carrel":{"command":"carrel","args":["mcp"]}}}'],
  [
    'one line with spaces',
    '{ "a": 1 }',
    '{ "a": 1, "servers": {"carrel":{"command":"carrel","args":["mcp"]}} }',
  ],
  [
    'tabs and Windows line ends',
    '{\r\n\t"a": 1\r\n}\r\n',
    '{\r\n\t"a": 1,\r\n\t"servers": {\r\n\t\t"carrel": {\r\n\t\t\t"command": "carrel",\r\n\t\t\t"args": ["mcp"]\r\n\t\t}\r\n\t}\r\n}\r\n',
  ],
  [
    'four spaces, comments and a trailing comma',
    '// top\n{\n    /* one */ "a": [1, 2,], // after a\n    "servers": {\n        // others first\n        "other": { "command": "x" }, // keep me\n    },\n    "z": null,\n}\n',
    '// top\n{\n    /* one */ "a": [1, 2,], // after a\n    "servers": {\n        // others first\n        "other": { "command": "x" }, // keep me\n        "carrel": {\n            "command": "carrel",\n            "args": ["mcp"]\n        },\n    },\n    "z": null,\n}\n',
  ],
  [
    'a comment after the last member',
    '{\n  "servers": {\n    "other": {} // mine\n  }\n}\n',
    '{\n  "servers": {\n    "other": {}, // mine\n    "carrel": {\n      "command": "carrel",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  ],
  [
    'an object with only a comment in it',
    '{\n  "servers": {\n    // none yet\n  }\n}\n',
    '{\n  "servers": {\n    // none yet\n    "carrel": {\n      "command": "carrel",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  ],
  [
    'an entry that is there already, in its own style',
    '{\n  "servers": {\n    "carrel": { "command": "old" }, // ours\n    "b": 1\n  }\n}\n',
    '{\n  "servers": {\n    "carrel": {"command":"carrel","args":["mcp"]}, // ours\n    "b": 1\n  }\n}\n',
  ],
  [
    'a byte order mark',
    '\ufeff{\n  "servers": {}\n}',
    '\ufeff{\n  "servers": {\n    "carrel": {\n      "command": "carrel",\n      "args": ["mcp"]\n    }\n  }\n}',
  ],
]

describe('setting one value', () => {
  for (const [title, before, after] of cases)
    test(`in ${title}`, () => assert.equal(setIn(before, path, entry), after))

  test('a second time changes nothing', () => {
    for (const [, before] of cases) {
      const once = setIn(before, path, entry)
      assert.equal(setIn(once, path, entry), once)
    }
  })

  test('of two members with the same name, changes the last', () => {
    assert.equal(setIn('{"a":1,"a":2}', ['a'], 3), '{"a":1,"a":3}')
  })
})

describe('a file that is broken is left alone and the place is named', () => {
  const broken: [string, RegExp][] = [
    ['{\n  "a": 1\n  "b": 2\n}', /line 3, column 3/],
    ['{"a": }', /line 1, column 7/],
    ['{"a": 1', /line 1/],
    ['{"a": "x\n"}', /line 1, column 7/],
    ['{} {}', /column 4/],
    ['{"a": 1 /* }', /line 1/],
    ["{'a': 1}", /column 2/],
  ]
  for (const [text, message] of broken)
    test(JSON.stringify(text), () =>
      assert.throws(
        () => setIn(text, path, entry),
        (e) => e instanceof Problem && message.test(e.message),
      ),
    )
  test('refuses a container that is not an object', () => {
    assert.throws(() => setIn('{"servers": []}', path, entry), /"servers" is not an object/)
    assert.throws(() => setIn('[]', path, entry), /The file is not an object/)
  })
})

/** JSON as people write it: comments, trailing commas, any spacing, any line ends. */
const space = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' // note { " ,\n', ' /* a, "b": */ ')
const key = fc.stringMatching(/^[a-z]{1,6}$/).filter((name) => name !== 'servers' && name !== 'carrel')
const scalar = fc.oneof(
  fc.constantFrom('null', 'true', '1', '-2.5e3'),
  fc.string({ maxLength: 12 }).map((s) => JSON.stringify(s)),
)
const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    tie('object'),
    fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(key, tie('value'), space, space), { maxLength: 4, selector: ([name]) => name }),
      fc.boolean(),
      space,
    )
    .map(([members, comma, end]) => {
      const written = members.map(([name, value, a, b]) => `${a}"${name}":${b}${value}`)
      return `{${written.join(',')}${comma && written.length ? ',' : ''}${end}}`
    }),
}))
const document = fc
  .tuple(space, object, space)
  .map(([a, body, b]) => a + body + (b.includes('//') ? `${b}\n` : b))

/** What is left of a text when the value at a path is not looked at. */
function without(text: string): unknown {
  const copy = structuredClone(getIn(text, [])) as Record<string, unknown>
  delete copy.servers
  return copy
}

test('whatever the file looks like, the rest of it stays as it was', () => {
  fc.assert(
    fc.property(document, (before) => {
      const after = setIn(before, path, entry)
      assert.deepEqual(getIn(after, path), entry)
      assert.deepEqual(without(after), without(before))
      let at = 0
      for (const character of before.replace(/\s/g, '')) {
        at = after.indexOf(character, at)
        assert.ok(at >= 0, 'something of the old text is gone')
        at += character.length
      }
      const removed = removeIn(removeIn(after, path), ['servers'])
      assert.deepEqual(getIn(removed, []), getIn(before, []))
      assert.equal(removed.replace(/\s/g, ''), before.replace(/\s/g, ''), 'only space may differ')
    }),
    { seed: 31, numRuns: 1_000 },
  )
})

test('removing an added value restores the exact bytes, in files of several lines', () => {
  const files = [
    '{\n  "servers": {\n    "other": {}\n  }\n}\n',
    '{\n  "servers": {\n    "other": {}, // mine\n  },\n}\n',
    '{\r\n\t"servers": {\r\n\t\t"a": 1, "b": 2\r\n\t}\r\n}',
    '{"servers":{"a":1}}',
  ]
  for (const text of files) assert.equal(removeIn(setIn(text, path, entry), path), text)
})
