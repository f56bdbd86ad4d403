import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Chunk, Declaration, Parsed } from '../model/document.js'
import { parseCode } from '../parse/code/parse-code.js'
import { lineAt, lineStarts } from '../text/lines.js'
import { chunkCode } from './code.js'

const about = { path: 'src/retry.ts', title: 'retry' }

// Source on one side; on the other, for each chunk: its lines, its headings, its symbols.
function check(title: string, language: string, source: string, expected: string[]) {
  test(title, async () => {
    const parsed = await parseCode(source, language, about.path)
    const chunks = chunkCode(parsed, about)
    holds(parsed, chunks)
    assert.deepEqual(
      chunks.map((c) => `${c.line}-${c.endLine} [${c.headings.join('/')}] ${c.symbols.join(' ')}`.trim()),
      expected,
    )
  })
}

function lines(count: number, line = '  work(step, { retries: 3, delay: 100 })'): string {
  return `${line}\n`.repeat(count)
}

describe('cutting', () => {
  check(
    'puts small neighbours together, imports and constants included',
    'typescript',
    `// The file.\nimport { a } from './a.js'\n\nconst most = 3\ntype Outcome = 'done'\n\nfunction one() {\n  return ${'1 + '.repeat(50)}1\n}\n`,
    ['1-9 [] one most Outcome'],
  )

  check(
    'keeps a declaration of ordinary size whole and alone, with its doc comment',
    'typescript',
    `import { a } from './a.js'\n${lines(6)}\n/** Doc. */\nfunction one() {\n${lines(25)}}\n\nfunction two() {\n${lines(20)}}\n`,
    ['1-7 []', '9-36 [] one', '38-59 [] two'],
  )

  check(
    'cuts a large class into its head and its members, which know their class',
    'typescript',
    `/** ${'When to try again. '.repeat(20)} */\nexport class Policy {\n  count = 0\n\n  small() {}\n\n  run() {\n${lines(25)}  }\n\n  stop() {\n${lines(25)}  }\n}\n`,
    ['1-3 [] Policy', '5-33 [Policy] Policy.run Policy.small', '35-62 [Policy] Policy.stop'],
  )

  check(
    'lets a head of one line go with the first member',
    'typescript',
    `class Policy {\n  run() {\n${lines(25)}  }\n  stop() {\n${lines(25)}  }\n}\n`,
    ['1-28 [Policy] Policy.run Policy', '29-56 [Policy] Policy.stop'],
  )

  check(
    'cuts a large function where a blank line is, each piece in its name',
    'typescript',
    `export function all() {\n${lines(28)}\n${lines(28)}\n${lines(20)}}\n`,
    ['1-29 [] all', '31-58 [] all', '60-80 [] all'],
  )

  check(
    'keeps signature and docstring together',
    'python',
    `def all(a):\n    """Says.\n\n${lines(20, '    What it does and why it does so.')}\n    ${'x'.repeat(300)}\n    """\n${lines(30, '    work(step, retries=3, delay=100)')}`,
    ['1-29 [] all', '30-56 [] all'],
  )

  check(
    'cuts code without declarations at blank lines',
    'klingon',
    `${lines(25)}\n${lines(25)}\n${lines(25)}`,
    ['1-25 []', '27-51 []', '53-77 []'],
  )

  check(
    'keeps the comment behind a line and the brackets that close with what they belong to',
    'javascript',
    `define(function () {\nfunction one() {\n${lines(30)}} // one\n\nfunction two() {\n${lines(30)}}\n})\n`,
    ['1-33 [] one', '35-67 [] two'],
  )

  check(
    'lets nothing tiny stand alone',
    'typescript',
    `class Policy {\n  run() {\n${lines(60)}  }\n}\nrun()\n`,
    ['1-31 [Policy] Policy.run Policy', '32-65 [Policy] Policy.run'],
  )

  check(
    'keeps a tiny last member in its class',
    'typescript',
    `class Policy {\n  run() {\n${lines(38)}  }\n  stop(later: Date) {}\n}\n\nfunction next() {\n${lines(20)}}\n`,
    ['1-43 [Policy] Policy.run Policy Policy.stop', '45-66 [] next'],
  )

  check('makes nothing of nothing', 'typescript', ' \n\r\n\t', [])
})

test('the context is names in words with their comments, the path in words, and the main signature', async () => {
  const contexts = async (source: string) =>
    chunkCode(await parseCode(source, 'typescript', about.path), about).map(({ context }) => context)
  const long = `class RetryPolicy {\n  /** Runs it. */\n  runHTTP(\n    work: Work,\n  ): void {\n${lines(60)}  }\n}\n`
  assert.deepEqual(await contexts(long), [
    'retry policy run http: Runs it. retry policy. src retry\nrunHTTP(work: Work): void',
    'retry policy run http: Runs it. src retry\nrunHTTP(work: Work): void',
  ])
  assert.deepEqual(
    await contexts(`/** Adds up. */\nfunction add_up(a) { return a }\nconst MOST_TRIES = 3\n`),
    ['add up: Adds up. most tries. src retry\nfunction add_up(a)'],
  )
  assert.deepEqual(await contexts('run()\n'), [about.path])
})

test('ten lines of code are a chunk, five lines join their neighbours', async () => {
  const ten = `function one() {\n${lines(8)}}\n`
  const symbols = async (source: string) =>
    chunkCode(await parseCode(source, 'typescript', about.path), about).map((chunk) =>
      chunk.symbols.join(' '),
    )
  assert.deepEqual(await symbols(ten + ten.replace('one', 'two')), ['one', 'two'])
  const five = `function one() {\n${lines(3)}}\n`
  assert.deepEqual(await symbols(five + five.replace('one', 'two')), ['one two'])
})

// What holds for every file: chunks are in order, do not overlap, cover what is not blank, are neither blank nor too
// long, never halve a character, and know their lines.
function holds({ text }: Parsed, chunks: readonly Chunk[]) {
  const starts = lineStarts(text)
  let at = 0
  for (const { start, end, line, endLine } of chunks) {
    assert.ok(start >= at && end > start, `order at ${start}`)
    assert.match(text.slice(start, end), /^[ \t]*\S(?:[\s\S]*\S)?$/, 'blank at an edge')
    assert.doesNotMatch(text.slice(at, start), /\S/, `not covered: ${at} to ${start}`)
    assert.ok(end - start <= 1_800, `${end - start} characters`)
    for (const edge of [start, end]) assert.ok(!splitsPair(text, edge), `half a character at ${edge}`)
    assert.deepEqual([line, endLine], [lineAt(starts, start), lineAt(starts, end - 1)])
    at = end
  }
  assert.doesNotMatch(text.slice(at), /\S/, `not covered: from ${at}`)
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1))
}

describe('the laws of chunks hold', () => {
  const root = join(import.meta.dirname, '../../..')
  const modules = join(root, 'node_modules')
  const folders: [title: string, folder: string, ending: RegExp, language: string][] = [
    ['for our own source', join(root, 'src'), /\.ts$/, 'typescript'],
    ['for scripts', join(modules, 'markdown-it'), /\.m?js$/, 'javascript'],
    ['for declaration files', join(modules, '@types/node'), /\.ts$/, 'typescript'],
    ['for C and C++', join(modules, '@photostructure/sqlite/src'), /\.(?:c|h|cpp)$/, 'cpp'],
    ['for a language without a grammar', join(modules, 'markdown-it'), /\.(?:m?js|json|md)$/, 'unknown'],
  ]
  for (const [title, folder, ending, language] of folders) {
    test(title, { skip: existsSync(folder) ? false : `${folder} is not there` }, async () => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        ending.test(file),
      )
      for (const file of files.sort().slice(0, 60)) {
        const text = readFileSync(join(folder, file), 'utf8').slice(0, 300_000)
        const parsed = await parseCode(text, language, file)
        holds(parsed, chunkCode(parsed, { path: file, title: file }))
      }
    })
  }

  const snippet = fc.constantFrom(
    'function 漢字(a) { return "😀" }\n',
    'class A {\n  m() { return 1 }\n\n  n = () => 2\n}\n',
    `function big() {\n${lines(60)}}\n`,
    `const table = [${'"😀", '.repeat(700)}]\n`,
    '\r\n\r\n',
    '// comment\r\n',
    'export const a = 1, b = 2;',
    `${'😀'.repeat(1_500)}\n`,
    '} ) ]\n',
    '"unclosed\n',
  )

  test('for any order of declarations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(snippet, { maxLength: 12 }),
        fc.constantFrom('typescript', 'python', 'none'),
        async (parts, language) => {
          const parsed = await parseCode(parts.join(''), language, 'file')
          holds(parsed, chunkCode(parsed, about))
        },
      ),
      { seed: 7, numRuns: 60 },
    )
  })

  test('for any declarations, even ones that overlap', async () => {
    const blank = await parseCode('', 'none', 'file')
    const position = fc.nat({ max: 6_000 })
    fc.assert(
      fc.property(
        fc.array(snippet, { maxLength: 8 }),
        fc.array(fc.tuple(position, position), { maxLength: 15 }),
        (parts, ranges) => {
          const text = parts.join('')
          const parsed = { ...blank, text, declarations: ranges.flatMap((range) => declaration(text, range)) }
          holds(parsed, chunkCode(parsed, about))
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })

  function declaration(text: string, [a, b]: [number, number]): Declaration[] {
    const [start, end] = [Math.min(a, b), Math.min(Math.max(a, b), text.length)]
    if (start >= end || splitsPair(text, start) || splitsPair(text, end)) return []
    return [{ kind: 'function', name: 'f', scope: [], signature: 'f()', start, end, line: 1, endLine: 1 }]
  }
})
