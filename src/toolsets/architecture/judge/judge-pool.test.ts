import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Ask } from './ask.js'
import { judgePool } from './judge-pool.js'

const pool = judgePool({ processes: 1 })
after(() => pool.close())

const text = (pattern: string): Ask => ({
  kind: 'text',
  pattern,
  ignoreCase: false,
  when: null,
  codeOnly: false,
})
const tree = (pattern: string | Record<string, unknown>): Ask => ({ kind: 'tree', tree: pattern, when: null })

async function judge(code: string, language: string | null, ...asks: Ask[]): Promise<Answer[]> {
  const subject = { path: null, root: '/', language, code: { text: code } }
  const [answers] = await pool.judge([{ subject, asks }])
  return answers!
}

describe('a process that holds code against patterns', () => {
  const trees: [language: string, code: string, pattern: string, line: number][] = [
    ['typescript', 'a()\neval(x)', 'eval($A)', 2],
    ['typescript', 'const a = <div />\neval(x)', 'eval($A)', 2],
    ['javascript', 'a()\nconsole.log(1, 2)', 'console.log($$$)', 2],
    ['html', '<p>\n<b>x</b></p>', '<b>$A</b>', 2],
    ['css', 'b {}\na {\n  color: red;\n}', 'a { $$$ }', 2],
    ['python', 'def f():\n    print(1)\n', 'print($A)', 2],
    ['go', 'package a\nfunc f() { fmt.Println("x") }', 'fmt.Println($A)', 2],
    ['go', 'package a\nfunc f() {\n panic("x") }', 'panic($A)', 3],
    ['rust', 'fn f() {\n  x.unwrap();\n}', '$A.unwrap()', 2],
    ['java', 'class A {\n void f() { System.out.println("x"); }\n}', 'System.out.println($A)', 2],
  ]
  for (const [language, code, pattern, line] of trees)
    test(`finds ${pattern} in ${language}`, async () => {
      assert.deepEqual(await judge(code, language, tree(pattern)), [{ lines: [line] }])
    })

  const halves: [language: string, pattern: string | Record<string, unknown>][] = [
    ...['console.log($A', 'foo(', '(((', 'function (', 'if (', 'function f() { g( }', '"x'].map(
      (pattern): [string, string] => ['typescript', pattern],
    ),
    ['typescript', { any: [{ pattern: 'f($A)' }, { inside: { not: { pattern: 'f($A' } } }] }],
    ['python', 'print($A'],
    ['go', 'fmt.Println('],
    ['rust', 'x.unwrap('],
    ['java', 'f('],
  ]
  for (const [language, half] of halves)
    test(`half a pattern is broken: ${JSON.stringify(half)} in ${language}`, async () => {
      const [answer] = await judge('x', language, tree(half))
      assert.ok(answer && 'failed' in answer && answer.broken, JSON.stringify(answer))
      assert.match(answer.failed, new RegExp(`is no ${language} that can be read\\.$`))
    })

  const wholes: [language: string, code: string, pattern: string][] = [
    ['typescript', 'class A { #x = 1 }', '#x'],
    ['typescript', '$("x")', '$'],
    ['python', '@app.get("/")\ndef f(): pass', '@app.get($$$)'],
    ['python', 'try:\n  a()\nexcept:\n  b()\n', 'try:\n  $$$\nexcept:\n  $$$'],
    ['go', 'package a; func (r T) G(a int) { x(); y() }', 'func ($R $T) $F($$$) { $$$ }'],
    ['rust', 'impl X for Y { fn a(){} fn b(){} }', 'impl $A for $B { $$$ }'],
    ['java', 'class B { public void f(int a, int b) { c(); } }', 'public void $F($$$ARGS) { $$$ }'],
    ['css', '@media print { a { b: c } }', '@media $A { $$$ }'],
    ['html', '<p><b>x</b></p>', '<b>'],
    ['typescript', 'import a from "b"', 'import $X from $Y'],
    ['typescript', 'for (let i = 0; i < 1; i++) { a() }', 'for ($$$) { $$$ }'],
    ['java', 'class A { void f() { for (int i = 0; i < 1; i++) { a(); } } }', 'for ($$$) { $$$ }'],
    ['go', 'package x; import "a"', 'import $A'],
  ]
  for (const [language, code, pattern] of wholes)
    test(`a pattern that its grammar half likes still finds: ${pattern} in ${language}`, async () => {
      assert.deepEqual(await judge(code, language, tree(pattern)), [{ lines: [1] }])
    })

  test('a pattern in a comment or a string is no code', async () => {
    const code = 'f() // eval(x)\nconst s = "eval(x)"\neval(x)'
    const only: Ask = { ...(text('eval\\(') as Extract<Ask, { kind: 'text' }>), codeOnly: true }
    assert.deepEqual(await judge(code, 'typescript', only, text('eval\\('), tree('eval($A)')), [
      { lines: [3] },
      { lines: [1, 2, 3] },
      { lines: [3] },
    ])
  })

  test('a pattern that never ends is stopped, and the others are answered', async () => {
    const [hostile, honest, last] = await judge(
      `${'a'.repeat(50)}!\nfoo(1)`,
      'typescript',
      text('(a+)+$'),
      text('foo'),
      tree('foo($A)'),
    )
    assert.ok('failed' in hostile! && hostile.broken)
    assert.deepEqual([honest, last], [{ lines: [2] }, { lines: [2] }])
  })

  const wholeCharacters: [pattern: string, lacks: string, has: string][] = [
    ['\\p{Script=Cyrillic}', 'a', 'б'],
    ['[🚀✅]', '😀', '🚀'],
    ['^.$', 'ab', '🚀'],
    ['\\u{1F680}', 'u', '🚀'],
    // Only taken where characters are not whole: an escape that nothing needs, and halves of pairs.
    ['a\\-b\\"', 'ab', 'a-b"'],
    ['\\ud83d[\\udc00-\\udfff]', 'x', '🚀'],
    ['\\\\p{', 'p{', '\\p{'],
  ]
  for (const [pattern, lacks, has] of wholeCharacters)
    test(`an expression is about whole characters: ${pattern}`, async () => {
      assert.deepEqual(await judge(`${lacks}\n${has}`, null, text(pattern)), [{ lines: [2] }])
      const when = { ...text('$'), when: pattern } as Ask
      assert.deepEqual(await judge(lacks, null, when), [{ aside: true }])
      assert.deepEqual(await judge(has, null, when), [{ lines: [1] }])
    })

  test('a rule that ignores case does so in its condition, too', async () => {
    const code = 'insert into outbox values (1);'
    const ask = { ...text('BEGIN'), when: 'INSERT INTO outbox' } as Ask
    assert.deepEqual(await judge(code, 'sql', ask, { ...ask, ignoreCase: true } as Ask), [
      { aside: true },
      { lines: [] },
    ])
  })

  test('the answer says what is wrong with a tree pattern', async () => {
    const [multiple, empty, unknown, strange] = await judge(
      'a()',
      'typescript',
      tree('a(); b('),
      tree(''),
      tree({ kind: 'no_such_kind' }),
      tree({ nonsense: true }),
    )
    for (const answer of [multiple, empty, unknown, strange])
      assert.ok(answer && 'failed' in answer && answer.broken && answer.failed.length > 30)
  })

  test('code that cannot be read is not called free of what was not seen', async () => {
    const [answer] = await judge('function ( {{{ ', 'typescript', tree('eval($A)'))
    assert.ok(answer && 'failed' in answer && !answer.broken)
    const [found] = await judge('function ( {{{ \neval(x)', 'typescript', text('eval'))
    assert.deepEqual(found, { lines: [2] })
  })

  test('a language without a grammar is not checkable', async () => {
    const [answer, imports] = await judge('x', 'kotlin', tree('f($A)'), { kind: 'imports' })
    assert.ok(answer && 'failed' in answer && /kotlin/.test(answer.failed))
    assert.ok(imports && 'failed' in imports)
  })

  test('code nested without end takes no process down', async () => {
    for (const code of ['['.repeat(50_000), 'a('.repeat(25_000)])
      assert.equal((await judge(code, 'typescript', tree('foo($A)'), { kind: 'imports' })).length, 2)
  })

  test('imports come with their lines, without those in comments', async () => {
    const code = "// import x from 'no'\nimport a from './b'\nconst c = require('d')\nawait import('e')\n"
    const [answer] = await judge(code, 'typescript', { kind: 'imports' })
    assert.ok(answer && 'imports' in answer)
    assert.deepEqual(
      answer.imports.map(({ specifier, line }) => [specifier, line]),
      [
        ['./b', 2],
        ['d', 3],
        ['e', 4],
      ],
    )
  })

  test('a file that is gone, or too large, is answered with why', async () => {
    const subject = { path: 'x.ts', root: '/', language: 'typescript' }
    const [[gone], [large]] = (await pool.judge([
      { subject: { ...subject, code: { file: '/no/such/file.ts', mostBytes: 10 } }, asks: [text('x')] },
      { subject: { ...subject, code: { file: process.execPath, mostBytes: 10 } }, asks: [text('x')] },
    ])) as [Answer[], Answer[]]
    assert.ok(gone && 'failed' in gone && /ENOENT/.test(gone.failed))
    assert.ok(large && 'failed' in large && /bytes/.test(large.failed))
  })

  test('many at once wait for their turn', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => judge(`x${i}`, null, text(`x${i}$`))))
    assert.ok(all.every(([answer]) => answer && 'lines' in answer && answer.lines[0] === 1))
  })

  test('a question that is called off ends its process', async () => {
    const own = judgePool({ processes: 1, batchMs: 10_000 })
    const stop = new AbortController()
    const subject = { path: null, root: '/', language: null, code: { text: 'a'.repeat(60) } }
    const asks = Array.from({ length: 8 }, () => text('(a+)+b'))
    const judging = own.judge([{ subject, asks }], stop.signal)
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await assert.rejects(judging, /enough/)
    own.close()
  })

  test('one that is called off while it waits is gone at once, and the next has its turn', async (t) => {
    const own = judgePool({ processes: 1, patternMs: 1_000 })
    t.after(() => own.close())
    const ask = (code: string, pattern: string, signal?: AbortSignal) => {
      const subject = { path: null, root: '/', language: null, code: { text: code } }
      return own.judge([{ subject, asks: [text(pattern)] }], signal)
    }
    const ended: string[] = []
    const stop = new AbortController()
    const slow = ask('a'.repeat(60), '(a+)+b').then(() => ended.push('slow'))
    const off = assert.rejects(ask('x', 'x', stop.signal), /enough/).then(() => ended.push('called off'))
    const next = ask('x', 'x').then(() => ended.push('next'))
    stop.abort(new Error('enough'))
    await Promise.race([Promise.all([slow, off, next]), pause(5_000)])
    assert.deepEqual(ended, ['called off', 'slow', 'next'])
  })

  // A process takes longer than this to start, and a word is found in far less; a busy machine may need many tries.
  test('what a process takes to start is not counted against a question', async () => {
    const subject = { path: null, root: '/', language: null, code: { text: 'a' } }
    let answer: Answer | undefined
    for (let i = 0; i < 25 && !(answer && 'lines' in answer); i++) {
      const own = judgePool({ processes: 1, batchMs: 30, questionMs: 30 })
      answer = (await own.judge([{ subject, asks: [text('a')] }]))[0]![0]
      own.close()
    }
    assert.deepEqual(answer, { lines: [1] })
  })

  test('a batch that takes too long costs only the question that takes long', async (t) => {
    const own = judgePool({ processes: 1, batchMs: 1_500, questionMs: 1_500, patternMs: 60_000 })
    t.after(() => own.close())
    const subject = { path: null, root: '/', language: null, code: { text: 'a'.repeat(60) } }
    const [answers] = await own.judge([{ subject, asks: [text('a'), text('(a+)+b'), text('a')] }])
    const [first, hostile, last] = answers!
    assert.deepEqual([first, last], [{ lines: [1] }, { lines: [1] }])
    assert.ok('failed' in hostile! && hostile.broken)
  })
})
