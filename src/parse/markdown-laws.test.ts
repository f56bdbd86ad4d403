import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Token } from 'markdown-it'
import newMarkdownIt from 'markdown-it'
import { noSharedData, sharedFiles } from '../../test/support/shared-data.js'
import { lineCount, lineStarts } from '../text/lines.js'
import { parseMarkdown } from './markdown.js'
import { blockTokens } from './markdown-blocks.js'

const seed = 20261115
const folders = ['docs', 'adr', 'vaults']
// The library as it comes, reading everything: none of our limits, states and short cuts.
const oracle = newMarkdownIt({ html: true })

test('headings are those of the full syntax tree, line by line', { skip: noSharedData }, () => {
  const files = sharedFiles(folders, '.md')
  for (const { path, text } of files) assert.deepEqual(ours(text), theirs(text), path)
  assert.ok(files.length > 300)
})

test('headings and blocks of any text agree with the library, and cover it', () => {
  fc.assert(
    fc.property(markdown(), (text) => {
      assert.deepEqual(ours(text), theirs(text))
      holds(text)
    }),
    { seed, numRuns: 250 },
  )
})

test('blocks stand on the lines where the library has them, however they are indented', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(?:[ \t\na>-]|1\. ){0,24}$/), (text) => {
      const blocks = (tokens: readonly Token[]) =>
        tokens.map(({ type, map, level }) => ({ type, map, level }))
      assert.deepEqual(blocks(blockTokens(text, 'markdown').tokens), blocks(oracle.parse(text, {})))
    }),
    { seed, numRuns: 600 },
  )
})

test('blocks of real files cover all text, in order', { skip: noSharedData }, () => {
  for (const { text } of sharedFiles(folders, '.md')) holds(text)
})

test('a link is the same when it is parsed alone', { skip: noSharedData }, () => {
  let count = 0
  for (const { path, text } of sharedFiles(folders, '.md')) {
    let last = 0
    for (const link of parseMarkdown(text).links) {
      const written = text.slice(link.start, link.end)
      const front = link.kind === 'frontmatter'
      const again = parseMarkdown(front ? `---\nk: "${written}"\n---\n` : written).links
      const offset = front ? 8 : 0
      const moved = { ...link, start: offset, end: offset + written.length, line: front ? 2 : 1 }
      assert.deepEqual(again, [moved], `${path}: ${written}`)
      assert.ok(link.start >= last)
      last = link.end
      count++
    }
  }
  assert.ok(count > 900, `${count} links`)
})

test('links and tags of random text stay inside it and apart', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(?:\[\[|\]\]|[[\]()!#`<>\\a|^ \n"%$:/-]){0,60}$/), (text) => {
      let last = 0
      for (const { start, end, line, target } of parseMarkdown(text).links) {
        assert.ok(start >= last && end <= text.length && start < end && target !== '')
        assert.equal(line, text.slice(0, start).split('\n').length)
        last = end
      }
    }),
    { seed, numRuns: 900 },
  )
})

function ours(text: string) {
  return parseMarkdown(text).sections.map(({ level, text: title, line }) => ({ level, title, line }))
}

function theirs(text: string) {
  const front = /^---[ \t]*\r?\n(?:(?!---[ \t]*\r?$).*\r?\n)*?---[ \t]*(?:\r?\n|$)/m.exec(text)
  const end = front?.index === 0 && /^[\w"']+:/m.test(front[0]) ? front[0].length : 0
  const above = lineStarts(text.slice(0, end)).length - 1
  const tokens = oracle.parse(text.slice(end), {})
  return tokens.flatMap((token, i) =>
    token.type === 'heading_open' && token.level === 0
      ? [
          {
            level: Number(token.tag[1]),
            title: plain(tokens[i + 1]!.children!),
            line: token.map![0] + above + 1,
          },
        ]
      : [],
  )
}

function plain(tokens: Token[]): string {
  const text = tokens.map((t) =>
    t.type === 'image'
      ? plain(t.children!)
      : /break$/.test(t.type)
        ? ' '
        : t.type === 'html_inline'
          ? ''
          : t.content,
  )
  return text
    .join('')
    .replace(/\s*\{#[^{}]*\}$/, '')
    .replace(/\[\[(\w+)\]\]/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Blocks and sections point where they say, follow each other, and leave nothing out. */
function holds(text: string) {
  const { blocks, sections } = parseMarkdown(text)
  const starts = lineStarts(text)
  let end = 0
  for (const block of blocks) {
    assert.equal(text.slice(end, block.start).trim(), '')
    assert.ok(block.start < block.end && block.start === starts[block.line - 1])
    assert.ok(block.end > starts[block.endLine - 1]! && block.end <= (starts[block.endLine] ?? text.length))
    end = block.end
  }
  assert.equal(text.slice(end).trim(), '')
  for (const section of sections) {
    assert.equal(section.start, starts[section.line - 1])
    assert.ok(
      section.end > section.start && section.endLine >= section.line && section.endLine <= lineCount(text),
    )
    assert.equal(section.end, section.endLine === lineCount(text) ? text.length : starts[section.endLine])
  }
}

function markdown() {
  const word = fc.constantFrom(
    'alpha',
    'beta',
    '`code`',
    '*em*',
    '[l](a.md)',
    '[[w]]',
    '#tag',
    '😀',
    '<b>',
    '|',
    '-',
    '>',
    '#',
    '1.',
  )
  const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
  const block = fc.oneof(
    line,
    fc.tuple(fc.integer({ min: 1, max: 7 }), line).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc.tuple(line, fc.constantFrom('===', '---')).map(([text, under]) => `${text}\n${under}`),
    fc
      .tuple(fc.constantFrom('```', '~~~', '````ts'), line)
      .map(([fence, text]) => `${fence}\n# ${text}\n\n${fence.replace('ts', '')}`),
    line.map((text) => `- ${text}\n  ${text}\n\n  \`\`\`\n  x\n  \`\`\``),
    line.map((text) => `> ${text}\n> # ${text}`),
    line.map((text) => `| a | b |\n|---|---|\n| ${text} | c |`),
    line.map((text) => `    ${text}`),
    fc.constantFrom('***', '<div>\n# x', '<!-- # x\n\n# y -->', '[r]: b.md', '', '\t- x', '```'),
  )
  return fc
    .tuple(fc.array(block, { maxLength: 12 }), fc.constantFrom('\n', '\n\n', '\r\n', '\r\n\r\n'))
    .map(([blocks, between]) =>
      blocks
        .join(between)
        .replace(/\n/g, between.includes('\r') ? '\r\n' : '\n')
        .replace(/\r\r/g, '\r'),
    )
}
