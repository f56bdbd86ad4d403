// What holds for the passages of any document.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { noSharedData, sharedFiles } from '../../test/support/shared-data.js'
import type { Chunk, Parsed } from '../model/document.js'
import { parseMarkdown } from '../parse/markdown.js'
import { parseLines } from '../parse/text.js'
import { lineAt, lineStarts } from '../text/lines.js'
import { chunk } from './chunk.js'

const seed = 20261115
const about = { path: 'a.md', title: 'A' }

describe('passages cover the text once, in order, within their limits', () => {
  test('of real documents', { skip: noSharedData }, () => {
    const files = sharedFiles(['docs', 'adr', 'vaults', 'retrieval/chunking-eval'], '.md')
    for (const { path, text } of files) hold(parseMarkdown(text), path)
    assert.ok(files.length > 300)
  })

  test('of documents made at random', () => {
    fc.assert(
      fc.property(documents(), (text) => hold(parseMarkdown(text), text)),
      { seed, numRuns: 400 },
    )
  })

  test('of plain text, data and unknown code', () => {
    const line = fc.oneof(
      fc.constant(''),
      fc.lorem({ maxCount: 30 }),
      fc.string({ unit: 'binary', maxLength: 4000 }),
    )
    const format = fc.constantFrom('text' as const, 'data' as const, 'csv' as const)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), format, (lines, format) =>
        hold(parseLines(lines.join('\n'), { format, language: null }), format),
      ),
      { seed, numRuns: 200 },
    )
  })
})

function hold(parsed: Parsed, name: string) {
  const chunks = chunk(parsed, about)
  const { text } = parsed
  const starts = lineStarts(text)
  for (const [i, piece] of chunks.entries()) {
    const shown = text.slice(piece.start, piece.end)
    assert.equal(piece.line, lineAt(starts, piece.start), name)
    assert.equal(piece.endLine, lineAt(starts, piece.end - 1), name)
    assert.ok(!/^[ \t]*[\r\n]|\s$|^$/.test(shown), `blank at an end in ${name}: ${JSON.stringify(shown)}`)
    assert.ok(!/^[\udc00-\udfff]/.test(shown) || !/[\ud800-\udbff]$/.test(text.slice(0, piece.start)), name)
    assert.ok(i === 0 || piece.start >= chunks[i - 1]!.start, name)
    assert.ok(
      piece.end - piece.start <= limitOf(parsed, piece),
      `${piece.end - piece.start} in ${name} at ${piece.line}`,
    )
  }
  covers(
    parsed,
    chunks.filter((piece) => piece.kind !== 'code' || parsed.format === 'data'),
    name,
  )
}

/** A block of code or a table may be long, and brings its heading and the line that announces it. */
function limitOf({ blocks }: Parsed, piece: Chunk): number {
  const isLong = blocks.some(
    (block) =>
      (block.kind === 'code' || block.kind === 'table') &&
      block.start < piece.end &&
      block.end > piece.start &&
      block.end - block.start > 1200,
  )
  return isLong && piece.kind !== 'code' ? 6000 + 1000 : 2400
}

function covers({ text, blocks }: Parsed, chunks: readonly Chunk[], name: string) {
  const front = blocks.find((block) => block.kind === 'frontmatter')
  let end = front?.end ?? 0
  for (const piece of chunks) {
    if (front && piece.start < front.end) continue
    assert.equal(text.slice(end, piece.start).trim(), '', `left out or twice in ${name}`)
    assert.ok(piece.start >= end)
    end = piece.end
  }
  assert.equal(text.slice(end).trim(), '', name)
}

function documents() {
  const words = (most: number) =>
    fc
      .array(fc.constantFrom('alpha', 'beta.', 'Gamma', '😀', 'delta:', 'x\n'), {
        minLength: 1,
        maxLength: most,
      })
      .map((w) => w.join(' '))
  const block = fc.oneof(
    { weight: 3, arbitrary: words(60) },
    { weight: 1, arbitrary: words(900) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.integer({ min: 1, max: 5 }), words(3))
        .map(([level, text]) => `${'#'.repeat(level)} ${text.trim()}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1, max: 300 })
        .map((n) => `\`\`\`ts\n${'const a = 1 // code\n'.repeat(n)}\`\`\``),
    },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1, max: 300 })
        .map((n) => `| a | b |\n|---|---|\n${'| cell | another cell |\n'.repeat(n)}`),
    },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 80 }).map((n) => '- an item of a list\n'.repeat(n)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'x'.repeat(5000),
        '😀'.repeat(2001),
        '> quote\n> more',
        '***',
        '<div>\nx\n</div>',
      ),
    },
  )
  const front = fc.constantFrom('', '', '---\ntitle: T\ntags: [a]\n---\n')
  return fc.tuple(front, fc.array(block, { maxLength: 15 })).map(([top, blocks]) => top + blocks.join('\n\n'))
}
