// `uses` against ripgrep: every line that has the name as a whole word, and the class that the syntax tree gives it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ripgrep } from '../../src/sources/ripgrep.js'
import { classifiedUses } from '../../src/toolsets/desk/uses.js'
import { world } from '../support/world.js'

const sources = join(import.meta.dirname, '../../../src')

test('no line that ripgrep finds is missing', async (t) => {
  const { library, root } = await world(t, { 'package.json': '{}' })
  cpSync(sources, join(root, 'src'), { recursive: true, filter: (path) => !path.endsWith('.js') })
  const rg = await ripgrep()
  for (const name of ['readInside', 'Library', 'signal', 'fileRole', 'lines', 'grep', 'describe', 'path']) {
    const args = ['--no-config', '-n', '-w', '-F', '--no-heading', '--with-filename', name, '.']
    const { stdout } = spawnSync(rg, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    const expected = stdout
      .split('\n')
      .flatMap((line) => /^\.\/(.*?):(\d+):/.exec(line)?.slice(1, 3).join(':') ?? [])
      .sort()
    const { lines } = await classifiedUses(library, { name })
    assert.deepEqual(lines.map(({ path, line }) => `${path}:${line}`).sort(), expected, name)
    assert.ok(expected.length > 3, name)
  }
})

const cases: [path: string, text: string, name: string, classes: string[]][] = [
  [
    'a.ts',
    "import { x } from './b.js'\n// x\nexport const y = x + 1\nfunction x2() { return x }\n",
    'x',
    ['import', 'comment', 'use', 'use'],
  ],
  [
    'a.py',
    'from b import x\n\ndef f():\n    """Gives x."""\n    return x  # x\n\nx = 1\n',
    'x',
    ['import', 'comment', 'use', 'definition'],
  ],
  ['a.go', 'package a\n\nimport "x"\n\n// Run runs.\nfunc Run() { x.Do() }\n', 'x', ['import', 'use']],
  [
    'a.rs',
    'use crate::x;\n/* x */\nfn x() {}\nfn y() { x() }\n',
    'x',
    ['import', 'comment', 'definition', 'use'],
  ],
  [
    'A.java',
    'import a.x;\nclass A {\n  // x\n  int x = 1;\n  int f() { return x; }\n}\n',
    'x',
    ['import', 'comment', 'definition', 'use'],
  ],
  ['a.rb', '# x\ndef x\n  1\nend\nputs x\n', 'x', ['comment', 'definition', 'use']],
  [
    'a.c',
    '#include "x.h"\nint x(void) { return 1; }\n/* x */ int y = 2;\nint z(void) { return x(); }\n',
    'x',
    ['import', 'definition', 'comment', 'use'],
  ],
  ['a.md', '# x\n\nAbout x.\n', 'x', ['document', 'document']],
  ['tests/test_a.py', 'x = 1\n', 'x', ['test']],
]

for (const [path, text, name, classes] of cases)
  test(`classifies the lines of ${path} by its syntax`, async (t) => {
    const { library } = await world(t, { [path]: text, 'package.json': '{}' })
    const { lines } = await classifiedUses(library, { name })
    assert.deepEqual(
      lines.map(({ is }) => is),
      classes,
    )
  })
