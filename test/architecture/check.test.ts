// `carrel check`: the rules of decisions over a code base, from files alone.
import assert from 'node:assert/strict'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Configuration } from '../../src/model/settings.js'
import type { CheckReport } from '../../src/toolsets/architecture/check.js'
import { runOn } from '../cli-stage.js'
import { copySample, type Files, settingsFor, temporaryFolder, write } from '../support/world.js'

import { adr, check, decided, places, rule } from './checking.js'

describe('violations of a rule', () => {
  const layered = {
    'src/ui/a.ts': "import { b } from '../core/b.js'\n",
    'src/core/b.ts': "export const b = 1\nimport { a } from '../ui/a.js'\n",
    'src/core/deep/c.ts': "import { a } from '../../ui/a'\n",
    'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@ui/*": ["src/ui/*"] } } }',
    'src/core/d.ts': "import { a } from '@ui/a'\n",
  }
  const python = {
    'app/__init__.py': '',
    'app/adapters/__init__.py': '',
    'app/adapters/db.py': '',
    'app/web/page.py': '',
    'app/domain/__init__.py': '',
    'app/domain/a.py': `
from .. import adapters
from ..adapters import db
from ..adapters.gen_pb2 import q
from app.adapters.gen_pb2 import q
import app.adapters.gen_pb2
from app import web
from ..web import page
from app.web.gone import x
from .. import domain, VERSION
from . import b
import os.path, json
`.trimStart(),
  }
  const upwards = [1, 2, 3, 4, 5, 6, 7, 8].map((line) => `app/domain/a.py:${line} r`)
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
    ...[
      ['text', 'kind: forbid-text\npath: bin\nlanguage: python\npattern: os\\.system', 'bin/tool:2 r'],
      ['a tree', 'kind: forbid-tree\npath: bin\npattern: console.log($$$)', 'bin/cli:3 r'],
      ['an import', 'kind: forbid-import\nfrom: bin\nimport: lodash', 'bin/cli:2 r'],
    ].map(([what, yaml, expected]): (typeof cases)[number] => [
      `${what} in scripts without an ending`,
      `id: r\n${yaml}`,
      {
        'bin/tool': '#!/usr/bin/env python3\nimport os; os.system("ls")\n',
        'bin/cli': "#!/usr/bin/env node\nimport _ from 'lodash'\nconsole.log(_)\n",
        'bin/ok.py': 'pass\n',
        'bin/ok.js': 'f()\n',
        'bin/words': 'os.system console.log(1)\n',
      },
      [expected!],
    ]),
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
      'imports of pages of components',
      'id: r\nkind: layers\nlayers: [src/ui, src/core]',
      {
        'src/core/a.vue': '<template />\n<script setup lang="ts">\nimport b from "../ui/B.vue"\n</script>\n',
        'src/core/c.svelte': '<script>\n  import d from "../ui/d.js"\n</script>\n',
        'src/core/e.astro': '---\nimport f from "@/ui/F.astro"\n---\n',
        'src/ui/B.vue': '',
        'src/ui/F.astro': '',
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      },
      ['src/core/a.vue:3 r', 'src/core/c.svelte:2 r', 'src/core/e.astro:2 r'],
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
      'files that should not be and that nobody reads',
      'id: r\nkind: file-must-not-exist\npaths: ["**/.env", "**/*.pem", .idea/**, "**/yarn.lock", "**/id_rsa", "cfg/*.map", build/**]',
      {
        ...{
          'cfg/.env': '',
          'a.pem': '',
          '.idea/x.xml': '',
          'p/yarn.lock': '',
          id_rsa: '',
          'cfg/a.js.map': '',
        },
        ...{ '.gitignore': '*.local.pem\nq/\n', 'b.local.pem': '', 'q/.env': '', 'build/o.js': '' },
        ...{ 'node_modules/p/yarn.lock': '', '.git/x.pem': '' },
      },
      ['.idea/x.xml', 'a.pem', 'build/o.js', 'cfg/.env', 'cfg/a.js.map', 'id_rsa', 'p/yarn.lock'].map(
        (path) => `${path}:- r`,
      ),
    ],
    [
      'installed packages that should not be',
      'id: r\nkind: file-must-not-exist\npath: node_modules/**',
      { 'node_modules/p/a.js': '' },
      ['node_modules/p/a.js:- r'],
    ],
    [
      'files that must exist and that nobody reads',
      'id: r\nkind: file-must-exist\npaths: ["**/.gitignore", "src/coverage/*.ts", "*/package-lock.json"]',
      { '.gitignore': 'x', 'src/coverage/a.ts': '', 'p/package-lock.json': '{}' },
      [],
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
      'imports of Python packages, however they are written, and of modules yet to be generated',
      'id: r\nkind: forbid-import\nfrom: app/domain\nimport: [app/adapters, ../web]',
      python,
      upwards,
    ],
    [
      'layers of Python packages',
      'id: r\nkind: layers\nlayers: [app/web, app/adapters, app/domain]',
      python,
      upwards,
    ],
    [
      'packages of the workspace before they are built',
      'id: r\nkind: layers\nlayers: [packages/ui, packages/core]',
      {
        'package.json': '{"workspaces":["packages/*"]}',
        'packages/ui/package.json':
          '{"name":"@x/ui","types":"dist/index.d.ts","exports":{".":{"types":"./dist/index.d.ts","default":"./dist/index.js"}}}',
        'packages/ui/src/index.ts': '',
        'packages/ui/dist/index.js': '',
        'packages/theme/package.json': '{"name":"theme","main":"dist/index.js"}',
        'packages/core/a.ts': "import '@x/ui'\nimport '@x/ui/gone'\nimport 'theme'\nimport '@x/other'\n",
      },
      ['packages/core/a.ts:1 r', 'packages/core/a.ts:2 r'],
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
      'dependencies by a pattern, by their whole names and by the names that Go has them by',
      "id: r\nkind: forbid-dependency\ndependency: ['@aws-sdk/*', 'org.log:*', org.net:net, github.com/x/chi]",
      {
        'package.json': '{ "dependencies": {\n"@aws-sdk/client-s3": "3",\n"@aws/x": "1" } }',
        'pom.xml':
          '<dependency>\n<groupId>org.log</groupId>\n<artifactId>log4j</artifactId>\n</dependency>\n<dependency><artifactId>net</artifactId></dependency>',
        'build.gradle': "implementation 'org.net:net:1'",
        'go.mod': 'require github.com/x/chi/v5 v5.0.0\n',
      },
      ['build.gradle:1 r', 'go.mod:1 r', 'package.json:2 r', 'pom.xml:3 r'],
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

  test('never the rule itself, and no file that git ignores', async (t) => {
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

  test('a superseded decision lapses, even if its own status was not changed', async (t) => {
    const files = {
      'docs/adr/0001-a.md': adr('Accepted', foo),
      'docs/adr/0002-b.md':
        '# 2. B\n\n## Status\n\nAccepted\n\nSupersedes [1. A decision](0001-a.md)\n\n## Context\n\nx\n\n## Decision\n\ny\n',
    }
    assert.deepEqual(await severities(t, files), [])
  })

  test('a broken rule of a decision that no longer holds is not run either, and fails nothing', async (t) => {
    const broken = foo.replace('forbid-text', 'forbid-txt')
    for (const status of ['Rejected', 'Deprecated', 'Superseded by ADR 9']) {
      const { broken: faults, counts } = await check(t, { 'docs/adr/0001-a.md': adr(status, broken) })
      assert.deepEqual([faults, counts.lapsed], [[], 1], status)
    }
    const { counts } = await check(t, { 'docs/adr/0001-a.md': adr('Proposed', broken) })
    assert.equal(counts.broken, 1)
  })

  test('decisions that supersede each other both hold, with a note', async (t) => {
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

  test('exits with 2 if a rule or a document could not be read, even with a violation', async (t) => {
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

  test('says which layer imports which', async (t) => {
    const root = temporaryFolder(t)
    const layers = 'id: r\nkind: layers\nlayers: [{ name: UI, path: src/ui }, src/core]'
    write(root, decided(layers, { 'src/core/b.ts': "import a from '../ui/a'\n" }))
    const { out } = await run(root)
    assert.match(
      out,
      /^src\/core\/b\.ts:1 {2}error {2}Because\. src\/core imports UI, which stands above it\.$/m,
    )
  })

  test('says so where there are no rules, and where nothing was found that may have some', async (t) => {
    const root = temporaryFolder(t)
    const nothing = await run(root)
    assert.match(nothing.out, /^No rules: there are no guidelines, patterns or decisions below /)
    assert.ok(nothing.out.includes(root))
    assert.equal(nothing.code, 0)
    write(root, { 'docs/adr/0001-a.md': adr('Accepted') })
    const { out, code } = await run(root)
    assert.equal(out, 'No rules: the only document of architecture has no rule block.\n')
    assert.equal(code, 0)
  })
})
