import type { Declaration } from '../model/document.js'

/**
 * About where the head of a declaration ends: its comments, attributes and signature, and in Python its docstring. The
 * text is looked at as it stands, since a declaration knows its head only on one line.
 */
export function headEnd(text: string, declaration: Declaration, language: string | null): number {
  const start = afterMatches(text, declaration.start, comment)
  const end = endOfLine(text, start + Math.max(0, declaration.signature.length - 1))
  return Math.min(language === 'python' ? afterDocstring(text, start, end) : end, declaration.end)
}

const comment = /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|#[^\n]*|@[^\n]*/y

function afterMatches(text: string, from: number, pattern: RegExp): number {
  let at = from
  for (;;) {
    pattern.lastIndex = at
    if (!pattern.test(text)) return at
    at = pattern.lastIndex
  }
}

function afterDocstring(text: string, start: number, end: number): number {
  const opening = /:\s*(?:#[^\n]*\s*)?[rRuU]?("""|''')/.exec(text.slice(start, end + 200))
  if (!opening) return end
  const from = start + opening.index + opening[0].length
  const closing = text.indexOf(opening[1]!, from)
  return closing < 0 ? end : endOfLine(text, closing)
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}
