import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorTime } from '../../test/support/processor-time.js'
import { chunkProse } from '../chunk/prose.js'
import { parseMarkdown } from './markdown.js'
import type { Dialect } from './markdown-blocks.js'

// Linear time on each takes a twentieth of a second; the square of it would take many seconds.
const size = 50_000
const limit = 2000

const patterns = [
  '[',
  ']',
  '*',
  '`',
  '>',
  '> ',
  '- ',
  '<',
  '[[',
  '![[',
  '#',
  '|',
  '1. ',
  '\t',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\ud800',
  '\udc00\ud800',
  '😀',
  '<!--',
  'a <!--',
  '{/',
  '{/*',
  '%%',
  '%%\n\n',
  '$$',
  '[a](',
  '[a][',
  '](',
  '[a](<',
  '[a](b "',
  '://',
  '#a',
  '#a/',
  '\\',
  '<a b="',
  '[[a|',
  '[[\n\n',
  '{/\n\n',
  '```\n',
  '`a``b```',
  '[a]: b\n',
  '[a]: \n',
  'a\n',
  'a\n\n',
  '# a\n',
  '#\n',
  'a\n=\n',
  'a\n-\n',
  '|a|b|\n|-|-|\n',
  '- a\n',
  '- a\n\n',
  '> - a\n',
  '---\n',
  '---\na: b\n',
  '<div>\n',
  '&#',
  '[^1]: a\n',
  '\u2028',
]

const scripts = [
  '{\n',
  '<A\n',
  '<A>\n',
  'import a\n',
  'export {\n',
  '<A b={\n',
  '<A b="\n',
  '    # a\n',
  '{/*\n',
]

const shapes: Record<string, string> = {
  'one long line': 'x'.repeat(size),
  'a table': `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(size / 6)}`,
  'a wide table': `${'|a'.repeat(2000)}\n${'|-'.repeat(2000)}\n${'|\n'.repeat(size / 4)}`,
  'deep quotes, lazily continued': `${'>'.repeat(10_000)}a\n${'b\n'.repeat(size / 2)}`,
  'deep lists, lazily continued': `${'- '.repeat(10_000)}a\n${'b\n'.repeat(size / 2)}`,
  'quotes in lists': `${'> - '.repeat(2500)}a\n${'b\n'.repeat(size / 2)}`,
  'lists ever deeper': Array.from({ length: 700 }, (_, i) => `${' '.repeat(i)}- a\n`).join(''),
  'backticks of every length': Array.from({ length: 700 }, (_, i) => `${'`'.repeat(i + 1)}a`).join(''),
  'one huge heading': `# ${'*'.repeat(size)}`,
  'links left open': `${'[[a'.repeat(size / 6)}${'x'.repeat(size / 2)}]]`,
  'frontmatter of blank lines': `---\r\n${'\r\n'.repeat(size / 2)}---\r\n`,
  'frontmatter of many keys': `---\n${'a: b\n'.repeat(size / 5)}---\nx`,
}

test('a long file of anything is read in linear time and without a crash', () => {
  for (const pattern of patterns)
    bounded(JSON.stringify(pattern), pattern.repeat(size / pattern.length), 'markdown')
  for (const pattern of scripts)
    bounded(JSON.stringify(pattern), pattern.repeat(size / pattern.length), 'mdx')
  for (const [name, text] of Object.entries(shapes)) bounded(name, text, 'markdown')
})

function bounded(name: string, text: string, dialect: Dialect) {
  const took = processorTime(() => chunkProse(parseMarkdown(text, dialect), { path: 'a.md', title: 'A' }))
  assert.ok(took < limit, `${name} as ${dialect}: ${took | 0} ms`)
}
