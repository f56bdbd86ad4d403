import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanPath, pathMatcher, staticPart } from './path-globs.js'

describe('paths against globs', () => {
  const cases: [pattern: string, path: string, expected: boolean][] = [
    ['src/domain', 'src/domain', true],
    ['src/domain', 'src/domain/a/b.ts', true],
    ['src/domain', 'src/domains/a.ts', false],
    ['./src/domain/', 'src/domain/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/**/*.ts', 'src/b.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['**/*.test.ts', 'a/b.test.ts', true],
    ['**/*.test.ts', 'a/b.ts', false],
    ['src/{a,b}/x.ts', 'src/b/x.ts', true],
    ['src/{a,b}/x.ts', 'src/c/x.ts', false],
    ['src/?.ts', 'src/a.ts', true],
    ['packages/*/src', 'packages/core/src/deep/x.ts', true],
    ['packages/*', 'packages/core/src/x.ts', false],
    ['', 'anything/at/all', true],
    ['.', 'anything', true],
  ]
  for (const [pattern, path, expected] of cases)
    test(`"${pattern}" ${expected ? 'covers' : 'leaves out'} ${path}`, () => {
      assert.equal(pathMatcher([pattern])(path), expected)
    })

  test('takes no time for a pattern made to take long', () => {
    const before = process.cpuUsage()
    pathMatcher([`${'*a'.repeat(2_000)}b`, `${'**/'.repeat(200)}x`])(
      `${'a'.repeat(3_000)}/${'y/'.repeat(200)}`,
    )
    pathMatcher([`${'{a,b}'.repeat(40)}`])('a'.repeat(40))
    assert.ok(process.cpuUsage(before).user < 2_000_000)
  })

  test('tells where a pattern begins, and cleans what people write', () => {
    assert.equal(staticPart('docs/*/adr'), 'docs')
    assert.equal(staticPart('docs/adr'), 'docs/adr')
    assert.equal(cleanPath('.\\docs\\adr\\'), 'docs/adr')
  })
})
