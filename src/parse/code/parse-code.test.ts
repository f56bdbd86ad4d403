import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Declaration } from '../../model/document.js'
import { parseCode } from './parse-code.js'

async function declared(language: string, text: string): Promise<Declaration[]> {
  return (await parseCode(text, language, 'file')).declarations
}

describe('the head of a declaration', () => {
  const heads: [language: string, source: string, ...signatures: string[]][] = [
    [
      'typescript',
      'export async function a<T>(\n  x: T, // why\n  y = 1,\n): Promise<T> {\n}',
      'export async function a<T>(x: T, y = 1): Promise<T>',
    ],
    ['typescript', 'const f = async (x: number) => x * 2', 'const f = async (x: number) =>'],
    ['typescript', "export type A =\n  | 'x'\n  | 'y'", "export type A = | 'x' | 'y'"],
    ['typescript', 'const table = {\n  a: 1,\n}', 'const table'],
    ['typescript', 'const most = 3 * 60', 'const most = 3 * 60'],
    ['typescript', '@Entity({ name: "x" })\nexport class A extends B {}', 'export class A extends B'],
    ['python', '@app.get("/")\n# why\ndef f(a: int = 1) -> str:\n  """Doc."""', 'def f(a: int = 1) -> str'],
    ['python', 'class A(B, metaclass=C):\n  x = 1', 'class A(B, metaclass=C)'],
    ['go', 'func (p *Policy) Do(a int) (int, error) {\n}', 'func (p *Policy) Do(a int) (int, error)'],
    ['go', 'const (\n  A = iota\n  B\n)', 'const A = iota', 'B'],
    ['rust', 'impl<T> Display for A<T> where T: Debug {}', 'impl<T> Display for A<T> where T: Debug'],
    [
      'java',
      'class A {\n  @Override\n  public int f(int a) throws E {}\n}',
      'class A',
      'public int f(int a) throws E',
    ],
    ['c', 'static int\nf(int a,\n  int b)\n{\n}', 'static int f(int a, int b)'],
    ['c', 'typedef struct { int a; } point;', 'typedef struct point'],
    ['csharp', 'class A {\n  [Key] public int Id { get; set; }\n}', 'class A', 'public int Id { get; set; }'],
    ['ruby', 'def e\nend', 'def e'],
    ['ruby', 'def go(a, b: 1)\n  a\nend', 'def go(a, b: 1)'],
    ['shell', 'go() {\n  ls\n}', 'go()'],
  ]
  for (const [language, source, ...signatures] of heads) {
    test(`${language}: ${signatures.join(' / ')}`, async () => {
      assert.deepEqual(
        (await declared(language, source)).map((declaration) => declaration.signature),
        signatures,
      )
    })
  }

  test('is at most 300 characters long and never half a character', async () => {
    const [f] = await declared('typescript', `function f(${'"😀😀😀😀", '.repeat(100)}) {}`)
    assert.ok(f!.signature.length <= 300 && f!.signature.endsWith('…'))
    assert.doesNotMatch(f!.signature, /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
  })
})

describe('the extent of a declaration', () => {
  // Everything between the brackets is the declaration `f`.
  const cases: [title: string, language: string, source: string][] = [
    ['the comment above', 'typescript', 'let a\n«// One.\n// Two.\nfunction f() {}»\n'],
    ['not the comment behind the line above', 'typescript', 'let a // of a\n«function f() {}»'],
    ['not a comment that a blank line parts from it', 'typescript', '// The file.\n\n«function f() {}»'],
    ['not the shebang', 'shell', '#!/bin/sh\n«f() { ls; }»'],
    ['the semicolon', 'javascript', '«exports.f = function () {};»\nrun()'],
    [
      'with lines that end in CRLF',
      'typescript',
      'let a\r\n\r\n«/** Doc. */\r\nfunction f() {\r\n}»\r\n\r\nlet b\r\n',
    ],
    ['attributes and comments in any order', 'rust', '«/// Doc.\n#[inline]\n// More.\nfn f() {}»\n'],
    [
      'its decorators and the comment above them',
      'python',
      'x = 1\n«# Doc.\n@a\n@b(1)\ndef f():\n    pass»\n',
    ],
    [
      'after characters outside of the basic plane',
      'python',
      's = "😀漢字é\u0301"\n«# 👩‍💻 doc\ndef f():\n    return "🎉"»\nt = 1\n',
    ],
  ]
  for (const [title, language, marked] of cases) {
    test(title, async () => {
      const text = marked.replace(/[«»]/g, '')
      const f = (await declared(language, text)).find(({ name }) => name === 'f')
      assert.equal(text.slice(f!.start, f!.end), marked.slice(marked.indexOf('«') + 1, marked.indexOf('»')))
      assert.equal(f!.line, text.slice(0, f!.start).split('\n').length)
      assert.equal(f!.endLine, text.slice(0, f!.end).split('\n').length)
    })
  }
})

describe('broken code', () => {
  const cases: [language: string, source: string, names: string[], line: string][] = [
    [
      'typescript',
      'function a() {}\nconst = ;\nclass B { m() {} }\nfunction c(',
      ['a', 'B', 'm'],
      'lines 2, 4',
    ],
    ['python', 'def a():\n  pass\n\ndef (:\n\nclass B:\n  def c(self): pass\n', ['a', 'B', 'c'], 'line 4'],
    ['go', 'package a\nfunc A() {}\nfunc {\nfunc B() {}\n', ['A'], 'line'],
    ['java', 'class A { void m() { int x = ; } void n() {} }', ['A', 'm', 'n'], 'line 1'],
    ['rust', 'fn a() {}\nfn b( {}\nstruct C { x: u8 }\n', ['a', 'C'], 'line 2'],
  ]
  for (const [language, source, names, line] of cases) {
    test(`${language}: returns the understood part and names the lines that were not understood`, async () => {
      const { declarations, notes } = await parseCode(source, language, 'file')
      const found = declarations.map(({ name }) => name)
      for (const name of names) assert.ok(found.includes(name), `${name} in ${found}`)
      assert.equal(notes[0]?.code, 'parse_errors')
      assert.ok(notes[0]!.message.startsWith(line), notes[0]!.message)
    })
  }
})

test('answers with the text as it came, its language and how many symbols it has', async () => {
  const parsed = await parseCode('def a(): pass\r\n', 'python', 'a.py')
  assert.deepEqual(
    { ...parsed, declarations: parsed.declarations.length },
    {
      format: 'code',
      language: 'python',
      title: null,
      text: 'def a(): pass\r\n',
      sections: [{ level: 1, text: 'a', line: 1, endLine: 1, start: 0, end: 13 }],
      blocks: [],
      declarations: 1,
      links: [],
      tags: [],
      aliases: [],
      metadata: { symbols: 1 },
      notes: [],
    },
  )
})

test('has a section for each declaration, one level below the enclosing one', async () => {
  const text = 'namespace Lamps;\nclass Wick\n{\n    function trim() {}\n}\nfunction light() {}\n'
  const { sections } = await parseCode(`<?php\n${text}`, 'php', 'wick.php')
  assert.deepEqual(
    sections.map(({ level, text, line, endLine }) => [level, text, line, endLine]),
    [
      [1, 'Lamps', 2, 2],
      [1, 'Wick', 3, 6],
      [2, 'trim', 5, 5],
      [1, 'light', 7, 7],
    ],
  )
})
