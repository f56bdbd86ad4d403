// From the text of a file to the files it needs, in every language whose imports are read.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { readImports } from '../../src/parse/imports/read-imports.js'
import { resolveImports } from '../../src/sources/imports/resolve.js'
import { type Files, temporaryFolder, write } from '../support/world.js'

/** A project, one of its files, and what that needs: `type path`, in order. */
function check(
  title: string,
  files: Files,
  path: string,
  expected: string[],
  links: Record<string, string> = {},
) {
  test(title, async (t) => {
    const root = temporaryFolder(t)
    write(root, files)
    for (const [name, target] of Object.entries(links)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      symlinkSync(target, join(root, name))
    }
    const imports = await readImports(path, String(files[path]))
    assert.ok(imports, `imports of ${path} are read`)
    const { dependencies } = await resolveImports(root, path, imports)
    assert.deepEqual(
      dependencies.map((one) => `${one.type} ${one.path}`),
      expected,
    )
  })
}

const empty = (...paths: string[]): Files => Object.fromEntries(paths.map((path) => [path, '']))

describe('Python', () => {
  const files: Files = {
    ...empty(
      'src/shop/__init__.py',
      'src/shop/cart.py',
      'src/shop/tax/__init__.py',
      'src/shop/tax/rates.py',
      'src/shop/logging.py',
    ),
    ...empty(
      'src/shop/stub.pyi',
      'src/spaces/inner/leaf.py',
      'tools/shared.py',
      'conf.py',
      'src/shop/lazy.py',
      'src/shop/typed.py',
    ),
    'src/shop/main.py': [
      'import os, sys',
      'import logging',
      'import shop.cart as c',
      'from shop.tax import rates, something',
      'from . import cart, unknown',
      'from .stub import X',
      'from .tax.rates import (a,',
      '    b)',
      'from .. import nothing',
      'from spaces.inner import leaf',
      'import spaces',
      'import numpy.linalg',
      'import conf',
      'from shop import *',
      'import importlib',
      "lazy = importlib.import_module('shop.lazy')",
      'if TYPE_CHECKING:',
      '    from .typed import T',
      '# import shop.comment',
      "text = 'import shop.string'",
    ].join('\n'),
    'tools/run.py': 'import shared\nfrom shop.tax.rates import x\nimport json\n',
    'src/shop/tax/deep.py': 'from ..cart import y\nfrom ...spaces import z\nfrom . import rates\n',
  }
  check('packages, relative imports, namespaces, stubs and types', files, 'src/shop/main.py', [
    'import src/shop/cart.py',
    'import src/shop/tax/__init__.py',
    'import src/shop/tax/rates.py',
    'import src/shop/__init__.py',
    'import src/shop/stub.pyi',
    'import src/spaces/inner/leaf.py',
    'import conf.py',
    'dynamic-import src/shop/lazy.py',
    'type-import src/shop/typed.py',
  ])
  check('a script finds what lies beside it', files, 'tools/run.py', [
    'import tools/shared.py',
    'import src/shop/tax/rates.py',
  ])
  check('dots climb packages', files, 'src/shop/tax/deep.py', [
    'import src/shop/cart.py',
    'import src/shop/tax/rates.py',
  ])
})

describe('Go', () => {
  const files: Files = {
    'go.work': 'go 1.22\n\nuse (\n\t./api\n\t./lib // shared\n)\nuse ./one\n',
    'api/go.mod':
      'module example.org/api // ours\n\ngo 1.22\n\nrequire example.org/forked v1.0.0\n\nreplace example.org/forked => ../forked\nreplace (\n\texample.org/far v1.2.3 => ../far\n\texample.org/net => example.net/x v1.0.0\n)\n',
    'lib/go.mod': 'module example.org/lib\n',
    'one/go.mod': 'module "example.org/one"\n',
    ...empty(
      'api/internal/auth/auth.go',
      'api/internal/auth/token.go',
      'api/internal/auth/auth_test.go',
      'api/root.go',
      'lib/text/text.go',
    ),
    ...empty(
      'one/one.go',
      'forked/forked.go',
      'far/sub/x.go',
      'far/sub/README.md',
      'vendor/example.org/other/o.go',
    ),
    'api/main.go':
      'package main\n\nimport "fmt"\nimport (\n\t"example.org/api/internal/auth"\n\tt "example.org/lib/text"\n\t_ "example.org/one"\n\t"example.org/forked"\n\t"example.org/far/sub"\n\t"example.org/net"\n\t"example.org/other"\n\t"example.org/apiary"\n\t"C"\n)\n',
    'api/cmd/x/main.go': 'package main\nimport root "example.org/api"\n',
  }
  check('modules, replacements and workspaces, as the files of packages', files, 'api/main.go', [
    'import api/internal/auth/auth.go',
    'import api/internal/auth/token.go',
    'import lib/text/text.go',
    'import one/one.go',
    'import forked/forked.go',
    'import far/sub/x.go',
  ])
  check('the package at the module root', files, 'api/cmd/x/main.go', [
    'import api/main.go',
    'import api/root.go',
  ])
})

describe('Rust', () => {
  const files: Files = {
    'Cargo.toml':
      '[workspace]\nmembers = ["app", "util-kit"]\n[workspace.dependencies]\nshared = { path = "shared" }\nserde = "1"\n',
    'app/Cargo.toml':
      '[package]\nname = "my-app"\nedition = "2021"\n\n[dependencies]\nutil-kit = { path = "../util-kit" }\nshared.workspace = true\nserde.workspace = true\n[dev-dependencies.probe]\npath = "../probe"\n',
    'util-kit/Cargo.toml': '[package]\nname = "util-kit"\n',
    'shared/Cargo.toml': '[package]\nname = "shared"\n[lib]\npath = "lib/entry.rs"\n',
    'probe/Cargo.toml': '[package]\nname = "probe"\n',
    ...empty(
      'util-kit/src/lib.rs',
      'util-kit/src/text.rs',
      'shared/lib/entry.rs',
      'probe/src/lib.rs',
      'app/src/lib.rs',
      'app/src/gen.rs',
    ),
    ...empty(
      'app/src/a.rs',
      'app/src/a/b.rs',
      'app/src/old/mod.rs',
      'app/src/old/inner.rs',
      'app/src/odd/place.rs',
      'app/src/inline/leaf.rs',
    ),
    'app/src/main.rs': [
      'mod a;',
      'mod old;',
      '#[cfg(test)]',
      '#[path = "odd/place.rs"]',
      'mod odd;',
      'mod inline { mod leaf; }',
      'mod missing;',
      'use crate::a::b::{Thing, Other as O};',
      'use a::Direct;',
      'use my_app::exported;',
      'use util_kit::text::Words;',
      'use shared::anything::at::all;',
      'use probe::*;',
      'use std::collections::HashMap;',
      'use serde::Serialize;',
      'include!("gen.rs");',
      '// mod commented;',
    ].join('\n'),
    'app/src/old/deep.rs':
      'use super::inner::X;\nuse super::super::a::b;\nuse self::own;\nuse crate::Root;\n',
    'app/tests/flow.rs': 'mod common;\nuse my_app::a::b;\n',
    ...empty('app/tests/common/mod.rs'),
    'legacy/Cargo.toml': '[package]\nname = "legacy"\n',
    'legacy/src/lib.rs': 'mod one;\nmod two;\n',
    'legacy/src/one.rs': 'use two::Thing;\nextern crate nothing;\n',
    ...empty('legacy/src/two.rs'),
  }
  check('modules in both layouts, paths, inline modules and other crates', files, 'app/src/main.rs', [
    'module app/src/a.rs',
    'module app/src/old/mod.rs',
    'module app/src/odd/place.rs',
    'module app/src/inline/leaf.rs',
    'import app/src/a/b.rs',
    'import app/src/lib.rs',
    'import util-kit/src/text.rs',
    'import shared/lib/entry.rs',
    'import probe/src/lib.rs',
    'include app/src/gen.rs',
  ])
  check('self, super and crate', files, 'app/src/old/deep.rs', [
    'import app/src/old/inner.rs',
    'import app/src/a/b.rs',
    'import app/src/lib.rs',
  ])
  check('a test is a crate of its own', files, 'app/tests/flow.rs', [
    'module app/tests/common/mod.rs',
    'import app/src/a/b.rs',
  ])
  check('the edition of 2015 looks from the root of the crate', files, 'legacy/src/one.rs', [
    'import legacy/src/two.rs',
  ])
})

describe('Java', () => {
  const base = 'core/src/main/java/org/acme'
  const files: Files = {
    ...empty(
      `${base}/Cart.java`,
      `${base}/tax/Rate.java`,
      `${base}/tax/Table.java`,
      `${base}/tax/package-info.java`,
      'web/src/main/java/org/acme/web/Page.java',
    ),
    [`${base}/Main.java`]: [
      'package org.acme;',
      'import java.util.List;',
      'import org.acme.tax.*;',
      'import org.acme.Cart.Item;',
      'import static org.acme.tax.Rate.of;',
      'import static org.acme.Cart.*;',
      'import org.acme.web.Page;',
      'import org.elsewhere.Thing;',
      'class Main {}',
    ].join('\n'),
    'core/src/test/java/org/acme/MainTest.java':
      'package org.acme;\nimport org.acme.tax.Rate;\nclass MainTest {}\n',
    'flat/Tool.java': 'import util.Text;\nclass Tool {}\n',
    ...empty('flat/util/Text.java'),
  }
  check('packages, wildcards, nested and static names, other modules', files, `${base}/Main.java`, [
    `import ${base}/tax/Rate.java`,
    `import ${base}/tax/Table.java`,
    `import ${base}/Cart.java`,
    'import web/src/main/java/org/acme/web/Page.java',
  ])
  check('a test finds what it tests', files, 'core/src/test/java/org/acme/MainTest.java', [
    `import ${base}/tax/Rate.java`,
  ])
  check('the package without a name', files, 'flat/Tool.java', ['import flat/util/Text.java'])
})

describe('C and C++', () => {
  const files: Files = {
    ...empty('include/lib/api.h', 'src/near.h', 'src/sub/deep.hpp', 'third/x.h', 'top.h', 'include/string.h'),
    'compile_flags.txt': '-std=c++20\n-Ithird\n-I/usr/include\n',
    'src/main.cpp': [
      '#include "near.h"',
      '#include "sub/deep.hpp"',
      '#include "../top.h"',
      '#include <lib/api.h>',
      '#include <vector>',
      '#include "x.h"',
      '#  include "lib/api.h"',
      '#include MACRO',
      '#if 0',
      '#include "missing.h"',
      '#endif',
      '// #include "commented.h"',
      '#include <near.h>',
    ].join('\n'),
  }
  check('beside the file, then in the folders of includes', files, 'src/main.cpp', [
    'include src/near.h',
    'include src/sub/deep.hpp',
    'include top.h',
    'include include/lib/api.h',
    'include third/x.h',
  ])
})

describe('scripts', () => {
  check(
    'a workspace is found by its link, and what lies outside by nothing',
    {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"a","exports":"./main.ts"}',
      ...empty('packages/a/main.ts', 'node_modules/b/index.js', 'node_modules/b/package.json'),
      'app/x.ts':
        "import 'a'\nimport 'b'\nimport '../../../../../../etc/hosts'\nimport '/etc/hosts'\nimport 'node:fs'\n",
    },
    'app/x.ts',
    ['import packages/a/main.ts'],
    { 'node_modules/a': '../packages/a' },
  )
  const uninstalled: Files = {
    'package.json': '{"workspaces":{"packages":["packages/*","apps/**"]}}',
    'packages/a/package.json': '{"name":"@x/a","exports":{".":"./main.ts","./sub/*":"./lib/*.ts"}}',
    'packages/b/package.json': '{"name":"b","main":"./lib/b.js"}',
    'apps/deep/c/package.json': '{"name":"c"}',
    ...empty(
      'packages/a/main.ts',
      'packages/a/lib/s.ts',
      'packages/b/lib/b.ts',
      'packages/b/lib/other.ts',
      'apps/deep/c/index.ts',
    ),
    'apps/x.ts':
      "import '@x/a'\nimport '@x/a/sub/s'\nimport '@x/a/main'\nimport 'b'\nimport 'b/lib/other'\nimport 'c'\nimport 'd'\nimport 'fs'\n",
  }
  const reached = [
    'packages/a/main.ts',
    'packages/a/lib/s.ts',
    'packages/b/lib/b.ts',
    'packages/b/lib/other.ts',
    'apps/deep/c/index.ts',
  ]
  check(
    'workspaces are found before they are installed',
    uninstalled,
    'apps/x.ts',
    reached.map((path) => `import ${path}`),
  )
  check(
    'as pnpm names them too',
    {
      ...uninstalled,
      'package.json': '{}',
      'pnpm-workspace.yaml': "packages:\n  # ours\n  - 'packages/*'\n  - apps/deep/*\nother: 1\n",
    },
    'apps/x.ts',
    reached.map((path) => `import ${path}`),
  )
  check(
    'what a package of the workspace has not built is found by its source',
    {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json':
        '{"name":"@x/a","exports":{".":{"types":"./dist/index.d.ts","default":"./dist/index.js"},"./b/*":"./dist/esm/parts/*.js"}}',
      'packages/b/package.json': '{"name":"b","main":"lib/start.js"}',
      'packages/c/package.json': '{"name":"c","main":"build/bundle.js"}',
      ...empty(
        'packages/a/src/index.ts',
        'packages/a/dist/index.js',
        'packages/a/src/parts/p.tsx',
        'packages/b/src/start.ts',
        'packages/b/src/deep/one.ts',
        'packages/c/index.ts',
      ),
      'x.ts':
        "import '@x/a'\nimport '@x/a/b/p'\nimport 'b'\nimport 'b/deep/one'\nimport 'c'\nimport 'c/gone'\n",
    },
    'x.ts',
    [
      'import packages/a/src/index.ts',
      'import packages/a/src/parts/p.tsx',
      'import packages/b/src/start.ts',
      'import packages/b/src/deep/one.ts',
      'import packages/c/index.ts',
    ],
    { 'node_modules/@x/a': '../../packages/a' },
  )
  check(
    'a jsconfig counts where there is no tsconfig',
    {
      'jsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
      'src/a.js': "import '@/b'\n",
      ...empty('src/b.jsx'),
    },
    'src/a.js',
    ['import src/b.jsx'],
  )
  check(
    'a broken tsconfig takes only the aliases away',
    {
      'tsconfig.json': '{"compilerOptions": {',
      'src/a.ts': "import './b.js'\nimport '@/c'\n",
      ...empty('src/b.ts', 'src/c.ts'),
    },
    'src/a.ts',
    ['import src/b.ts'],
  )
  check(
    'a file imported for types and values is imported, and itself never',
    { 'a.ts': "import type { B } from './b'\nimport { b } from './b'\nimport './a'\n", ...empty('b.ts') },
    'a.ts',
    ['import b.ts'],
  )
  check(
    'a specifier too long is left alone',
    { 'a.ts': `import './${'x/'.repeat(30_000)}y'\nimport './b'\n`, ...empty('b.ts') },
    'a.ts',
    ['import b.ts'],
  )
  check(
    'a manifest that is a device is not waited for',
    { 'src/a.ts': "import './b'\nimport 'thing'\n", ...empty('src/b.ts') },
    'src/a.ts',
    [],
    { 'package.json': '/dev/zero' },
  )
})

describe('fields for bundlers', () => {
  const expected = [
    "import q from './q?raw'",
    "import w from './w.worker.ts?worker&inline'",
    "import s from './s.svg?url'",
  ]
  check(
    'is no part of its path',
    {
      'src/main.ts': [...expected, "import h from './h#x.js'"].join('\n'),
      ...empty('src/q.ts', 'src/w.worker.ts', 'src/s.svg', 'src/h#x.js'),
    },
    'src/main.ts',
    ['import src/q.ts', 'import src/w.worker.ts', 'import src/s.svg', 'import src/h#x.js'],
  )
})
