// Configures the Markdown library: blocks only, with limits, and a dialect for MDX.
import type { Env, MarkdownIt, Token } from 'markdown-it'
import newMarkdownIt from 'markdown-it'
import { withPlainEnds } from '../text/lines.js'
import { speakMdx } from './mdx.js'

export type Dialect = 'markdown' | 'mdx'

/** The labels that `[text][label]` may refer to. */
export interface References {
  has(label: string): boolean
  env: Env
}

/** The blocks of a text as tokens with line maps. Inline text is not parsed: that would take twice as long again. */
export function blockTokens(
  text: string,
  dialect: Dialect,
  from = 0,
): { tokens: Token[]; references: References } {
  const env: Env = { quotes: 0 }
  const tokens: Token[] = []
  const markdown = dialects[dialect]
  markdown.block.parse(normalised(text, from), markdown, env, tokens)
  // The library reads a footnote of one word as a definition.
  for (const label in env.references) if (label.startsWith('^')) delete env.references[label]
  const has = (label: string) => env.references?.[markdown.utils.normalizeReference(label)] !== undefined
  return { tokens, references: { has, env } }
}

/** The tokens of one line of text, for headings. */
export function inlineTokens(text: string, references: References): Token[] {
  const tokens: Token[] = []
  dialects.markdown.inline.parse(text, dialects.markdown, references.env, tokens)
  return tokens
}

// Has the same lines as the file, so that line numbers in tokens are those of the file.
function normalised(text: string, from: number): string {
  const lines = withPlainEnds(text, from)
  return lines.includes('\0') ? lines.replaceAll('\0', '\ufffd') : lines
}

const dialects: Readonly<Record<Dialect, MarkdownIt>> = { markdown: library(), mdx: speakMdx(library()) }

function library(): MarkdownIt {
  return writeLean(limitQuotes(newMarkdownIt({ html: true, linkify: false })))
}

// The library's tokens define a dozen properties one by one, for every cell of a table. We use plain objects, and none
// for cells, which we read from the row: a megabyte of small rows takes 0.5 s instead of 2. The library also looks at
// every character to find the lines, which took a third of the time of parsing blocks.
function writeLean(markdown: MarkdownIt): MarkdownIt {
  markdown.block.State = class extends markdown.block.State {
    private inCell = false

    constructor(...[text, library, env, tokens]: ConstructorParameters<typeof markdown.block.State>) {
      super('', library, env, tokens)
      this.src = text
      findLines(this, text)
    }

    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      if (nesting < 0) this.level--
      const token = plainToken(type, tag, nesting, this.level)
      if (nesting > 0) this.level++
      const isCell = type === 'td_open' || type === 'th_open'
      if (!isCell && !this.inCell) this.tokens.push(token)
      this.inCell = isCell || (this.inCell && nesting >= 0)
      return token
    }
  }
  return markdown
}

type Lines = Record<'bMarks' | 'eMarks' | 'tShift' | 'sCount' | 'bsCount', number[]> & { lineMax: number }

/**
 * For each line: start, end, number of indenting characters, and indentation width. The last entry is an empty line
 * after the text.
 */
function findLines(lines: Lines, text: string) {
  const { bMarks, eMarks, tShift, sCount, bsCount } = lines
  for (let start = 0, line = 0; ; line++) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    let [at, column] = [start, 0]
    for (
      let code = text.charCodeAt(at);
      at < end && (code === space || code === tab);
      code = text.charCodeAt(++at)
    )
      column += code === tab ? 4 - (column % 4) : 1
    // Trailing blanks without a line break are not a line.
    const isLast = found < 0 && at === end
    bMarks[line] = isLast ? text.length : start
    eMarks[line] = end
    tShift[line] = isLast ? 0 : at - start
    sCount[line] = isLast ? 0 : column
    bsCount[line] = 0
    lines.lineMax = line
    if (isLast) return
    start = found < 0 ? end : end + 1
  }
}

const space = 0x20
const tab = 0x09

function plainToken(type: string, tag: string, nesting: -1 | 0 | 1, level: number): Token {
  const token: Omit<Token, `attr${'Index' | 'Push' | 'Set' | 'Get' | 'Join'}`> = {
    type,
    tag,
    nesting,
    level,
    attrs: null,
    map: null,
    children: null,
    content: '',
    markup: '',
    info: '',
    meta: null,
    block: true,
    hidden: false,
  }
  return token as Token
}

// Every level of quoting reads every line again: a hundred levels over a megabyte of lazy lines took 16 s.
const deepestQuote = 8

function limitQuotes(markdown: MarkdownIt): MarkdownIt {
  const rules = markdown.block.ruler
  const quote = rules.getRules('').find((rule) => rule.name === 'blockquote')!
  const limited: typeof quote = (state, startLine, endLine, silent) => {
    const env = state.env as { quotes: number }
    if (env.quotes >= deepestQuote) return false
    env.quotes++
    const found = quote(state, startLine, endLine, silent)
    env.quotes--
    return found
  }
  rules.at('blockquote', limited, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  return markdown
}
