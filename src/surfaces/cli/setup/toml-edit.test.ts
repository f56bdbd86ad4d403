import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../../model/problem.js'
import { hasTable, removeTable, setTable } from './toml-edit.js'

const path = ['mcp_servers', 'carrel']
const values = { command: 'carrel', args: ['mcp', '--root', '/srv/a "b"'] }
const written = '[mcp_servers.carrel]\ncommand = "carrel"\nargs = ["mcp", "--root", "/srv/a \\"b\\""]\n'

const tricky = `# settings
model = "o3" # not [a table]
prompt = """
[mcp_servers.carrel]
command = "not this"
"""
list = [
  "a", # ]
  'b]',
]
'quoted key' = { x = "[y]" }

[mcp_servers."other.one"]
command = 'C:\\path'

[[profiles]]
name = "p"`

const cases: [string, string, string][] = [
  ['an empty file', '', written],
  ['a file without a last line end', 'a = 1', `a = 1\n\n${written}`],
  ['a file that looks as if it had us already', tricky, `${tricky}\n\n${written}`],
  [
    'a table of ours with something of the user',
    '[mcp_servers.carrel]\nurl = "http://old"\nstartup_timeout_sec = 20 # slow disk\n\n[mcp_servers.carrel.env]\nX = "1"\n\n[z]\n',
    '[mcp_servers.carrel]\nstartup_timeout_sec = 20 # slow disk\ncommand = "carrel"\nargs = ["mcp", "--root", "/srv/a \\"b\\""]\n\n[mcp_servers.carrel.env]\nX = "1"\n\n[z]\n',
  ],
  [
    'a table written differently',
    '[ mcp_servers . "carrel" ]\n  command = "old"\n  args = [\n    "x",\n  ]\n',
    '[ mcp_servers . "carrel" ]\n  command = "carrel"\n  args = ["mcp", "--root", "/srv/a \\"b\\""]\n',
  ],
  [
    'an entry on one line',
    '[mcp_servers]\ncarrel = { command = "old" }\nb = 1\n',
    '[mcp_servers]\ncarrel = { command = "carrel", args = ["mcp", "--root", "/srv/a \\"b\\""] }\nb = 1\n',
  ],
  [
    'dotted keys, which are a table without a header',
    'model = "x"\nmcp_servers.carrel.command = "old" # pinned\nmcp_servers.carrel.env.X = "1"\n[z]\n',
    'model = "x"\nmcp_servers.carrel.command = "carrel" # pinned\nmcp_servers.carrel.args = ["mcp", "--root", "/srv/a \\"b\\""]\nmcp_servers.carrel.env.X = "1"\n[z]\n',
  ],
  [
    'dotted keys in the table above',
    '[mcp_servers]\ncarrel.env.X = "1"\n',
    '[mcp_servers]\ncarrel.env.X = "1"\ncarrel.command = "carrel"\ncarrel.args = ["mcp", "--root", "/srv/a \\"b\\""]\n',
  ],
  [
    'an entry with a remark behind it',
    '[mcp_servers.carrel]\r\ncommand = "npx"  # see the wiki\r\nargs = [] # none\r\n',
    '[mcp_servers.carrel]\r\ncommand = "carrel"  # see the wiki\r\nargs = ["mcp", "--root", "/srv/a \\"b\\""] # none\r\n',
  ],
  ['Windows line ends', 'a = 1\r\n', `a = 1\r\n\r\n${written.replaceAll('\n', '\r\n')}`],
]

describe('setting a table', () => {
  for (const [title, before, after] of cases)
    test(`in ${title}`, () => {
      assert.equal(setTable(before, path, values, ['url']), after)
      assert.equal(setTable(after, path, values, ['url']), after, 'a second time changes nothing')
    })

  test('refuses to add to an inline table', () => {
    assert.throws(() => setTable('mcp_servers = { a = { command = "x" } }\n', path, values), Problem)
  })

  test('in a broken file reports the line', () => {
    for (const text of ['a = 1\n= 2\n', '[a\nb = 1\n', 'a = "x\n', 'a = [1,\n'])
      assert.throws(
        () => setTable(text, path, values),
        (e) => e instanceof Problem && /line \d/.test(e.message),
        text,
      )
  })
})

describe('removing a table', () => {
  test('restores the text before', () => {
    for (const before of ['', 'a = 1\n', `${tricky}\n`])
      assert.equal(removeTable(setTable(before, path, values), path), before)
  })

  test('removes its subtables too, and nothing else', () => {
    const text =
      '# mine\n[mcp_servers.carrel]\ncommand = "x"\n# between\n[mcp_servers.carrel.env]\nX = "1"\n\n[z]\na = 1\n'
    assert.equal(removeTable(text, path), '# mine\n# between\n\n[z]\na = 1\n')
  })

  test('a missing table changes nothing', () => {
    assert.equal(hasTable(tricky, path), false)
    assert.equal(removeTable(tricky, path), tricky)
  })
})
