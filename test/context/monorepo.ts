// A monorepo with everything that makes resolution hard, and the compiler's settings that go with each folder.
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Files, write } from '../support/world.js'

const json = (value: unknown) => JSON.stringify(value, null, 2)
const lines = (...all: string[]) => `${all.join('\n')}\n`

const shop: Files = {
  'packages/shop/package.json': json({ name: '@acme/shop', type: 'module' }),
  // Comments, trailing commas, and a base that is extended.
  'packages/shop/tsconfig.json': lines(
    '{',
    '  // The aliases of this package.',
    '  "extends": "../../tsconfig.base.json",',
    '  "compilerOptions": {',
    '    "baseUrl": ".",',
    '    "paths": { "@/*": ["src/*"], "@exact": ["src/exact.ts"], "@many/*": ["src/first/*", "src/second/*"] },',
    '  },',
    '}',
  ),
  'packages/shop/src/main.ts': lines(
    "import { a } from './plain'",
    "import b from './extension.js'",
    "import './side-effect.js'",
    "import * as c from '@/aliased'",
    "import d from '@exact'",
    "import e from '@many/in-second'",
    "import f from '@many/in-both'",
    "import g from 'src/by-base-url'",
    "import h from './folder'",
    "import data from './data.json'",
    "import type { T } from './only-types.js'",
    "import { type U } from './inline-type.js'",
    "export * from './re-exported.js'",
    "export { x as y } from './named-re-export.js'",
    "export type { V } from './type-re-export.js'",
    "export * as ns from './namespace-re-export.js'",
    "import old = require('./required')",
    "const lazy = await import('./lazy.js')",
    'const quoted = import(`./template.js`)',
    "let typed: import('./type-query.js').Q",
    "let module: typeof import('./type-of-module.js')",
    "import core from '@acme/core'",
    "import sub from '@acme/core/sub'",
    "import deep from '@acme/core/features/deep'",
    "import legacy from '@acme/legacy'",
    "import legacyFile from '@acme/legacy/lib/file'",
    "import outside from 'left-pad'",
    "import fs from 'node:fs'",
    "import path from 'path'",
    "import gone from './missing.js'",
    "import ghost from '@/missing'",
    "import view from './view.jsx'",
    "import component from './component'",
    "import module1 from './module.mjs'",
    "import module2 from './common.cjs'",
    "import declared from './declared.js'",
    "import up from '..'",
    "import here from '.'",
    'const computed = import("./" + name)',
    "// import './commented.js'",
    'const text = "import \'./in-a-string.js\'"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: It is the text of a file.
    'const template = `import "./in-a-template.js" ${await import("./in-a-substitution.js")}`',
    '/* import "./in-a-block.js" */',
    "const pattern = /import '.\\/in-a-pattern.js'/",
  ),
  ...Object.fromEntries(
    [
      ...[
        'plain',
        'extension',
        'side-effect',
        'aliased',
        'exact',
        'by-base-url',
        'only-types',
        'inline-type',
        're-exported',
      ],
      ...[
        'named-re-export',
        'type-re-export',
        'namespace-re-export',
        'required',
        'lazy',
        'template',
        'type-query',
        'type-of-module',
      ],
      ...[
        'first/in-both',
        'second/in-both',
        'second/in-second',
        'folder/index',
        'index',
        'commented',
        'in-a-string',
        'in-a-template',
      ],
      ...['in-a-substitution', 'in-a-block', 'in-a-pattern', 'folder/inner'],
    ].map((name) => [`packages/shop/src/${name}.ts`, 'export {}\n']),
  ),
  'packages/shop/index.ts': "export * from './src/index.js'\n",
  'packages/shop/src/data.json': '{}',
  'packages/shop/src/view.tsx':
    "import { helper } from '@/folder/inner'\nexport const View = () => <a href=\"./b.js\">import './c.js'</a>\n",
  'packages/shop/src/component.tsx': "export * from './view'\n",
  'packages/shop/src/module.mts': "import './common.cjs'\n",
  'packages/shop/src/common.cts': "import x = require('./plain')\n",
  'packages/shop/src/declared.d.ts': "import type { X } from './plain.js'\nexport const x: X\n",
  'packages/shop/src/declared.js': 'exports.x = 1\n',
  'packages/shop/src/referring.ts': lines(
    '#!/usr/bin/env node',
    '// A licence.',
    '/// <reference path="./declared.d.ts" />',
    'export {}',
    '/// <reference path="./plain.ts" />',
  ),
  'packages/shop/src/augmenting.ts': lines(
    "import './plain.js'",
    "declare module './extension.js' {",
    '  interface Added {}',
    '}',
    "declare module 'somewhere' {",
    "  import type { T } from './only-types.js'",
    '}',
  ),
  // A script before a folder of the same name that has types: the compiler takes the types.
  'packages/shop/src/both.js': '',
  'packages/shop/src/both/index.ts': '',
  'packages/shop/src/order.ts': "import './both'\nimport './folder/index.js'\nimport './folder/'\n",
}

const core: Files = {
  'packages/core/package.json': json({
    name: '@acme/core',
    type: 'module',
    exports: {
      '.': { types: './src/index.ts', default: './dist/index.js' },
      './sub': { import: './src/sub-import.ts', require: './src/sub-require.cts' },
      './features/*': './src/features/*.ts',
      './private/*': null,
    },
    imports: {
      '#internal/*': './src/internal/*.ts',
      '#config': { types: './src/config.ts', default: './src/config.js' },
    },
  }),
  'packages/core/tsconfig.json': json({
    extends: '../../tsconfig.base.json',
    compilerOptions: { module: 'nodenext', moduleResolution: 'nodenext' },
  }),
  'packages/core/src/index.ts': lines(
    "import { x } from '#internal/thing'",
    "import config from '#config'",
    "import self from '@acme/core/features/deep'",
    "import shut from '@acme/core/private/x'",
    "import unknown from '#internal/none'",
    "export * from './sub-import.js'",
  ),
  'packages/core/src/sub-import.ts': "import type { S } from '@acme/shop'\n",
  'packages/core/src/sub-require.cts':
    "import x = require('./legacy.cjs')\nimport sub = require('@acme/core/sub')\n",
  'packages/core/src/legacy.cts': '',
  'packages/core/src/features/deep.ts': '',
  'packages/core/src/private/x.ts': '',
  'packages/core/src/internal/thing.ts': "import '@acme/core'\n",
  'packages/core/src/config.ts': '',
}

const legacy: Files = {
  'packages/legacy/package.json': json({
    name: '@acme/legacy',
    main: './lib/main.js',
    types: './lib/main.d.ts',
  }),
  'packages/legacy/tsconfig.json': json({
    compilerOptions: { allowJs: true, checkJs: true, module: 'commonjs', moduleResolution: 'node10' },
  }),
  'packages/legacy/lib/main.js': lines(
    "const { a } = require('./file')",
    "const b = require('./folder')",
    "const c = require('./data')",
    "const d = require('./data.json')",
    "function later() { return require('./late.js') }",
    "const fs = require('fs')",
    'const e = require(name)',
    "module.exports = require('./package-folder')",
    "const shop = require('left-pad')",
  ),
  'packages/legacy/lib/main.d.ts': "export * from './file'\n",
  'packages/legacy/lib/file.js': "import('./late.js').then(() => {})\n",
  'packages/legacy/lib/late.js': '',
  'packages/legacy/lib/folder/index.js': "require('..')\nrequire('../file.js')\n",
  'packages/legacy/lib/index.js': '',
  'packages/legacy/lib/data.json': '{}',
  'packages/legacy/lib/package-folder/package.json': json({ main: 'inside/entry.js' }),
  'packages/legacy/lib/package-folder/inside/entry.js': '',
}

// A solution without files of its own, as templates of bundlers have it.
const page: Files = {
  'apps/page/package.json': json({ name: '@acme/page', private: true }),
  'apps/page/tsconfig.json': json({
    files: [],
    references: [{ path: './tsconfig.app.json' }, { path: './tsconfig.node.json' }],
  }),
  'apps/page/tsconfig.app.json': json({
    compilerOptions: {
      composite: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'preserve',
      paths: { '~/*': ['./src/*'] },
    },
    include: ['src'],
  }),
  'apps/page/tsconfig.node.json': json({
    compilerOptions: { composite: true, module: 'nodenext' },
    include: ['vite.config.ts'],
  }),
  'apps/page/src/main.tsx': lines(
    "import App from '~/app'",
    "import { t } from '~/deep/er/thing'",
    "import core from '@acme/core'",
    'export default <App />',
  ),
  'apps/page/src/app.tsx': "export { default } from './deep/er/thing'\n",
  'apps/page/src/deep/er/thing.ts': "import '../../app'\n",
  'apps/page/vite.config.ts': "import './src/app.js'\n",
}

/** Each folder with the settings the compiler reads for its files. */
export const projects = [
  { folder: 'packages/shop', config: 'packages/shop/tsconfig.json' },
  { folder: 'packages/core', config: 'packages/core/tsconfig.json' },
  { folder: 'packages/legacy', config: 'packages/legacy/tsconfig.json' },
  { folder: 'apps/page/src', config: 'apps/page/tsconfig.app.json' },
]

export function writeMonorepo(root: string) {
  write(root, {
    'package.json': json({ name: 'acme', private: true, workspaces: ['packages/*', 'apps/*'] }),
    'tsconfig.base.json': json({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'preserve',
        resolveJsonModule: true,
        allowJs: true,
        strict: true,
      },
    }),
    'node_modules/left-pad/package.json': json({ name: 'left-pad', main: 'index.js' }),
    'node_modules/left-pad/index.js': '',
    'node_modules/left-pad/index.d.ts': 'export {}\n',
    ...shop,
    ...core,
    ...legacy,
    ...page,
  })
  for (const name of ['shop', 'core', 'legacy']) {
    const link = join(root, 'node_modules/@acme', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join('../../packages', name), link)
  }
}
