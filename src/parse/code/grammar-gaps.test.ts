import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readImports } from '../imports/read-imports.js'
import { separateCallSignatures } from './grammar-gaps.js'
import { withTree } from './grammars.js'

// Forms that the grammar takes for syntax errors, in our own words.
const signatures = [
  'interface Getter<E> {\n  <K extends keyof E>(key: K): E[K]\n  <K extends string>(key: K): number\n}',
  'interface Reader {\n  (name: string): void\n  <K>(key: K): number\n}',
  'type Maker = {\n  (name: string): Thing\n  <K>(key: K): number\n}',
  'interface Mixed {\n  name: string // of the thing\n  /** Its value. */\n  <K>(key: K): number\n}',
  'interface Wide {\n  (a: string): Thing<\n    A\n  >\n\n  /**\n   * More.\n   */\n  <\n    K extends string,\n  >(\n    key: K\n  ): number\n}',
  'interface Union {\n  (a: string): A extends B ? C : Promise<D>\n  <T extends E>(\n    a: T,\n  ): F & G\n}',
]

describe('generic call signatures without semicolons', () => {
  for (const code of signatures)
    test(`parses ${JSON.stringify(code.slice(0, 50))}`, async () => {
      const text = `import a from './a'\n${code}\nimport b from './b'\n`
      const { imports, error } = (await readImports('x.ts', text))!
      assert.equal(error, undefined)
      assert.deepEqual(
        imports.map(({ specifier, at }) => [specifier, text.slice(at + 1, at + 4)]),
        [
          ['./a', './a'],
          ['./b', './b'],
        ],
      )
      const { value } = await withTree('typescript', text, ({ root }) => root.hasError)
      assert.equal(value, false)
    })

  test('keeps every offset, and leaves other text alone', () => {
    for (const code of signatures) assert.equal(separateCallSignatures(code)?.length, code.length)
    for (const code of [
      'const a = b <\n  c',
      'f(\n  <string>x,\n)',
      'a = b\nc',
      'type A =\n  <T>(x: T) => T',
    ])
      assert.equal(separateCallSignatures(code), null, code)
  })

  test('a real syntax error is still reported', async () => {
    const { error } = (await readImports('x.ts', `${signatures[0]}\nconst = {{{ (\n`))!
    assert.equal(error, 'Syntax error at line 5.')
  })

  test('reads valid newer syntax without an error', async () => {
    for (const code of [
      'const a = { b: 1 } satisfies Record<string, number>',
      'function f<const T extends readonly unknown[]>(x: T): T { return x }',
      'class A { accessor x = 1; static { this.y = 2 } }',
      'type A<T> = T extends `$X{infer L}/$X{infer R}` ? L : R'.replaceAll('$X', '$'),
      'interface A<in T, out U> { get x(): T; set x(v: T) }',
      'async function f() { using a = b(); await using c = d() }',
      'export type * from "./w"',
    ])
      assert.equal((await readImports('x.ts', code))!.error, undefined, code)
  })
})
