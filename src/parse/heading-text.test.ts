import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headingText } from './markdown.js'
import { blockTokens } from './markdown-blocks.js'

const cases: [written: string, read: string][] = [
  ['Plain words', 'Plain words'],
  ['The `foo_bar` option', 'The foo_bar option'],
  ['`a` and `*b*`', 'a and *b*'],
  ['` padded ` code', 'padded code'],
  ['`\n\\ ` over a line', '\\ over a line'],
  ['`  ` blank', 'blank'],
  ['`` with ` a tick ``', 'with ` a tick'],
  ['one ` tick', 'one ` tick'],
  ['`a``b`', 'a``b'],
  ['*strong* `code_x`', 'strong code_x'],
  ['`code` {#an-id}', 'code'],
  ['Options { #an-id .class }', 'Options'],
  ['Options {: title="x" }', 'Options'],
  ['Options {/* later */}', 'Options'],
  ['Of {name}', 'Of {name}'],
  ['A note[^1] and [^two]', 'A note and'],
  ['A note[^defined]', 'A note'],
  ['The set `[^a]`', 'The set [^a]'],
  ['[`link`](there)', 'link'],
  ['AT&amp;T `x`', 'AT&T x'],
  ['[[Note|label]] `x`', 'label x'],
]

describe('a heading is read without its marks', () => {
  const { references } = blockTokens('[^defined]: once\n', 'markdown')
  for (const [written, read] of cases)
    test(JSON.stringify(written), () => assert.equal(headingText(written, references), read))
})
