import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { grammars, withTree } from './grammars.js'
import { languageFor } from './languages.js'
import { parseCode } from './parse-code.js'

test('every grammar loads and parses in one thread', async () => {
  for (const grammar of grammars) {
    const { value } = await withTree(grammar, 'a\n', (tree) => tree.root.endIndex)
    assert.ok(value! >= 1, grammar)
  }
})

test('parses in parallel are independent of each other', async () => {
  const names = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const language = i % 2 ? 'python' : 'typescript'
      const text = i % 2 ? `def f${i}(): pass` : `function f${i}() {}`
      return (await parseCode(text, language, 'file')).declarations[0]!.name
    }),
  )
  assert.deepEqual(
    names,
    Array.from({ length: 50 }, (_, i) => `f${i}`),
  )
})

describe('limits', () => {
  test('a text that is too large is not parsed', async () => {
    const { note } = await withTree('go', 'package a', () => true, { chars: 3 })
    assert.equal(note?.code, 'parse_too_large')
  })

  test('a parse that takes too long is stopped, and the next one starts afresh', async () => {
    // Every token makes this grammar look through all the text that follows.
    const { note } = await withTree('css', 'a:'.repeat(50_000), () => true, { ms: 50 })
    assert.equal(note?.code, 'parse_timeout')
    const { value } = await withTree('css', 'a { b: c }', (tree) => tree.root.hasError)
    assert.equal(value, false)
  })

  test('a parse that needs too much memory fails only for its text', async () => {
    const hungry = await withTree('typescript', 'A<B,'.repeat(10_000), () => true, { megabytes: 64 })
    assert.equal(hungry.note?.code, 'parse_failed')
    const after = await parseCode('function a() {}', 'typescript', 'a.ts')
    assert.deepEqual([after.declarations.length, after.notes], [1, []])
  })

  test('texts that wait while another breaks the parser are still parsed', async () => {
    const texts = ['A<B,'.repeat(10_000), 'function a() {}', 'A<B,'.repeat(10_000), 'function b() {}']
    const readings = await Promise.all(
      texts.map((text) => withTree('typescript', text, (tree) => tree.root.hasError, { megabytes: 64 })),
    )
    assert.deepEqual(
      readings.map(({ value, note }) => note?.code ?? value),
      ['parse_failed', false, 'parse_failed', false],
    )
  })

  test("an error in the caller's code is rethrown, and the tree is freed", async () => {
    const bug = new TypeError('a bug')
    await assert.rejects(
      withTree('go', 'package a', () => {
        throw bug
      }),
      bug,
    )
  })
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('memory stays flat over hundreds of parses', async () => {
  const text = `${'export function a(x: number) {\n  return [x, x + 1, { x }]\n}\n\n'.repeat(40)}`
  const sizes: number[] = []
  for (let i = 0; i < 300; i++) {
    await parseCode(text, 'typescript', 'a.ts')
    if (i % 100 !== 99) continue
    // What only waits to be collected is no leak.
    collect()
    sizes.push(process.memoryUsage().rss)
  }
  // A tree of this text takes over 100 KB: two hundred leaked ones would be seen.
  assert.ok(sizes[2]! - sizes[0]! < 15_000_000, sizes.join(' '))
})

describe('hostile texts', () => {
  const texts: Record<string, string> = {
    'fifty thousand open parentheses': '('.repeat(50_000),
    'fifty thousand open braces': '{'.repeat(50_000),
    'fifty thousand pairs of parentheses': '('.repeat(50_000) + ')'.repeat(50_000),
    'functions inside of functions': 'function f() {\n'.repeat(5_000) + '}'.repeat(5_000),
    'classes inside of classes': `${'class A {\n'.repeat(5_000)}${'}'.repeat(5_000)}`,
    'a word of a million letters': 'a'.repeat(1_000_000),
    'half a million characters on one line': `var a=[${'1234567,'.repeat(62_500)}]`,
    'bytes at random': Array.from({ length: 30_000 }, (_, i) =>
      String.fromCharCode((i * 7919 + (i >> 3)) % 256),
    ).join(''),
    'lone surrogates and NULs': '\ud800\udc00\udc00\ud800 \0\0'.repeat(1_000),
    'only blank lines': ' \n\t\r\n'.repeat(50_000),
    'open strings and comments': '"\n/* \' ` """ <<EOF\n'.repeat(500),
  }
  for (const [title, text] of Object.entries(texts)) {
    test(title, async () => {
      for (const language of ['typescript', 'python', 'cpp', 'shell']) {
        const started = performance.now()
        const parsed = await parseCode(text, language, 'file')
        assert.ok(performance.now() - started < 20_000, `${language} took too long`)
        assert.equal(parsed.text, text)
        for (const { start, end } of parsed.declarations)
          assert.ok(0 <= start && start < end && end <= text.length)
      }
    })
  }
})

test('languages are known by the names people use', () => {
  const names = {
    ts: 'typescript',
    JavaScript: 'javascript',
    'C#': 'c-sharp',
    c: 'cpp',
    bash: 'bash',
    sh: 'bash',
    py: 'python',
  }
  for (const [name, grammar] of Object.entries(names)) assert.equal(languageFor(name, 'x')?.grammar, grammar)
  assert.equal(languageFor('typescript', 'a.tsx')?.grammar, 'tsx')
  assert.equal(languageFor('constructor', 'x'), null)
  assert.equal(languageFor('shell', 'a.fish'), null)
})
