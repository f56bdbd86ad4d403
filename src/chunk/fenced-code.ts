import type { Block } from '../model/document.js'
import { linesOf } from '../text/lines.js'
import type { Range } from './cut.js'

const leastLines = 3
const leastLength = 80

/** What is inside a fence, if it is enough to be found and shown on its own. */
export function fencedCode(text: string, block: Block): Range | null {
  const [opening] = /^[^\r\n]*(?:\r\n?|\n|$)/.exec(text.slice(block.start, block.end))!
  if (!/`{3}|~{3}/.test(opening)) return null
  const start = block.start + opening.length
  const closing = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:`{3,}|~{3,})[ \t]*$/.exec(text.slice(start - 1, block.end))
  const end = closing ? Math.max(start, start - 1 + closing.index) : block.end
  const code = text.slice(start, end).trim()
  const isEnough = code.length >= leastLength || linesOf(code).length >= leastLines
  return code !== '' && isEnough ? { start, end } : null
}
