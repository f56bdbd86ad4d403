import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moduleOf } from './module.js'

const cases: [string, string | null][] = [
  ['src/auth/token.ts', 'auth'],
  ['src/server/auth/AuthService.ts', 'server'],
  ['packages/billing/src/index.ts', 'billing'],
  ['code/api/src/domain/retry-budget.ts', 'api'],
  ['docs/guide/setup.md', 'docs'],
  ['backend/src/auth/x.py', 'backend'],
  ['src/index.ts', 'src'],
  ['packages/src/index.ts', 'src'],
  ['SRC/Auth/x.ts', 'Auth'],
  ['README.md', null],
  ['./README.md', null],
  ['', null],
  ['//', null],
]

for (const [path, module] of cases)
  test(`${JSON.stringify(path)} is of ${module}`, () => assert.equal(moduleOf(path), module))
