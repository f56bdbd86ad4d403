// `carrel check` must not pass in silence: a rule either finds what it names, or says that it cannot.
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { checkDecisions } from '../../src/toolsets/architecture/check.js'
import { adr, check, decided, places, rule } from '../architecture/checking.js'
import { type Files, settingsFor, temporaryFolder, write } from '../support/world.js'

const project: Files = {
  'src/domain/order.ts': "import { AsyncLocalStorage } from 'node:async_hooks'\n",
  'src/domain/deep/item.ts':
    "import { db } from '../../adapters/sql/db.js'\nimport x from '../../adapters'\n",
  'src/adapters/index.ts': 'export const x = 1\n',
  'src/adapters/sql/db.ts': "import { readFile } from 'fs/promises'\nimport add from 'lodash/fp/add'\n",
  'src/cloud.ts': "import { S3 } from '@aws-sdk/client-s3/dist/s3.js'\nimport _ from 'npm:lodash@4'\n",
  'app/main.py': 'import os.path\nfrom requests import auth\n',
  'java/A.java': 'import org.junit.jupiter.api.Test;\nclass A {}\n',
}

describe('globs of imports match as people expect', () => {
  const cases: [glob: string, found: string[]][] = [
    ['node:*', ['src/adapters/sql/db.ts:1', 'src/domain/order.ts:1']],
    ['node:async*', ['src/domain/order.ts:1']],
    ['node:**', ['src/adapters/sql/db.ts:1', 'src/domain/order.ts:1']],
    ['node:async_hooks', ['src/domain/order.ts:1']],
    ['async_*', ['src/domain/order.ts:1']],
    ['node:{async_hooks,vm}', ['src/domain/order.ts:1']],
    ['node:fs', ['src/adapters/sql/db.ts:1']],
    ['lodash/*', ['src/adapters/sql/db.ts:2']],
    ['lodash/**', ['src/adapters/sql/db.ts:2', 'src/cloud.ts:2']],
    ['lodash*', ['src/adapters/sql/db.ts:2', 'src/cloud.ts:2']],
    ['lodash', ['src/adapters/sql/db.ts:2', 'src/cloud.ts:2']],
    ['npm:*', ['src/cloud.ts:2']],
    ['@aws-sdk/*', ['src/cloud.ts:1']],
    ['@aws-sdk/client-*', ['src/cloud.ts:1']],
    ['@aws-sdk', ['src/cloud.ts:1']],
    ['src/adapters/*', ['src/domain/deep/item.ts:1', 'src/domain/deep/item.ts:2']],
    ['src/adapters/**', ['src/domain/deep/item.ts:1', 'src/domain/deep/item.ts:2']],
    ['src/adapters/sql/*.ts', ['src/domain/deep/item.ts:1']],
    ['src/*/sql/db', ['src/domain/deep/item.ts:1']],
    ['os.*', ['app/main.py:1']],
    ['requests.*', ['app/main.py:2']],
    ['org.junit.*', ['java/A.java:1']],
    ['org.junit**', ['java/A.java:1']],
  ]
  const seenFrom: typeof cases = [
    ['../adapters/*', ['src/domain/deep/item.ts:1', 'src/domain/deep/item.ts:2']],
    ['../adapters/**', ['src/domain/deep/item.ts:1', 'src/domain/deep/item.ts:2']],
    ['../*/sql/*.ts', ['src/domain/deep/item.ts:1']],
    ['../{adapters,x}/sql', ['src/domain/deep/item.ts:1']],
  ]
  const rules = [
    ...cases.map(([glob], i) => rule(`id: any-${i}\nkind: forbid-import\nimport: "${glob}"`)),
    ...seenFrom.map(([glob], i) =>
      rule(`id: domain-${i}\nkind: forbid-import\nfrom: src/domain\nimport: "${glob}"`),
    ),
  ]
  // A process judges all rules of a project: one does for these.
  let checking: ReturnType<typeof check> | null = null
  const found = async (t: TestContext, id: string) => {
    checking ??= check(t, { 'docs/adr/0001-a.md': adr('Accepted', ...rules), ...project })
    return places(await checking).filter((place) => place.endsWith(` ${id}`))
  }

  for (const [i, [glob, expected]] of cases.entries())
    test(glob, async (t) =>
      assert.deepEqual(
        await found(t, `any-${i}`),
        expected.map((place) => `${place} any-${i}`),
      ),
    )

  for (const [i, [glob, expected]] of seenFrom.entries())
    test(`${glob}, seen from src/domain`, async (t) =>
      assert.deepEqual(
        await found(t, `domain-${i}`),
        expected.map((place) => `${place} domain-${i}`),
      ))

  test('a layer may be a glob of folders', async (t) => {
    const report = await check(t, decided('id: r\nkind: layers\nlayers: ["src/adapt*", "src/dom*"]', project))
    assert.deepEqual(places(report), ['src/domain/deep/item.ts:1 r', 'src/domain/deep/item.ts:2 r'])
  })

  test('a dependency may be a glob, at any depth', async (t) => {
    const files = { 'package.json': '{"dependencies": {"@aws-sdk/client-s3": "1", "left-pad": "1"}}' }
    for (const [glob, n] of [
      ['@aws-sdk/*', 1],
      ['*', 2],
      ['left-*', 1],
      ['@aws-sdk**', 1],
    ] as const) {
      const report = await check(t, decided(`id: r\nkind: forbid-dependency\ndependency: "${glob}"`, files))
      assert.equal(report.violations.length, n, glob)
    }
  })

  test('two stars mean any depth, also next to other letters', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: forbid-text\npath: src/**.ts\npattern: adapters', project),
    )
    assert.deepEqual(places(report), ['src/domain/deep/item.ts:1 r', 'src/domain/deep/item.ts:2 r'])
  })
})

describe('a rule that can never match is broken', () => {
  const cases: [yaml: string, says: RegExp][] = [
    ['kind: forbid-import\nimport: "^node:.*"', /regular expression/],
    ['kind: forbid-import\nimport: "node:.*"', /regular expression/],
    ['kind: forbid-import\nimport: lodash|underscore', /regular expression/],
    ["kind: forbid-import\nimport: 'lodash\\/.*'", /regular expression/],
    ['kind: forbid-import\nimport: "import fs from \'fs\'"', /statement/],
    ['kind: forbid-import\nimport: "require(\'fs\')"', /statement/],
    ['kind: forbid-dependency\ndependency: "^left-pad$"', /regular expression/],
    ['kind: forbid-text\npattern: x\npath: src/domian', /no files at src\/domian.*Did you mean.*src\/domain/],
    ['kind: forbid-text\npattern: x\npath: "*.ts"', /no files at \*\.ts/],
    ['kind: forbid-text\npattern: x\npath: "src/*"\nexcept: "**"', /exception of every file/],
    ['kind: forbid-text\npattern: x\npath: "src/d*n"', /Did you mean src\/d\*n\/\*\*\?/],
    ['kind: forbid-text\npattern: x\npath: "src/**/*.ts"\nlanguage: python', /is for python.*is typescript/],
    ['kind: forbid-import\nimport: pg\nfrom: src/domian', /no files at src\/domian/],
    ['kind: forbid-import\nimport: pg\nlanguage: css', /Imports of css cannot be read/],
    ['kind: forbid-tree\npattern: eval($x)', /\$x.*\$X/],
    ['kind: forbid-tree\npattern: catch ($E) {}', /tree pattern/],
    ['kind: forbid-tree\npattern: "color: $X"\nlanguage: typescript', /label/],
    ['kind: forbid-tree\npattern: eval($X)\npath: lib', /no files at lib/],
    ['kind: layers\nlayers: [src/ui, src/core]', /no files at src\/ui, src\/core/],
    ['kind: forbid-dependency\ndependency: pg\npath: packages', /no manifest at packages/],
  ]
  for (const [yaml, message] of cases)
    test(yaml.replaceAll('\n', ', '), async (t) => {
      const report = await check(t, decided(`id: r\n${yaml}`, project))
      assert.equal(report.counts.broken, 1, JSON.stringify(report))
      assert.match(report.broken[0]!.message, message)
    })

  test('one of several paths without files is a note', async (t) => {
    const report = await check(
      t,
      decided('id: r\nkind: forbid-text\npattern: zzz\npath: [src, lib]', project),
    )
    assert.equal(report.counts.passed, 1)
    assert.deepEqual(
      report.notes.map(({ message }) => message),
      ['There are no files at lib.'],
    )
  })
})

describe('limits of a check', () => {
  const settled = (root: string, exclude: string[] = []) => ({ ...settingsFor(root), exclude })

  test('a rule that the time does not suffice for is unchecked', async (t) => {
    const root = temporaryFolder(t)
    write(root, decided('id: r\nkind: forbid-text\npattern: zzz', project))
    const report = await checkDecisions(settled(root), { mostSeconds: 0 })
    assert.equal(report.counts.unchecked, 1)
    assert.match(report.unchecked[0]!.message, /The time was up before \d+ files.*--time-limit/)
  })

  test('excluded files are not looked at, but rules in excluded folders are run', async (t) => {
    const root = temporaryFolder(t)
    write(root, {
      'docs/adr/0001-a.md': adr('Accepted', rule('id: r\nkind: forbid-text\npattern: evil')),
      'a.ts': 'evil',
      'vendored/b.ts': 'evil',
    })
    const report = await checkDecisions(settled(root, ['vendored/**', 'docs']))
    assert.deepEqual(places(report), ['a.ts:1 r'])
  })

  test('says how far it is', async (t) => {
    const root = temporaryFolder(t)
    write(root, decided('id: r\nkind: forbid-text\npattern: zzz', project))
    const progress: [number, number][] = []
    await checkDecisions(settled(root), { onProgress: (done, total) => progress.push([done, total]) })
    assert.deepEqual(progress.at(-1), [7, 7])
  })

  test('a rule whose pattern never ends runs once, not on every file', async (t) => {
    const root = temporaryFolder(t)
    const slow = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`a${i}.ts`, i === 0 ? `${'a'.repeat(60)}!` : 'b']),
    )
    write(root, decided("id: r\nkind: forbid-text\npattern: '(a+)+$'", slow))
    const report = await checkDecisions(settled(root))
    assert.equal(report.counts.broken, 1)
  })
})
