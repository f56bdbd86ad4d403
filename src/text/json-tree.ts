// JSON with positions, for messages that name a line and for edits that keep every other byte. jsonc-parser reads the text;
// this adds a limit of depth (it recurses) and objects in which "__proto__" is a key like any other.
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

export interface JsonNode {
  kind: 'object' | 'array' | 'scalar'
  start: number
  end: number
  value: unknown
  members: JsonMember[]
  items: JsonNode[]
}

export interface JsonMember {
  key: string
  start: number
  value: JsonNode
}

export interface JsonFault {
  /** The code of jsonc-parser, or `TooDeep`. */
  code: string
  offset: number
  /** Where the innermost bracket is that is open there. */
  open: number | null
}

const mostDepth = 40

/** Parses JSON; with `lenient`, also comments and trailing commas. The root is null for an empty text. */
export function parseJson(
  text: string,
  { lenient }: { lenient: boolean },
): { root: JsonNode | null; fault: JsonFault | null } {
  const source = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text
  const { tooDeep } = bracketsOf(source)
  if (tooDeep !== null) return { root: null, fault: { code: 'TooDeep', offset: tooDeep, open: null } }
  const errors: ParseError[] = []
  const tree = parseTree(source, errors, { disallowComments: !lenient, allowTrailingComma: lenient })
  const isEmpty = skipTrivia(source, 0) === source.length
  const fault = lenient && isEmpty && !tree ? null : faultOf(source, errors)
  return { root: tree && !fault ? nodeOf(tree) : null, fault }
}

/** The first error. For an unknown word the second error says what should stand there. */
function faultOf(text: string, [first, second]: ParseError[]): JsonFault | null {
  if (!first) return null
  const code = printParseErrorCode(first.error)
  const { open } = bracketsOf(text.slice(0, first.offset))
  if (code !== 'InvalidSymbol') return { code, offset: first.offset, open }
  const wanted = second ? printParseErrorCode(second.error) : 'EndOfFileExpected'
  return { code: wanted, offset: first.offset, open }
}

/** The offset of the next character that is neither space nor part of a comment. */
export function skipTrivia(text: string, from: number): number {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  return scanner.getTokenOffset()
}

function bracketsOf(text: string): { open: number | null; tooDeep: number | null } {
  const open: number[] = []
  const scanner = createScanner(text, true)
  for (;;) {
    scanner.scan()
    const offset = scanner.getTokenOffset()
    const sign = text.slice(offset, offset + scanner.getTokenLength())
    if (offset >= text.length) return { open: open.at(-1) ?? null, tooDeep: null }
    if (sign === '{' || sign === '[') open.push(offset)
    else if (sign === '}' || sign === ']') open.pop()
    if (open.length > mostDepth) return { open: null, tooDeep: offset }
  }
}

function nodeOf({ type, offset, length, value, children = [] }: Node): JsonNode {
  const node = { start: offset, end: offset + length, members: [], items: [] }
  if (type === 'array') {
    const items = children.map(nodeOf)
    return { ...node, kind: 'array', value: items.map((item) => item.value), items }
  }
  if (type !== 'object') return { ...node, kind: 'scalar', value }
  const members = children.map(({ offset: start, children: [key, inner] = [] }) => ({
    key: String(key!.value),
    start,
    value: nodeOf(inner!),
  }))
  const object: Record<string, unknown> = {}
  for (const { key, value: inner } of members)
    Object.defineProperty(object, key, {
      value: inner.value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return { ...node, kind: 'object', value: object, members }
}
