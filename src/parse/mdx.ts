// MDX for the Markdown library. Tags do not hide the Markdown between them, indentation is not code, and JavaScript
// statements, expressions and tags are blocks of their own.
import type { MarkdownIt, StateBlock } from 'markdown-it'

export function speakMdx(markdown: MarkdownIt): MarkdownIt {
  const rules = markdown.disable(['html_block', 'code']).block.ruler
  const heading = rules.getRules('').find((rule) => rule.name === 'heading')!
  const indentedHeading: typeof heading = (state, startLine, endLine, silent) => {
    const indent = state.sCount[startLine]!
    if (indent - state.blkIndent >= 4) state.sCount[startLine] = state.blkIndent
    const found = heading(state, startLine, endLine, silent)
    state.sCount[startLine] = indent
    return found
  }
  rules.at('heading', indentedHeading, { alt: ['paragraph', 'reference', 'blockquote'] })
  rules.before(
    'fence',
    'mdx_script',
    (state, start, end, silent) => take(state, start, scriptEnd(state, start, end), silent),
    {
      alt: ['paragraph'],
    },
  )
  return markdown
}

function take(state: StateBlock, startLine: number, next: number, silent: boolean): boolean {
  if (next <= startLine) return false
  if (silent) return true
  state.line = next
  const token = state.push('html_block', '', 0)
  token.map = [startLine, next]
  return true
}

// Looking far ahead from every line would take quadratic time on a hostile file.
const longest = 60

/** The line after a statement, expression or tag that stands on lines of its own; 0 if there is none. */
function scriptEnd(state: StateBlock, startLine: number, endLine: number): number {
  const start = state.bMarks[startLine]! + state.tShift[startLine]!
  const first = state.src.charCodeAt(start)
  const last = Math.min(endLine, startLine + longest)
  if (first === 0x3c) return tagEnd(state, startLine, last)
  if (first === 0x7b) return balancedEnd(state, startLine, last, false)
  const isStatement =
    state.level === 0 && /^(?:import|export)\b[\s{*"']/.test(state.src.slice(start, start + 8))
  return isStatement ? balancedEnd(state, startLine, last, true) : 0
}

/** The line where every bracket and template string is closed; a statement continues to the next blank line. */
function balancedEnd(state: StateBlock, startLine: number, last: number, toBlank: boolean): number {
  let open = 0
  let isQuoted = false
  for (let line = startLine; line < last; line++) {
    for (let at = state.bMarks[line]!; at < state.eMarks[line]!; at++) {
      const code = state.src.charCodeAt(at)
      if (code === 0x60) isQuoted = !isQuoted
      else if (code === 0x5c) at++
      else if (isQuoted) continue
      else if (code === 0x7b || code === 0x28 || code === 0x5b) open++
      else if (code === 0x7d || code === 0x29 || code === 0x5d) open--
    }
    const isOver = !toBlank || line + 1 >= state.lineMax || state.isEmpty(line + 1)
    if (open <= 0 && !isQuoted && isOver) return line + 1
  }
  return 0
}

/** Up to the line that ends with the tag's own `>`. */
function tagEnd(state: StateBlock, startLine: number, last: number): number {
  const start = state.bMarks[startLine]! + state.tShift[startLine]!
  if (!/^<\/?(?:[A-Za-z]|>)/.test(state.src.slice(start, start + 3))) return 0
  const end = state.eMarks[last - 1]!
  let braces = 0
  for (let at = start + 1; at < end; at++) {
    const sign = state.src[at]!
    if (sign === '{') braces++
    else if (sign === '}') braces--
    else if (braces === 0 && (sign === '"' || sign === "'")) at = closing(state.src, sign, at, end)
    else if (braces === 0 && sign === '>') return lineEndingAt(state, at, startLine, last)
  }
  return 0
}

function closing(text: string, quote: string, at: number, end: number): number {
  let next = at + 1
  while (next < end && text[next] !== quote) next++
  return next
}

function lineEndingAt(state: StateBlock, at: number, startLine: number, last: number): number {
  let line = startLine
  while (line < last && state.eMarks[line]! <= at) line++
  return state.src.slice(at + 1, state.eMarks[line]).trim() === '' ? line + 1 : 0
}
