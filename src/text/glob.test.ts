import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { Problem } from '../model/problem.js'
import {
  cleanPath,
  compileGlob,
  compilePlaces,
  hasTooMany,
  mayLieBelow,
  pathMatcher,
  staticPart,
} from './glob.js'

const cases: [string, string[], string[]][] = [
  ['*.ts', ['a.ts', 'src/a.ts', 'src/deep/a.ts'], ['a.tsx', 'a.ts/b.js']],
  ['**/*.ts', ['a.ts', 'src/deep/a.ts'], ['a.js']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['lib/src/a.ts', 'a.ts']],
  ['src/*.ts', ['src/a.ts'], ['src/x/a.ts']],
  ['/*.md', ['README.md'], ['docs/README.md']],
  ['*.{ts,tsx}', ['a.ts', 'x/a.tsx'], ['a.js']],
  ['{src,lib}/**', ['src/a', 'lib/b/c'], ['test/a']],
  ['{src/{a,b},lib}/*.ts', ['src/a/x.ts', 'src/b/x.ts', 'lib/x.ts'], ['src/c/x.ts']],
  ['src/server', ['src/server', 'src/server/a.ts', 'src/server/b/c.ts'], ['src/servers/a.ts']],
  ['docs/', ['docs/a.md', 'docs/b/c.md'], ['doc/a.md', 'x/docs/a.md']],
  ['!*.md', ['a.ts'], ['README.md', 'docs/a.md']],
  ['file?.t[a-c]t', ['file1.tat', 'file2.tbt'], ['file10.tat', 'file1.tdt']],
  ['[!a]*', ['b', 'x/b'], ['a', 'x/abc']],
  ['\\*.ts', ['*.ts'], ['a.ts']],
  ['\\[', ['['], ['a']],
  ['\\{a', ['{a'], ['a']],
  ['[{]', ['{'], ['a']],
  ['app/[id]/x.ts', ['app/i/x.ts'], ['app/[id]/x.ts']],
  ['a**b', ['ab', 'axxb'], ['a/b']],
  ['日本*.md', ['notes/日本語.md'], ['x.md']],
  ['../**', [], ['a', 'src/a.ts']],
  ['', ['a', 'src/a'], []],
]

test('several places are joined by "or", and those with ! take away from them', () => {
  const covered = (places: string[]) =>
    ['src/a.ts', 'src/old/b.ts', 'docs/c.md'].filter(compilePlaces(places))
  assert.deepEqual(covered([]), ['src/a.ts', 'src/old/b.ts', 'docs/c.md'])
  assert.deepEqual(covered(['src', '!src/old']), ['src/a.ts'])
  assert.deepEqual(covered(['!src']), ['docs/c.md'])
  assert.deepEqual(covered(['docs', '*.ts']), ['src/a.ts', 'src/old/b.ts', 'docs/c.md'])
})

for (const [glob, yes, no] of cases)
  test(`${JSON.stringify(glob)} covers what ripgrep's would`, () => {
    const { covers } = compileGlob(glob)
    for (const path of yes) assert.ok(covers(path), path)
    for (const path of no) assert.ok(!covers(path), path)
  })

for (const glob of ['[', '[bad', '!src/[a-', 'app/[a/b]', '{', '{a,b', '*.{ts', '{a,{b}', 'a,b}', '[]'])
  test(`a broken glob is refused, for it would cover nothing: ${glob}`, () => {
    assert.throws(() => compileGlob(glob), { name: 'Problem', code: 'invalid_glob', message: /without its/ })
  })

test('names let through at least what a glob covers, and all of it where it has no folder', () => {
  assert.deepEqual(pick('*.ts'), { names: ['*.ts'], byName: true })
  assert.deepEqual(pick('src/**/*.{ts,js}'), { names: ['*.ts', '*.js'], byName: false })
  assert.deepEqual(pick('src/**'), { names: null, byName: false })
  assert.deepEqual(pick('!*.ts'), { names: null, byName: false })
  assert.deepEqual(pick('src/server'), { names: null, byName: false })
  function pick(glob: string) {
    const { names, byName } = compileGlob(glob)
    return { names, byName }
  }
})

test('hostile globs are refused or cheap', () => {
  assert.throws(() => compileGlob('{a,b}'.repeat(30)), Problem)
  assert.throws(
    () => compileGlob('{'.repeat(5) + 'a,b}'.repeat(5) + '{1,2,3,4,5,6,7,8,9}'.repeat(4)),
    Problem,
  )
  const path = `${'a'.repeat(250)}/${'a'.repeat(250)}`
  const start = process.cpuUsage()
  for (const glob of ['*a'.repeat(100), '**/a'.repeat(60), '?'.repeat(200), `${'*a'.repeat(60)}b`])
    for (let i = 0; i < 100; i++) compileGlob(glob).covers(path)
  const { user } = process.cpuUsage(start)
  assert.ok(user < 2_000_000, `${user} µs`)
})

describe('paths from the root against globs', () => {
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
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['app/[id]/page.ts', 'app/[id]/page.ts', true],
    ['app/[id]/page.ts', 'app/i/page.ts', false],
    ['a*b*c', 'abc', true],
    ['ab*bc', 'abc', false],
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
    for (const pattern of [
      '{a,b}'.repeat(40),
      '{'.repeat(50_000),
      `${'{'.repeat(9_000)}${'}'.repeat(9_000)}`,
    ]) {
      assert.throws(() => pathMatcher([pattern]), { code: 'invalid_glob' })
      assert.ok(hasTooMany(pattern))
    }
    assert.ok(process.cpuUsage(before).user < 2_000_000)
  })

  test('is refused when it has too many alternatives, rather than taken for a name', () => {
    const group = (count: number) => `{${Array.from({ length: count }, (_, i) => `d${i}`).join(',')}}`
    const [most, more] = [`src/${group(20)}/${group(10)}.ts`, `src/${group(20)}/${group(11)}.ts`]
    assert.ok(pathMatcher([most])('src/d19/d9.ts') && mayLieBelow('src/d19', [most]) && !hasTooMany(most))
    assert.throws(() => pathMatcher([more]), { code: 'invalid_glob', message: /"src\/{d0,.*too many/ })
    assert.throws(() => mayLieBelow('src', [more]), { code: 'invalid_glob' })
    assert.ok(hasTooMany(more))
  })

  test('tells where a pattern begins, and cleans what people write', () => {
    assert.equal(staticPart('docs/*/adr'), 'docs')
    assert.equal(staticPart('docs/adr'), 'docs/adr')
    assert.equal(cleanPath('.\\docs\\adr\\'), 'docs/adr')
  })
})

const below: [pattern: string, yes: string[], no: string[]][] = [
  ['src', ['src', 'src/a/', 'src/a/b'], ['lib', 'srcs']],
  ['src/a.ts', ['src'], ['src/b']],
  ['src/*.ts', ['src'], ['src/a', 'lib']],
  ['src/*/x/*.ts', ['src', 'src/a', 'src/a/x'], ['src/a/y', 'src/a/x/z']],
  ['src/**/*.ts', ['src', 'src/a/b'], ['lib']],
  ['**/*.ts', ['src', 'a/b'], []],
  ['{src,lib}/x', ['lib', 'src/x/y'], ['test']],
  ['', ['src'], []],
]
for (const [pattern, yes, no] of below)
  test(`below which folders ${JSON.stringify(pattern)} may lie`, () => {
    for (const folder of yes) assert.ok(mayLieBelow(folder, [pattern]), folder)
    for (const folder of no) assert.ok(!mayLieBelow(folder, [pattern]), folder)
  })

test('slashes in a row take no time, wherever they stand', () => {
  const took = processorTime(() => cleanPath(`a${'/'.repeat(60_000)}b`))
  assert.ok(took < 1500, `${took | 0} ms`)
  assert.equal(cleanPath('./a//'), 'a')
})
