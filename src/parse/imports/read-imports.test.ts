import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { importsAreRead, readImports } from './read-imports.js'

/** `kind specifier` of each import, in order. */
async function check(path: string, text: string, expected: string[]) {
  const { imports, error } = (await readImports(path, text))!
  assert.deepEqual(
    imports.map((one) => `${one.kind} ${one.specifier}`),
    expected,
  )
  assert.equal(error, undefined)
}

describe('scripts', () => {
  test('every way to import', () =>
    check(
      'a.ts',
      [
        '/// <reference path="./r.d.ts" />',
        '/// <reference types="node" />',
        "import a, { b } from './static'",
        "import type { T } from './type'",
        "import type from './named-type'",
        "import { type U } from './inline'",
        "import './effect'",
        "import e = require('./equals')",
        "export import f = require('./exported-equals')",
        "export * from './all'",
        "export type { V } from './type-export'",
        "import j from './j.json' with { type: 'json' }",
        "const lazy = () => import(/* why */ './lazy')",
        'import(`./template`)',
        "const r = require('./require')",
        "let q: import('./query').Q",
        "declare module './augmented' {}",
      ].join('\n'),
      [
        ...[
          'reference ./r.d.ts',
          'import ./static',
          'type-import ./type',
          'import ./named-type',
          'import ./inline',
          'import ./effect',
        ],
        ...[
          'require ./equals',
          'require ./exported-equals',
          're-export ./all',
          'type-import ./type-export',
          'import ./j.json',
        ],
        ...[
          'dynamic-import ./lazy',
          'dynamic-import ./template',
          'require ./require',
          'type-import ./query',
          'type-import ./augmented',
        ],
      ],
    ))

  test('ignores text that only looks like an import', () =>
    check(
      'a.js',
      [
        "// import './comment'",
        "/* require('./block') */",
        'const s = "import \'./string\'"',
        "const t = `require('./template')`",
        "const p = /import '.\\/pattern'/",
        "foo.require('./method')",
        'import(computed)',
        'require(computed)',
        'require()',
        "const o = { import: './key', require: './key' }",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: It is the text of a file.
        'import(`./${name}`)',
      ].join('\n'),
      [],
    ))

  test('JSX, flags and escapes', async () => {
    await check('a.tsx', "import x from './x'\nconst a = <A b={<C>{`import './no'`}</C>} />\n", [
      'import ./x',
    ])
    await check('a.jsx', "const A = () => <p>import './no'</p>\nexport { b } from './b'\n", ['re-export ./b'])
    await check('a.mjs', "import '\\x2e/x'\nimport './\\u0061'\n", ['import ./x', 'import ./a'])
    await check('a.cjs', "'use strict'\nmodule.exports = { ...require('./x') }\n", ['require ./x'])
  })
})

test('keeps the details that other languages need for resolution', async () => {
  assert.deepEqual(
    (await readImports('a.py', 'from ..p import (a as b,\n  c) # d\nfrom m import *\n'))!.imports,
    [
      { kind: 'import', specifier: '..p', at: 5, names: ['a', 'c'] },
      { kind: 'import', specifier: 'm', at: 39, names: ['*'] },
    ],
  )
  assert.deepEqual(
    (await readImports('a.rs', 'mod x { #[path="y.rs"] mod z; use super::{a, b::*}; }'))!.imports,
    [
      { kind: 'module', specifier: 'z', at: 27, within: ['x'], path: 'y.rs' },
      { kind: 'import', specifier: 'super::a', at: 42, within: ['x'] },
      { kind: 'import', specifier: 'super::b::*', at: 45, within: ['x'] },
    ],
  )
  assert.deepEqual(await readImports('A.java', 'package a.b; import static c.D.*; class A {}'), {
    language: 'java',
    package: 'a.b',
    imports: [{ kind: 'import', specifier: 'c.D.*', at: 27, form: 'static' }],
  })
  assert.deepEqual((await readImports('a.h', '#include <x.h>\n'))!.imports, [
    { kind: 'include', specifier: 'x.h', at: 9, form: 'system' },
  ])
})

test('each import has its own position, even if the name repeats', async () => {
  const cases: [path: string, text: string, expected: string[]][] = [
    [
      'a.ts',
      [
        'import { b } from "../ui/button.js" // ../ui',
        'import es from "lodash-es"',
        'const lazy = () => import("../ui/button")',
        'import type { X } from "../ui/button"',
        'const r = require("../ui/button")',
        'export * from "../ui"',
        'import u = require("../ui/button")',
        'import {',
        '  x,',
        '} from "lodash"; import "lodash"',
        'type Q = import("../ui/button").Q',
      ].join('\n'),
      [
        '1 ../ui/button.js',
        '2 lodash-es',
        '3 ../ui/button',
        '4 ../ui/button',
        '5 ../ui/button',
        '6 ../ui',
        '7 ../ui/button',
        '10 lodash',
        '10 lodash',
        '11 ../ui/button',
      ],
    ],
    [
      'a.py',
      'import os, requests.auth, \\\n  requests\r\nfrom requests import get\ndef f():\n  import requests\n  __import__("requests")\n',
      ['1 os', '1 requests.auth', '2 requests', '3 requests', '5 requests', '6 requests'],
    ],
    [
      'a.go',
      'package a\n\nimport "a/b"\nimport (\n\t"fmt"\n\tb "a/b/c"\n\t_ "a/b"\n)\n',
      ['3 a/b', '5 fmt', '6 a/b/c', '7 a/b'],
    ],
    [
      'a.rs',
      'use a::{\n  b,\n  c::{\n    b,\n    self,\n  },\n};\nmod b;\nextern crate b;\nuse a::b as q;\n',
      ['2 a::b', '4 a::c::b', '5 a::c', '8 b', '9 b', '10 a::b'],
    ],
    ['A.java', 'package a.b;\n\nimport a.b.C;\nimport static a.b.C.*;\n', ['3 a.b.C', '4 a.b.C.*']],
    ['a.c', '#include "a.h"\n#include <b/a.h>\n#include "a.h"\n', ['1 a.h', '2 b/a.h', '3 a.h']],
  ]
  for (const [path, text, expected] of cases) {
    const { imports } = (await readImports(path, text))!
    const line = (at: number) => text.slice(0, at).split('\n').length
    assert.deepEqual(
      imports.map(({ at, specifier }) => `${line(at)} ${specifier}`),
      expected,
    )
  }
})

test('files of other formats have no imports', async () => {
  for (const path of ['a.md', 'a.rb', 'a.json', 'a', 'Makefile', 'BUILD.bazel']) {
    assert.equal(importsAreRead(path, 'import x'), false, path)
    assert.equal(await readImports(path, 'import x'), null, path)
  }
})

test('a script without an ending is read by its first line', async () => {
  for (const [line, specifier] of [
    ['#!/usr/bin/env python3', 'x'],
    ['#!/usr/bin/env node', 'x'],
    ['#!/bin/sh', undefined],
  ]) {
    const text = `${line}\nimport x${line?.endsWith('node') ? " from 'x'" : ''}\n`
    assert.equal((await readImports('bin/tool', text))?.imports[0]?.specifier, specifier)
    assert.equal(await readImports('bin/tool.txt', text), null)
  }
})

describe('pages of components', () => {
  test('the scripts anywhere in a Vue file', async () => {
    const text = [
      '<template>\r\n  <p>import no from "./no"</p>\r\n</template>',
      '<!-- <script>import "./no"</script> -->',
      '<script>\nimport a from "./a"\n</script>',
      '<script setup lang="ts" generic="T extends Map<string, A>">',
      "import type { B } from './b'\nconst c = () => import('./C.vue')\n</script>",
      '<style>@import "./no.css";</style>',
    ].join('\n')
    await check('a.vue', text, ['import ./a', 'type-import ./b', 'dynamic-import ./C.vue'])
    for (const { specifier, at } of (await readImports('a.vue', text))!.imports)
      assert.equal(text.indexOf(specifier), at + 1)
  })

  test('of Svelte and Astro as well', async () => {
    await check('a.svelte', '<script context="module">import "./a"</script>\n<p>{x}</p>', ['import ./a'])
    await check('a.astro', '---\nimport A from "./A.astro"\n---\n<A />\n<script>import "./b"</script>', [
      'import ./A.astro',
      'import ./b',
    ])
  })

  test('a file without a script imports nothing', () => check('a.vue', '<template><p>a</p></template>', []))
})

test('broken code gives the readable imports and the place of the error', async () => {
  const { imports, error } = (await readImports('a.ts', "import a from './a'\nconst = {{{ (\n"))!
  assert.deepEqual(imports, [{ kind: 'import', specifier: './a', at: 14 }])
  assert.equal(error, 'Syntax error at line 2.')
})

test('hostile texts end in time and never throw', async () => {
  for (const [path, text] of [
    ['a.ts', '('.repeat(60_000)],
    ['a.ts', 'A<B,'.repeat(10_000)],
    ['a.ts', "import './x'\n".repeat(20_000)],
    ['a.py', `${'('.repeat(50_000)}\nimport a`],
    ['a.rs', `use ${'a::{'.repeat(5_000)}`],
    ['a.java', `import ${'a.'.repeat(20_000)}B;`],
    ['a.c', '#include "'.repeat(20_000)],
    ['a.go', `import (${'"a"\n'.repeat(20_000)})`],
    ['a.ts', '\0'.repeat(1_000)],
    ['a.tsx', '<A>'.repeat(20_000)],
    ['a.vue', '<script "'.repeat(50_000)],
    ['a.vue', '<script>'.repeat(50_000)],
    ['a.svelte', '<!--'.repeat(50_000)],
    ['a.astro', '---\n'.repeat(50_000)],
  ] as const) {
    const start = performance.now()
    const read = await readImports(path, text)
    assert.ok(read, path)
    assert.ok(performance.now() - start < 15_000, `${path} ${text.slice(0, 10)}`)
  }
})

test('whatever the text, imports are found in it or not at all', async () => {
  const piece = fc.constantFrom(
    "import './x'",
    "require('./y')",
    '`',
    "'",
    '"',
    '/*',
    '*/',
    '//',
    '\n',
    '{',
    '}',
    '(',
    ')',
    'export ',
    ' from ',
    '<a>',
    '${',
    'type ',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('a.ts', 'a.tsx', 'a.js', 'a.py', 'a.rs'),
      async (pieces, path) => {
        const text = pieces.join('')
        for (const { specifier } of (await readImports(path, text))!.imports)
          assert.ok(text.includes(specifier.replace(/^\.+/, '')))
      },
    ),
    { seed: 5, numRuns: 400 },
  )
})
