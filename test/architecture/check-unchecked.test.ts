// `carrel check` reports what it could not read or run, and never lets it pass.
import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type CheckReport, checkDecisions } from '../../src/toolsets/architecture/check.js'
import { track } from '../support/git-index.js'
import { asOrdinaryUser, type Files, settingsFor, temporaryFolder, write } from '../support/world.js'

import { adr, check, decided, places, rule } from './checking.js'

test('reports a folder that is skipped because of its name, unless git tracks it', async (t) => {
  const files = decided('id: r\nkind: forbid-text\npath: [src/build, src/gone]\npattern: eval', {
    'src/build/a.ts': 'eval(x)',
  })
  const report = await check(t, files)
  assert.deepEqual(
    report.broken.map(({ message }) => message),
    [
      "It can never match. src/build is passed over because of its name: nothing is looked at in tools' own folders, nor in build output: at the top of a package, or where git tracks nothing.",
    ],
  )
  const root = temporaryFolder(t)
  write(root, files)
  track(root, ['src/build/a.ts'])
  const tracked = await checkDecisions(settingsFor(root))
  assert.deepEqual(
    [places(tracked), tracked.notes.map(({ message }) => message)],
    [['src/build/a.ts:1 r'], ['There are no files at src/gone.']],
  )
})

describe('rules that cannot be run', () => {
  test('are broken, each with its place and reason, and the others are run', async (t) => {
    const report = await check(t, {
      'a.ts': `foo\n${'a'.repeat(60)}!`,
      'b.kt': 'fun main() {}',
      'docs/adr/0001-a.md': adr(
        'Accepted',
        rule('id: no-such-kind\nkind: forbid-everything'),
        rule('id: slow\nkind: forbid-text\npattern: (a+)+$'),
        rule('id: no-tree\nkind: forbid-tree\nlanguage: typescript\npattern: "a(); b("'),
        rule('id: no-grammar\nkind: forbid-tree\nlanguage: kotlin\npattern: f($A)'),
        rule('id: good\nkind: forbid-text\npattern: foo'),
      ),
    })
    assert.deepEqual(report.broken.map(({ rule }) => rule).sort(), [
      'no-grammar',
      'no-such-kind',
      'no-tree',
      'slow',
    ])
    assert.ok(
      report.broken.every(
        ({ document, documentLine, message }) =>
          document === 'docs/adr/0001-a.md' && documentLine > 10 && message,
      ),
    )
    assert.deepEqual(places(report), ['a.ts:1 good'])
  })

  const mixed = {
    'a.ts': 'console.log(1)\nconst f = x => { y }',
    'b.py': 'x = 1',
    'c.css': 'a {}',
    'd.html': '<p>x</p>',
  }
  test('half a tree pattern is broken, whatever languages there are', async (t) => {
    const report = await check(t, decided('id: r\nkind: forbid-tree\npattern: console.log($A', mixed))
    assert.match(report.broken[0]?.message ?? '', /"console\.log\(\$A" is no \w+ that can be read/)
    assert.equal(report.counts.passed, 0)
  })

  test('a tree pattern is about the languages it can be read in', async (t) => {
    const report = await check(t, decided('id: r\nkind: forbid-tree\npattern: "$A => { $$$ }"', mixed))
    assert.deepEqual([places(report), report.broken, report.notes], [['a.ts:2 r'], [], []])
  })

  test('a rule that looks at nothing is broken', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: forbid-text\npath: moved/away\npattern: x', { 'a.ts': 'x' }),
    )
    assert.match(report.broken[0]?.message ?? '', /can never match.*no files at moved\/away/)
  })

  test('files that cannot be read, or are no text, spoil nothing', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: forbid-text\npattern: foo', {
        'a.bin': new Uint8Array([0, 1, 2, 102, 111, 111]),
        'b.ts': new Uint8Array([0xff, 0xfe, 0x66, 0x00]),
        'big.ts': 'x'.repeat(2_100_000),
        'c.ts': 'foo',
      }),
    )
    assert.deepEqual(places(report), ['c.ts:1 r'])
    assert.match(report.notes[0]?.message ?? '', /big\.ts/)
  })
})

describe('rules that saw nothing have not passed', () => {
  const big = 'x'.repeat(2_100_000)
  const cases: [name: string, yaml: string, files: Files, reason: RegExp][] = [
    [
      'the only file is too large',
      'id: r\nkind: forbid-text\npath: src/big.ts\npattern: eval',
      { 'src/big.ts': big, 'src/a.ts': 'eval' },
      /src\/big\.ts: The file has \d+ bytes/,
    ],
    [
      'of the trees, one is too large and one cannot be read',
      'id: r\nkind: forbid-tree\nlanguage: ts\npattern: eval($A)',
      { 'src/big.ts': big, 'src/b.ts': 'const = (((' },
      /src\/b\.ts: Line 1 is no typescript.* src\/big\.ts: The file has/,
    ],
    [
      'imports of a file that is binary',
      'id: r\nkind: forbid-import\nimport: pg',
      { 'a.ts': new Uint8Array([0, 1, 2, 3]) },
      /a\.ts: This is a binary file/,
    ],
    [
      'what one file must have may stand in the one that cannot be read',
      'id: r\nkind: require-text\npath: src\npattern: Licence',
      { 'src/a.ts': 'x', 'src/big.ts': big },
      /src\/big\.ts: The file has/,
    ],
    [
      'files of the place are in languages whose trees cannot be read',
      'id: r\nkind: forbid-tree\npath: src\npattern: f($A)',
      { 'src/a.kt': 'f(x)' },
      /Syntax trees of kotlin cannot be read/,
    ],
    [
      'layers are in languages whose imports cannot be read',
      'id: r\nkind: layers\nlayers: [src/ui, src/core]',
      { 'src/core/a.kt': 'import ui.b' },
      /Imports of kotlin cannot be read/,
    ],
    [
      'the only manifest is too large',
      'id: r\nkind: forbid-dependency\ndependency: pg',
      { 'package.json': big },
      /package\.json: The file has \d+ bytes/,
    ],
    [
      'a required dependency may stand in a manifest that cannot be read',
      'id: r\nkind: require-dependency\ndependency: pg',
      { 'package.json': new Uint8Array([0, 1, 2, 3]) },
      /package\.json: This is a binary file/,
    ],
  ]
  for (const [name, yaml, files, reason] of cases)
    test(name, async (t) => {
      const report = await check(t, decided(yaml, files))
      assert.deepEqual(places(report), [])
      assert.deepEqual(report.broken, [])
      assert.deepEqual([report.counts.passed, report.counts.unchecked], [0, 1])
      assert.match(report.unchecked[0]!.message, reason)
      assert.equal(report.unchecked[0]!.rule, 'r')
    })

  test('one that was judged somewhere has, and says where it was not', async (t) => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`b${i}.ts`, 'const = (((']))
    const report = await check(
      t,
      decided('id: r\nkind: forbid-tree\nlanguage: ts\npattern: eval($A)', { 'a.ts': 'x()', ...many }),
    )
    assert.deepEqual([report.counts.passed, report.counts.unchecked, report.counts.files], [1, 0, 1])
    assert.equal(report.notes.length, 6)
    assert.match(report.notes[5]!.message, /^3 more files could not be judged\.$/)
  })

  const pages = {
    'src/core/a.ts': 'import "./b.js"\n',
    'src/core/b.kt': 'import ui.x',
    'src/core/c.kt': '',
    'src/core/d.html': '<p>',
    'src/core/e.mdx': 'import "../ui/x"',
    'src/core/f.md': 'x',
    'src/core/g.json': '{}',
    'src/core/h.css': '',
  }
  test('names files whose imports are not read', async (t) => {
    const placed = await check(
      t,
      decided('id: r\nkind: layers\nlayers: [src/ui, src/core]', { ...pages, 'src/ui/x.ts': '' }),
    )
    assert.deepEqual(
      placed.notes.map(({ message }) => message),
      [
        'src/core/b.kt and 1 more: Imports of kotlin cannot be read.',
        'src/core/d.html: Imports of html cannot be read.',
        'src/core/e.mdx: Imports of mdx cannot be read.',
        'src/core/h.css: Imports of css cannot be read.',
      ],
    )
    const anywhere = await check(t, decided('id: r\nkind: forbid-import\nimport: ./ui', pages))
    assert.deepEqual(
      anywhere.notes.map(({ message }) => message.slice(0, 14)),
      ['src/core/e.mdx'],
    )
  })

  test('imports whose names are computed are named', async (t) => {
    const code = `const n = 1\nimport('../ui/' + n)\nimport(\`../ui/\${n}\`)\nrequire(n)\nimport('./b')\n`
    const report = await check(
      t,
      decided('id: r\nkind: layers\nlayers: [src/ui, src/core]', {
        'src/core/a.ts': code,
        'src/ui/x.ts': '',
      }),
    )
    assert.deepEqual([places(report), report.counts.passed], [[], 1])
    assert.deepEqual(
      report.notes.map(({ message }) => message),
      [2, 3, 4].map((line) => `src/core/a.ts:${line}: The name of what is imported is computed.`),
    )
  })

  test('a found violation counts, whatever else could not be read', async (t) => {
    const files = { 'src/a.ts': 'x', 'src/big.ts': big }
    const report = await check(
      t,
      decided('id: r\nkind: require-text\npath: src\nevery: true\npattern: Licence', files),
    )
    assert.deepEqual(places(report), ['src/a.ts:- r'])
  })

  test('a path that leads out of the project is broken', async (t) => {
    const report = await check(t, decided('id: r\nkind: file-must-not-exist\npath: ../secret'))
    assert.match(report.broken[0]!.message, /leads out of the project/)
  })

  test('a language that does not exist is broken', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: forbid-text\nlanguage: typscript\npattern: foo', { 'a.ts': 'foo' }),
    )
    assert.match(report.broken[0]!.message, /no language "typscript".*"typescript"/)
  })
})

describe('folders that cannot be read', () => {
  async function checkShut(t: TestContext, shut: string, files: Files): Promise<CheckReport> {
    const root = temporaryFolder(t)
    write(root, files)
    try {
      return await asOrdinaryUser(root, () => {
        chmodSync(join(root, shut), 0)
        return checkDecisions(settingsFor(root))
      })
    } finally {
      chmodSync(join(root, shut), 0o700)
    }
  }
  const shut = { 'src/a.ts': 'x', 'src/shut/b.ts': 'eval(x)', 'package.json': '{}' }
  const outcomes: [yaml: string, outcome: 'note' | 'unchecked' | 'neither'][] = [
    ['kind: forbid-text\npattern: eval', 'note'],
    ['kind: forbid-text\npath: src/shut\npattern: eval', 'unchecked'],
    ['kind: forbid-text\npath: src/*.ts\npattern: eval', 'neither'],
    ['kind: forbid-text\nexcept: src/shut\npattern: eval', 'neither'],
    ['kind: require-text\npath: src\npattern: eval', 'unchecked'],
    ['kind: layers\nlayers: [lib, src]', 'note'],
    ['kind: file-must-not-exist\npath: src/shut/b.ts', 'unchecked'],
    ['kind: file-must-not-exist\npath: src/shut/*.ts', 'unchecked'],
    ['kind: file-must-not-exist\npath: "**/*.orig"', 'note'],
    ['kind: file-must-exist\npath: src/**/b.ts', 'unchecked'],
    ['kind: file-must-not-exist\npath: src/gone.ts', 'neither'],
    ['kind: forbid-dependency\ndependency: pg', 'note'],
    ['kind: require-dependency\ndependency: pg', 'unchecked'],
  ]
  test('may hide files that a rule concerns', async (t) => {
    const rules = outcomes.map(([yaml], i) => rule(`id: r${i}\n${yaml}`))
    const report = await checkShut(t, 'src/shut', {
      ...shut,
      'docs/adr/0001-a.md': adr('Accepted', ...rules),
    })
    const noteOf = (notes: CheckReport['notes'], i: number) => notes.find(({ rule }) => rule === `r${i}`)
    for (const [i, [yaml, outcome]] of outcomes.entries()) {
      const seen = noteOf(report.unchecked, i) ? 'unchecked' : noteOf(report.notes, i) ? 'note' : 'neither'
      assert.equal(seen, outcome, yaml)
    }
    assert.match(
      noteOf(report.notes, 0)!.message,
      /^src\/shut\/: The folder cannot be read: Permission denied/,
    )
    assert.deepEqual([places(report), report.broken], [[], []])
  })

  for (const folder of ['docs', 'docs/adr', 'docs/adr/old'])
    test(`may have rules: ${folder}`, async (t) => {
      const report = await checkShut(t, folder, { 'a.ts': 'x', 'docs/adr/old/0001-a.md': adr('Accepted') })
      assert.deepEqual(
        report.unchecked.map(({ document, rule }) => [document, rule]),
        [[`${folder}/`, null]],
      )
      assert.equal(report.counts.unread, 1)
    })

  test('and has none where no documents are', async (t) => {
    assert.deepEqual((await checkShut(t, 'docs/more', { 'docs/more/a.md': 'x' })).unchecked, [])
  })
})

describe('documents are read as files are', () => {
  const foo = adr('Accepted', rule('id: r\nkind: forbid-text\npattern: foo'))

  test('UTF-16 and Latin-1 are text', async (t) => {
    const utf16 = Buffer.from(`\ufeff${foo}`, 'utf16le')
    const latin = Buffer.from(foo.replace('A decision', 'Café').replace('id: r', 'id: s'), 'latin1')
    const report = await check(t, {
      'a.ts': 'foo',
      'docs/adr/0001-a.md': utf16,
      'docs/adr/0002-b.md': latin,
    })
    assert.deepEqual(places(report), ['a.ts:1 r', 'a.ts:1 s'])
    assert.equal(report.violations[1]!.title, 'Café')
  })

  test('a document that cannot be read is reported, and is no pass', async (t) => {
    const report = await check(t, {
      'a.ts': 'foo',
      'docs/adr/0001-a.md': Buffer.from(foo, 'utf16le'),
      'docs/adr/0002-b.md': 'x'.repeat(2_100_000),
    })
    assert.deepEqual(
      report.unchecked.map(({ document, rule }) => [document, rule]),
      [
        ['docs/adr/0001-a.md', null],
        ['docs/adr/0002-b.md', null],
      ],
    )
    assert.deepEqual([report.counts.unread, report.counts.rules], [2, 0])
  })
})
