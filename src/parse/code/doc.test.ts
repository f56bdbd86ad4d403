import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCode } from './parse-code.js'

/** What the doc comment of each declaration says first. */
async function check(language: string, path: string, text: string, expected: (string | undefined)[]) {
  const { declarations } = await parseCode(text, language, path)
  assert.deepEqual(
    declarations.map(({ doc }) => doc),
    expected,
    path,
  )
}

test('doc comments of every style, their first sentence, without marks and tags', async () => {
  await check(
    'typescript',
    'a.ts',
    '/** Reads it.\n * And more.\n * @param a b */\nexport function f(a) {}\n\nfunction g() {}\n',
    ['Reads it.', undefined],
  )
  await check(
    'typescript',
    'a.ts',
    '/**\n * Over\n * two lines\n *\n * @returns x\n */\n@Decorated()\nclass C {\n  // Short one\n  m() {}\n}\n',
    ['Over two lines', 'Short one'],
  )
  await check(
    'python',
    'a.py',
    'def f():\n    """Say so. Then more."""\n    pass\n\nclass C:\n    \'\'\'\n    A class.\n\n    :param x: y\n    \'\'\'\n',
    ['Say so.', 'A class.'],
  )
  await check('python', 'b.py', '# A comment above.\n@cached\ndef f():\n    return 1\n', ['A comment above.'])
  await check('rust', 'a.rs', '/// Does it.\n/// Well.\n#[inline]\nfn f() {}\n', ['Does it.'])
  await check('go', 'a.go', 'package a\n\n// F runs e.g. twice. Always.\nfunc F() {}\n', [
    'F runs e.g. twice.',
  ])
  await check('csharp', 'a.cs', '/// <summary>Keeps <see cref="X"/> shut.</summary>\nclass A {}\n', [
    'Keeps shut.',
  ])
  await check('java', 'A.java', '/** Holds. */\n@Deprecated\nclass A {}\n', ['Holds.'])
  await check('c', 'a.c', '/* Adds.  */\nint add(int a) { return a; }\n', ['Adds.'])
})

test('ignores comments that document nothing', async () => {
  await check('typescript', 'a.ts', '// Apart.\n\nfunction f() {}\n', [undefined])
  await check('typescript', 'a.ts', '/** @internal */\nfunction f() {}\n', [undefined])
  await check('rust', 'a.rs', '#[derive(Debug)]\nstruct A;\n', [undefined])
  await check('python', 'a.py', 'def f():\n    x = """Not a doc."""\n', [undefined])
})

test('cuts a long doc comment', async () => {
  const { declarations } = await parseCode(
    `// ${'word '.repeat(200)}\nfunction f() {}\n`,
    'typescript',
    'a.ts',
  )
  assert.equal(declarations[0]!.doc!.length, 200)
  assert.ok(declarations[0]!.doc!.endsWith('…'))
})
