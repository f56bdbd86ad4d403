// Reads plain JSON. Errors name line and column, and every key knows its line. JSON.parse of Node 20 names no position for
// a short text, and silently takes the last of two equal keys.
import { Problem } from '../../model/problem.js'
import { type JsonFault, type JsonNode, parseJson } from '../../text/json-tree.js'
import { lineAt, lineStarts } from '../../text/lines.js'

export type Path = readonly (string | number)[]

export interface Located {
  value: unknown
  /** The line of a key or of a list's item; null if it is not in the text. */
  lineOf(path: Path): number | null
}

/** `name` is the name of the file in messages. */
export function readJson(text: string, name: string): Located {
  const starts = lineStarts(text)
  const fail = ({ message, hint, offset }: Mistake): never => {
    const line = lineAt(starts, offset)
    const place = `line ${line}, column ${offset - starts[line - 1]! + 1}`
    throw new Problem('bad_configuration', `${name} is not valid JSON: ${place}: ${message}.`, hint)
  }
  const { root, fault } = parseJson(text, { lenient: false })
  if (fault || !root) return fail(mistakeOf(text, fault, (offset) => lineAt(starts, offset)))
  const lines = new Map<string, number>()
  const visit = (node: JsonNode, path: Path, start = node.start) => {
    lines.set(JSON.stringify(path), lineAt(starts, start))
    for (const [i, item] of node.items.entries()) visit(item, [...path, i])
    const keys = new Set<string>()
    for (const { key, start, value } of node.members) {
      if (keys.has(key)) fail({ message: `${JSON.stringify(key)} is given twice`, offset: start })
      keys.add(key)
      visit(value, [...path, key], start)
    }
  }
  visit(root, [])
  return { value: root.value, lineOf: (path) => lines.get(JSON.stringify(path)) ?? null }
}

interface Mistake {
  message: string
  hint?: string
  offset: number
}

function mistakeOf(text: string, fault: JsonFault | null, lineOf: (offset: number) => number): Mistake {
  const { code, offset, open } = fault ?? { code: '', offset: 0, open: null }
  if (/^[\s\ufeff]*$/.test(text))
    return { message: 'the file is empty', hint: 'An empty configuration is written {}.', offset: 0 }
  const closing = open === null ? null : text[open] === '{' ? '}' : ']'
  if (offset >= text.length && open !== null)
    return {
      message: `the "${text[open]}" of line ${lineOf(open)} has no "${closing}" before the file ends`,
      offset,
    }
  const comma = text.slice(0, offset).trimEnd().length - 1
  if (/[}\]]/.test(text[offset] ?? '') && text[comma] === ',')
    return {
      message: `there is a comma before "${text[offset]}"`,
      hint: 'Plain JSON has no comma after the last entry.',
      offset: comma,
    }
  const known = mistakes[code]
  if (known) return { ...known, offset }
  const found = /^(?:[\p{L}\p{N}_-]+|.)/u.exec(text.slice(offset, offset + 40))?.[0]
  const actual = found === undefined ? 'the end of the file' : JSON.stringify(found)
  const isUnquoted = code !== 'EndOfFileExpected' && /^[\p{L}'’“_]/u.test(found ?? '')
  const hint = isUnquoted ? 'JSON puts keys and texts in "double quotes".' : undefined
  const wanted =
    code === 'CommaExpected' ? `"," or "${closing}" expected` : (expected[code] ?? 'a value expected')
  return { message: `${wanted}, ${actual} found`, ...(hint && { hint }), offset }
}

const mistakes: Record<string, Omit<Mistake, 'offset'>> = {
  TooDeep: { message: 'nested too deep' },
  InvalidCommentToken: { message: 'comments are not part of JSON', hint: 'Take the comment out.' },
  UnexpectedEndOfString: { message: 'the text has no closing quote on its line' },
  InvalidCharacter: { message: 'the text has a control character', hint: 'Write a tab as \\t.' },
  InvalidEscapeCharacter: {
    message: 'the text has a "\\" that means nothing',
    hint: 'Write a backslash as \\\\.',
  },
  InvalidUnicode: { message: 'the text has a "\\" that means nothing', hint: 'Write a backslash as \\\\.' },
}

const expected: Record<string, string> = {
  PropertyNameExpected: 'a key in double quotes expected',
  ColonExpected: '":" expected after the key',
  EndOfFileExpected: 'nothing more was expected',
}
