// `carrel check`: the rules of decisions over a code base, from files alone.
import assert from 'node:assert/strict'
import { appendFileSync, chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Configuration } from '../../src/model/settings.js'
import { type CheckReport, checkDecisions } from '../../src/services/architecture/check.js'
import { runOn } from '../cli-stage.js'
import {
  asOrdinaryUser,
  copySample,
  type Files,
  settingsFor,
  temporaryFolder,
  write,
} from '../support/world.js'

const adr = (status: string, ...rules: string[]) =>
  `# 1. A decision\n\n## Status\n\n${status}\n\n## Context\n\nWhy.\n\n## Decision\n\nWe do.\n\n${rules.map((rule) => `\`\`\`rule\n${rule}\n\`\`\`\n`).join('\n')}`

async function check(t: TestContext, files: Files): Promise<CheckReport> {
  const root = temporaryFolder(t)
  write(root, files)
  const report = await checkDecisions(settingsFor(root))
  const { rules, passed, violated, broken, unchecked, lapsed, forSnippets } = report.counts
  assert.equal(passed + violated + broken + unchecked + lapsed + forSnippets, rules, 'the counts add up')
  return report
}

const places = ({ violations }: CheckReport) =>
  violations.map(({ file, line, rule }) => `${file ?? '-'}:${line ?? '-'} ${rule}`)
const rule = (yaml: string) => `${yaml}\nmessage: Because.`
const decided = (yaml: string, more: Files = {}): Files => ({
  'docs/adr/0001-a.md': adr('Accepted', rule(yaml)),
  ...more,
})

describe('what a rule finds', () => {
  const layered = {
    'src/ui/a.ts': "import { b } from '../core/b.js'\n",
    'src/core/b.ts': "export const b = 1\nimport { a } from '../ui/a.js'\n",
    'src/core/deep/c.ts': "import { a } from '../../ui/a'\n",
    'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@ui/*": ["src/ui/*"] } } }',
    'src/core/d.ts': "import { a } from '@ui/a'\n",
  }
  const cases: [name: string, yaml: string, files: Files, expected: string[]][] = [
    [
      'text, by line',
      'id: r\nkind: forbid-text\npattern: foo',
      { 'a.ts': '\nfoo\n\nfoo', 'b.md': 'foo' },
      ['a.ts:2 r', 'a.ts:4 r', 'b.md:1 r'],
    ],
    [
      'text of one language',
      'id: r\nkind: forbid-text\nlanguage: ts\npattern: foo',
      { 'a.ts': 'foo', 'b.md': 'foo' },
      ['a.ts:1 r'],
    ],
    [
      'text of one place, with an exception',
      'id: r\nkind: forbid-text\npath: src/**/*.ts\nexcept: src/x.ts\npattern: foo',
      { 'src/a.ts': 'foo', 'src/x.ts': 'foo', 'lib/a.ts': 'foo' },
      ['src/a.ts:1 r'],
    ],
    [
      'a tree',
      'id: r\nkind: forbid-tree\nlanguage: python\npattern: print($$$)',
      { 'a.py': 'x = 1\nprint(x)\n', 'b.py': '# print(x)\n' },
      ['a.py:2 r'],
    ],
    [
      'a package that is imported',
      'id: r\nkind: forbid-import\nimport: [lodash, "@aws-sdk/*"]',
      { 'a.ts': "import x from 'lodash/fp'\nimport 'lodash-es'\nimport '@aws-sdk/client'\n" },
      ['a.ts:1 r', 'a.ts:3 r'],
    ],
    [
      'imports of other languages',
      'id: r\nkind: forbid-import\nimport: [requests, "github.com/x/y", serde, org.junit]',
      {
        'a.py': 'import os\nfrom requests.auth import X\n',
        'b.go': 'package b\n\nimport (\n\t"fmt"\n\t"github.com/x/y/z"\n)\n',
        'c.rs': 'use std::io;\nuse serde::de;\n',
        'D.java': 'import java.util.List;\nimport org.junit.Test;\n',
      },
      ['D.java:2 r', 'a.py:2 r', 'b.go:5 r', 'c.rs:2 r'],
    ],
    [
      'a package, and none whose name only begins like it',
      'id: r\nkind: forbid-import\nimport: [lodash, os.path]',
      {
        'a.ts': 'import get from "lodash.get"\nimport lodash from "lodash"\nimport fp from "lodash/fp"\n',
        'b.py': 'from os import sep\nfrom os import path\nimport os.path\n',
      },
      ['a.ts:2 r', 'a.ts:3 r', 'b.py:2 r', 'b.py:3 r'],
    ],
    [
      'each import on its own line, once a line',
      'id: r\nkind: forbid-import\nimport: lodash',
      {
        'a.ts':
          'import es from "lodash-es"\n// lodash\nimport x from "lodash"\nimport y from "lodash"; import z from "lodash/fp"\nconst w = await import(`lodash`)\n',
        'b.py': 'import lodash_es\nx = "lodash"\ndef f():\n    import lodash\n    import os, lodash.x\n',
      },
      ['a.ts:3 r', 'a.ts:4 r', 'a.ts:5 r', 'b.py:4 r', 'b.py:5 r'],
    ],
    [
      'each import through layers on its own line',
      'id: r\nkind: layers\nlayers: [src/ui, src/core]',
      {
        'src/ui/b.ts': '',
        'src/core/a.ts':
          'import { b } from "../ui/b.js"\nconst l = () => import("../ui/b")\nimport type { X } from "../ui/b"\nexport * from "../ui"\nimport "./b"\ntype Q = import("../ui/b").Q\n',
      },
      [
        'src/core/a.ts:1 r',
        'src/core/a.ts:2 r',
        'src/core/a.ts:3 r',
        'src/core/a.ts:4 r',
        'src/core/a.ts:6 r',
      ],
    ],
    [
      'a place that is imported, relative or by alias',
      'id: r\nkind: forbid-import\nfrom: src/core\nimport: ../ui',
      layered,
      ['src/core/b.ts:2 r', 'src/core/d.ts:1 r', 'src/core/deep/c.ts:1 r'],
    ],
    [
      'a place named from the root',
      'id: r\nkind: forbid-import\nfrom: src/core\nimport: src/ui',
      layered,
      ['src/core/b.ts:2 r', 'src/core/d.ts:1 r', 'src/core/deep/c.ts:1 r'],
    ],
    [
      'a place written as a folder',
      'id: r\nkind: forbid-import\nfrom: src/core/\nimport: ../ui/',
      layered,
      ['src/core/b.ts:2 r', 'src/core/d.ts:1 r', 'src/core/deep/c.ts:1 r'],
    ],
    [
      'layers',
      'id: r\nkind: layers\nlayers: [src/ui, src/core]',
      layered,
      ['src/core/b.ts:2 r', 'src/core/d.ts:1 r', 'src/core/deep/c.ts:1 r'],
    ],
    [
      'layers the other way round',
      'id: r\nkind: layers\nlayers: [src/core, src/ui]',
      layered,
      ['src/ui/a.ts:1 r'],
    ],
    [
      'a file that is missing',
      'id: r\nkind: file-must-exist\npaths: [a.json, "*.lock", .gitignore]',
      { '.gitignore': 'x' },
      ['*.lock:- r', 'a.json:- r'],
    ],
    [
      'a file that should not be',
      'id: r\nkind: file-must-not-exist\npath: "**/*.orig"',
      { 'a/b.orig': '' },
      ['a/b.orig:- r'],
    ],
    [
      'files that should not be, but for some',
      'id: r\nkind: file-must-not-exist\npaths: ["legacy/*.ts", old.js, gone]\nexcept: [legacy/ok.ts, gone/keep]',
      { 'legacy/ok.ts': '', 'legacy/no.ts': '', 'old.js': '', 'gone/keep/a': '', 'gone/b': '' },
      ['gone/b:- r', 'legacy/no.ts:- r', 'old.js:- r'],
    ],
    [
      'a file that all is excepted from',
      'id: r\nkind: file-must-not-exist\npaths: [old.js, gone, empty/x]\nexcept: [old.js, gone, empty]',
      { 'old.js': '', 'gone/a': '', 'empty/x': '' },
      [],
    ],
    [
      'a folder with nothing to except, ignored files and all',
      'id: r\nkind: file-must-not-exist\npath: out\nexcept: out/keep',
      { '.gitignore': 'out/\n', 'out/a.bin': '' },
      ['out:- r'],
    ],
    [
      'a file that must exist beside the exceptions',
      'id: r\nkind: file-must-exist\npath: "*.lock"\nexcept: old.lock',
      { 'old.lock': '' },
      ['*.lock:- r'],
    ],
    [
      'layers in one place, with an exception',
      'id: r\nkind: layers\npath: "**/*.ts"\nexcept: src/core/d.ts\nlayers: [src/ui, src/core]',
      { ...layered, 'src/core/e.js': "import '../ui/a.js'" },
      ['src/core/b.ts:2 r', 'src/core/deep/c.ts:1 r'],
    ],
    [
      'a dependency that is missing',
      'id: r\nkind: require-dependency\ndependency: [pg, zod]',
      { 'package.json': '{\n"dependencies": {\n"pg": "1"\n}\n}' },
      ['package.json:- r'],
    ],
    [
      'a dependency that one of several manifests must have',
      'id: r\nkind: require-dependency\ndependency: [zod, pg, chi]',
      {
        'package.json': '{ "dependencies": { "zod": "1" } }',
        'go.mod': 'module x\n',
        'packages/b/package.json': '{ "dependencies": { "pg": "1" } }',
      },
      ['-:- r'],
    ],
    [
      'a dependency that no package of the project should have',
      'id: r\nkind: forbid-dependency\nexcept: examples\ndependency: left-pad',
      {
        'package.json': '{ "workspaces": ["packages/*"] }',
        'packages/b/package.json': '{\n"dependencies": {\n"left-pad": "1" } }',
        'examples/package.json': '{ "dependencies": { "left-pad": "1" } }',
      },
      ['packages/b/package.json:3 r'],
    ],
    [
      'a dependency that should not be',
      'id: r\nkind: forbid-dependency\npath: api\ndependency: left_pad',
      { 'api/requirements.txt': 'flask\nleft-pad==1\n', 'requirements.txt': 'left-pad' },
      ['api/requirements.txt:2 r'],
    ],
    [
      'text that one file must have',
      'id: r\nkind: require-text\npath: db\npattern: UNIQUE',
      { 'db/1.sql': 'a', 'db/2.sql': 'b' },
      ['db:- r'],
    ],
    [
      'text that every file must have',
      'id: r\nkind: require-text\npath: src\nevery: true\npattern: Licence',
      { 'src/a.ts': '// Licence', 'src/b.ts': '' },
      ['src/b.ts:- r'],
    ],
    [
      'text in a file that is gone',
      'id: r\nkind: require-text\npath: src/gone.ts\npattern: x',
      { 'a.ts': 'x' },
      ['src/gone.ts:- r'],
    ],
  ]
  for (const [name, yaml, files, expected] of cases)
    test(name, async (t) => {
      const report = await check(t, decided(yaml, files))
      assert.deepEqual(report.broken, [])
      assert.deepEqual(places(report), expected)
    })

  test('nothing, where all is as it was decided', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: require-text\npath: db\npattern: UNIQUE', {
        'db/1.sql': 'a',
        'db/2.sql': 'UNIQUE',
      }),
    )
    assert.deepEqual(places(report), [])
  })

  test('never itself, and nothing that git would not see', async (t) => {
    const files = { '.gitignore': 'out/\n', 'out/a.ts': 'foo', 'node_modules/a/b.ts': 'foo', 'a.ts': 'bar' }
    assert.deepEqual(places(await check(t, decided('id: r\nkind: forbid-text\npattern: foo', files))), [])
  })
})

describe('which rules are in force', () => {
  const foo = rule('id: r\nkind: forbid-text\npattern: foo')
  const severities = async (t: TestContext, files: Files) =>
    (await check(t, { 'a.ts': 'foo', ...files })).violations.map(({ severity }) => severity)

  const statuses: [status: string, expected: string[]][] = [
    ['Accepted', ['error']],
    ['Proposed', ['warning']],
    ['Draft', ['warning']],
    ['Rejected', []],
    ['Deprecated', []],
    ['Superseded by ADR-2', []],
    ['Partly superseded by ADR-2', ['error']],
  ]
  for (const [status, expected] of statuses)
    test(`${status}: ${expected[0] ?? 'nothing'}`, async (t) => {
      assert.deepEqual(await severities(t, { 'docs/adr/0001-a.md': adr(status, foo) }), expected)
    })

  test('a decision that another replaced lapses, even where nobody changed its status', async (t) => {
    const files = {
      'docs/adr/0001-a.md': adr('Accepted', foo),
      'docs/adr/0002-b.md':
        '# 2. B\n\n## Status\n\nAccepted\n\nSupersedes [1. A decision](0001-a.md)\n\n## Context\n\nx\n\n## Decision\n\ny\n',
    }
    assert.deepEqual(await severities(t, files), [])
  })

  test('decisions that supersede each other both hold, and that is said', async (t) => {
    const one = (number: number, other: number, yaml: string) =>
      `# ${number}. Decision ${number}\n\n## Status\n\nAccepted\n\nSupersedes [${other}](000${other}-a.md)\n\n## Decision\n\nx\n\n\`\`\`rule\n${yaml}\n\`\`\`\n`
    const report = await check(t, {
      'a.ts': 'foo',
      'docs/adr/0001-a.md': one(1, 2, foo),
      'docs/adr/0002-a.md': one(2, 1, foo.replace('id: r', 'id: s')),
    })
    assert.deepEqual(places(report), ['a.ts:1 r', 'a.ts:1 s'])
    assert.match(report.notes[0]?.message ?? '', /supersede each other in a circle/)
  })

  test('a document among the decisions is one, in whatever form, once it has rules', async (t) => {
    const block = (id: string) => `\`\`\`rule\n${foo.replace('id: r', `id: ${id}`)}\n\`\`\`\n`
    const report = await check(t, {
      'a.ts': 'foo',
      'docs/adr/no-foo.md': `# No foo\n\nWe say no foo.\n\n${block('prose')}`,
      'docs/adr/kein-foo.md': `# Kein foo\n\n## Entscheidung\n\nKein foo.\n\n${block('german')}`,
      'docs/adr/maybe-foo.md': `# Maybe foo\n\nStatus: Rejected\n\n${block('rejected')}`,
      'docs/adr/form.md': `# ADR template\n\n${block('template')}`,
      'docs/adr/notes.md': '# Notes\n\nNothing.\n',
    })
    assert.deepEqual(places(report), ['a.ts:1 german', 'a.ts:1 prose'])
    assert.equal(report.counts.lapsed, 1)
    assert.deepEqual(
      report.notes.map(({ document, message }) => `${document}: ${message}`),
      ['docs/adr/form.md: This is a template, so its rules are not run.'],
    )
  })

  test('a pattern speaks for the places it names, and for no others', async (t) => {
    const placed = rule('id: placed\nkind: forbid-text\npath: src\npattern: foo')
    const report = await check(t, {
      'src/a.ts': 'foo',
      'b.ts': 'foo',
      'mcp/resources/patterns/p.md': `# P\n\n\`\`\`rule\n${placed}\n\`\`\`\n\n\`\`\`rule\n${foo}\n\`\`\`\n`,
    })
    assert.deepEqual(places(report), ['src/a.ts:1 placed'])
    assert.equal(report.counts.forSnippets, 1)
  })
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

  test('a rule that looks at nothing is pointed out', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: forbid-text\npath: moved/away\npattern: x', { 'a.ts': 'x' }),
    )
    assert.match(report.notes[0]?.message ?? '', /looked at no file/)
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
    'src/core/b.vue': '<script>import "../ui/x"</script>',
    'src/core/c.vue': '',
    'src/core/d.html': '<p>',
    'src/core/e.mdx': 'import "../ui/x"',
    'src/core/f.md': 'x',
    'src/core/g.json': '{}',
    'src/core/h.css': '',
  }
  test('files whose imports are not read are named beside those whose are', async (t) => {
    const placed = await check(t, decided('id: r\nkind: layers\nlayers: [src/ui, src/core]', pages))
    assert.deepEqual(
      placed.notes.map(({ message }) => message),
      [
        'src/core/b.vue and 1 more: Imports of vue cannot be read.',
        'src/core/d.html: Imports of html cannot be read.',
        'src/core/e.mdx: Imports of mdx cannot be read.',
        'src/core/h.css: Imports of css cannot be read.',
      ],
    )
    const anywhere = await check(t, decided('id: r\nkind: forbid-import\nimport: ./ui', pages))
    assert.deepEqual(
      anywhere.notes.map(({ message }) => message.slice(0, 14)),
      ['src/core/b.vue', 'src/core/e.mdx'],
    )
  })

  test('imports whose names are computed are named', async (t) => {
    const code = `const n = 1\nimport('../ui/' + n)\nimport(\`../ui/\${n}\`)\nrequire(n)\nimport('./b')\n`
    const report = await check(
      t,
      decided('id: r\nkind: layers\nlayers: [src/ui, src/core]', { 'src/core/a.ts': code }),
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

describe('folders that nobody can look into', () => {
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
  test('may hide what a rule is about', async (t) => {
    const rules = outcomes.map(([yaml], i) => rule(`id: r${i}\n${yaml}`))
    const report = await checkShut(t, 'src/shut', {
      ...shut,
      'docs/adr/0001-a.md': adr('Accepted', ...rules),
    })
    const told = (notes: CheckReport['notes'], i: number) => notes.find(({ rule }) => rule === `r${i}`)
    for (const [i, [yaml, outcome]] of outcomes.entries()) {
      const seen = told(report.unchecked, i) ? 'unchecked' : told(report.notes, i) ? 'note' : 'neither'
      assert.equal(seen, outcome, yaml)
    }
    assert.match(told(report.notes, 0)!.message, /^src\/shut\/: The folder cannot be read: Permission denied/)
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

  test('what cannot be read is said, and is no pass', async (t) => {
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

describe('the command', () => {
  const run = (root: string, ...argv: string[]) =>
    runOn(
      { settings: async () => ({ settings: settingsFor(root) as Configuration, notes: [] }) },
      'check',
      ...argv,
    )

  test('ends with 0 on the sample library, whose decisions hold', async (t) => {
    const { out, code } = await run(copySample(t))
    assert.match(out, /^All is well: \d+ rules over \d+ files\./)
    assert.equal(code, 0)
  })

  test('ends with 1 and prints file, line and decision', async (t) => {
    const root = copySample(t)
    appendFileSync(
      join(root, 'code/api/src/domain/ports.ts'),
      "import { emailChannel } from '../adapters/email.js'\n",
    )
    rmSync(join(root, 'code/api/tsconfig.json'))
    const { out, code } = await run(root)
    assert.equal(code, 1)
    assert.match(
      out,
      /^code\/api\/src\/domain\/ports\.ts:\d+ {2}error {2}The domain must not import adapters \(ADR 8\)\.$/m,
    )
    assert.match(out, /docs\/adr\/0008-ports-and-adapters-for-channels\.md:33/)
    assert.match(out, /^code\/api\/tsconfig\.json {2}error/m)
  })

  test('ends with 0 on warnings, with 2 on a broken rule, and says all of it as JSON', async (t) => {
    const root = temporaryFolder(t)
    write(root, {
      'a.ts': 'foo',
      'docs/adr/0001-a.md': adr('Proposed', rule('id: r\nkind: forbid-text\npattern: foo')),
    })
    assert.equal((await run(root)).code, 0)
    write(root, { 'docs/adr/0002-b.md': adr('Accepted', rule('id: q\nkind: nonsense')) })
    const { out, code } = await run(root, '--json')
    assert.equal(code, 2)
    const report = JSON.parse(out) as CheckReport
    assert.deepEqual([report.counts.warnings, report.counts.broken], [1, 1])
  })

  test('ends with 2 where a rule or a document could not be read, even beside a violation', async (t) => {
    const root = temporaryFolder(t)
    write(root, {
      'a.ts': new Uint8Array([0, 1]),
      'docs/adr/0001-a.md': adr('Accepted', rule('id: r\nkind: forbid-text\npath: a.ts\npattern: foo')),
    })
    const first = await run(root)
    assert.equal(first.code, 2)
    assert.match(first.out, /^docs\/adr\/0001-a\.md:\d+ {2}unchecked {2}r: .*a\.ts: This is a binary file/m)
    assert.match(first.out, /^1 unchecked rule \(0 rules over 0 files\)\.$/m)
    write(root, { 'docs/adr/0001-a.md': new Uint8Array([0, 1]) })
    const second = await run(root)
    assert.equal(second.code, 2)
    assert.match(second.out, /^docs\/adr\/0001-a\.md:1 {2}unchecked {2}This is a binary file/m)
    assert.match(second.out, /^1 unread document \(0 rules over 0 files\)\.$/m)
    write(root, {
      'b.ts': 'foo',
      'docs/adr/0002-b.md': adr('Accepted', rule('id: r\nkind: forbid-text\npattern: foo')),
    })
    assert.equal((await run(root)).code, 2)
  })

  test('says so where there are no rules', async (t) => {
    const { out, code } = await run(temporaryFolder(t))
    assert.match(out, /^No rules/)
    assert.equal(code, 0)
  })
})
