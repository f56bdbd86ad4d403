import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMarkdown } from '../parse/markdown.js'
import { parseLines } from '../parse/text.js'
import { chunkLines } from './chunk.js'
import { chunkProse } from './prose.js'

const some = (length: number) =>
  'Some words here. '
    .repeat(Math.ceil(length / 17))
    .slice(0, length)
    .trim()

/** Each passage as its kind, lines and context. */
function passages(text: string, title = 'T'): string[] {
  return chunkProse(parseMarkdown(text), { path: 'a.md', title }).map(
    (c) => `${c.kind} ${c.line}-${c.endLine} ${c.context}`,
  )
}

function check(what: string, text: string, expected: string[], title?: string) {
  test(what, () => assert.deepEqual(passages(text, title), expected))
}

describe('sections become passages', () => {
  check('of nothing, none', '', [])
  check(
    'of their own when they are large enough',
    `# A\n\n${some(500)}\n\n## B\n\n${some(500)}\n\n## C\n\n${some(500)}`,
    ['prose 1-3 T › A', 'prose 5-7 T › A › B', 'prose 9-11 T › A › C'],
  )
  check(
    'without saying the title twice',
    `# The A\n\n${some(500)}\n\n## B\n\n${some(500)}`,
    ['prose 1-3 the a', 'prose 5-7 the a › B'],
    'the a',
  )
  check('with a bare heading going to its first child', `# A\n\n## B\n\n${some(700)}`, [
    'prose 1-5 T › A › B',
  ])
  check(
    'with small siblings together, under what they share',
    `## A\n\n${some(600)}\n\n### B\n\n${some(100)}\n\n### C\n\n${some(100)}`,
    ['prose 1-3 T › A', 'prose 5-11 T › A'],
  )
  check(
    'with a tiny section going to the next, which names them',
    `# A\n\n${some(300)}\n\n## Status\n\nAccepted\n\n## Context\n\n${some(700)}`,
    ['prose 1-3 T › A', 'prose 5-11 T › A › Context'],
  )
  check(
    'but not across sections of the first two levels',
    `# A\n\n${some(300)}\n\n## B\n\n${some(300)}\n\n## C\n\n${some(300)}`,
    ['prose 1-3 T › A', 'prose 5-7 T › A › B', 'prose 9-11 T › A › C'],
  )
  check('with a tiny last section going to the one before', `## A\n\n${some(700)}\n\n## License\n\nMIT`, [
    'prose 1-7 T › A',
  ])
  check(
    'and a small child does not join its uncle',
    `## A\n\n${some(700)}\n\n### B\n\n${some(300)}\n\n## C\n\n${some(300)}`,
    ['prose 1-3 T › A', 'prose 5-7 T › A › B', 'prose 9-11 T › C'],
  )
})

describe('large sections are split', () => {
  test('at paragraphs, in parts of about equal size', () => {
    const text = `# A\n\n${Array.from({ length: 6 }, () => some(500)).join('\n\n')}`
    const sizes = chunkProse(parseMarkdown(text), { path: 'a', title: 'A' }).map((c) => c.end - c.start)
    assert.ok(sizes.length === 3 && sizes.every((size) => size > 800 && size < 1400), `${sizes}`)
  })

  test('in a paragraph, at sentences', () => {
    const text = some(4000)
    const chunks = chunkProse(parseMarkdown(text), { path: 'a', title: 'A' })
    assert.ok(chunks.length >= 3 && chunks.slice(0, -1).every((c) => text[c.end - 1] === '.'))
  })

  test('in a list, at items', () => {
    const text = Array.from({ length: 120 }, (_, i) => `- item ${i} with\n  a second line`).join('\n')
    for (const c of chunkProse(parseMarkdown(text), { path: 'a', title: 'A' }))
      assert.ok(text.startsWith('- item', c.start))
  })

  test('but a listing or a table under the limit is not cut', () => {
    const code = `\`\`\`js\n${'const a = 1\n'.repeat(400)}\`\`\``
    const chunks = chunkProse(parseMarkdown(`# A\n\nIntro:\n\n${code}\n\n${some(1500)}`), {
      path: 'a',
      title: 'A',
    })
    const [first, ...rest] = chunks.filter((c) => c.kind === 'prose')
    assert.equal(first!.endLine - first!.line, 405)
    assert.ok(rest.every((c) => c.line > 406))
  })

  test('and a huge table is cut at rows, without repeating anything', () => {
    const text = `| a | b |\n|---|---|\n${'| some cell | other |\n'.repeat(500)}`
    const chunks = chunkProse(parseMarkdown(text), { path: 'a', title: 'A' })
    assert.ok(chunks.length > 4 && chunks.every((c) => c.kind === 'table' && text[c.start] === '|'))
    assert.equal(
      chunks.reduce((sum, c) => sum + c.endLine - c.line + 1, 0),
      502,
    )
  })
})

describe('fenced code becomes its own chunk, too', () => {
  const of = (text: string) =>
    chunkProse(parseMarkdown(text), { path: 'a', title: 'A' })
      .filter((c) => c.kind === 'code')
      .map((c) => [c.language, text.slice(c.start, c.end), c.context])
  test('with its language and headings', () =>
    assert.deepEqual(of('# X\n\nuse\n\n```ts\na\nb\nc\n```\n'), [['typescript', 'a\nb\nc', 'A › X']]))
  test('in lists too', () =>
    assert.deepEqual(of('1. x\n   ```\n   a\n   b\n   c\n   ```\n'), [[null, '   a\n   b\n   c', 'A']]))
  test('left open too', () => assert.deepEqual(of('~~~sh\na\nb\nc'), [['shell', 'a\nb\nc', 'A']]))
  test('unless it is short', () => assert.deepEqual(of('```ts\na\nb\n```\n\n```\n```\n'), []))
  test('or one long line', () => assert.equal(of(`\`\`\`\n${'x'.repeat(80)}\n\`\`\``).length, 1))
  test('cut when it is long', () =>
    assert.ok(of(`\`\`\`\n${'line of code\n'.repeat(500)}\`\`\``).every(([, code]) => code!.length <= 2400)))
})

test('frontmatter is shown only where there is hardly anything else', () => {
  assert.deepEqual(passages('---\na: b\nc: d\n---\n'), ['prose 2-3 T'])
  assert.deepEqual(passages('---\na: b\n---\nx'), ['prose 2-2 T', 'prose 4-4 T'])
  assert.deepEqual(passages(`---\na: b\n---\n${some(300)}`), ['prose 4-4 T'])
  assert.deepEqual(passages('---\n---\n'), [])
})

test('data is cut at its outermost keys, which name the passages', () => {
  const value = `"${'v'.repeat(500)}"`
  const text = `{\n  "a": ${value},\n  "b": ${value},\n  "c": ${value},\n  "d": 1\n}`
  const parsed = parseLines(text, { format: 'data', language: 'json' })
  const lines = text.split('\n')
  let start = 0
  parsed.declarations = lines.flatMap((line, i) => {
    const name = /"(\w)":/.exec(line)?.[1]
    const from = start
    start += line.length + 1
    return name
      ? [
          {
            kind: 'key',
            name,
            scope: [],
            signature: line,
            start: from,
            end: from + line.length,
            line: i + 1,
            endLine: i + 1,
          },
        ]
      : []
  })
  const chunks = chunkLines(parsed, { path: 'p.json', title: 'p.json' })
  assert.deepEqual(
    chunks.map((c) => [c.kind, c.line, c.endLine, c.symbols, c.context]),
    [
      ['code', 1, 3, ['a', 'b'], 'p.json › a'],
      ['code', 4, 6, ['c', 'd'], 'p.json › c'],
    ],
  )
})
