import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInModule, moduleOf } from './module.js'

const cases: [string, string | null][] = [
  ['src/auth/token.ts', 'auth'],
  ['src/server/auth/AuthService.ts', 'server'],
  ['packages/billing/src/index.ts', 'billing'],
  ['code/api/src/domain/retry-budget.ts', 'api'],
  ['docs/guide/setup.md', 'docs'],
  ['backend/src/auth/x.py', 'backend'],
  ['src/index.ts', 'src'],
  ['packages/src/index.ts', 'src'],
  ['src/services/context/x.ts', 'services'],
  ['src/app/main.ts', 'app'],
  ['src/lib/x.ts', 'lib'],
  ['lib/core/src/x.ts', 'core'],
  ['packages/app/src/x.ts', 'app'],
  ['SRC/Auth/x.ts', 'Auth'],
  ['README.md', null],
  ['./README.md', null],
  ['', null],
  ['//', null],
]

for (const [path, module] of cases)
  test(`${JSON.stringify(path)} is of ${module}`, () => assert.equal(moduleOf(path), module))

const within: [string, string, boolean][] = [
  ['src/services/context/x.ts', 'services', true],
  ['src/services/context/x.ts', 'Services', true],
  ['src/services/context/x.ts', 'services/context', true],
  ['src/services/context/deep/x.ts', 'services/context', true],
  ['src/services/context/x.ts', 'src/services', true],
  ['src/services/context/x.ts', 'context', false],
  ['src/services/context.ts', 'services/context', false],
  ['src/services/contexts/x.ts', 'services/context', false],
  ['src/services/x.ts', 'src', false],
  ['src/index.ts', 'src', true],
  ['README.md', '', false],
  ['docs/guide/x.md', 'docs/guide', true],
]

for (const [path, module, isIn] of within)
  test(`${path} is ${isIn ? '' : 'not '}in ${JSON.stringify(module)}`, () =>
    assert.equal(isInModule(path, module), isIn))
