// Reads JSON with comments and trailing commas into a tree that remembers where everything stood.
import { Problem } from '../../../model/problem.js'

export interface Member {
  key: string
  start: number
  value: Node
}

export interface Node {
  kind: 'object' | 'array' | 'scalar'
  start: number
  end: number
  value: unknown
  members: Member[]
}

/** The tree, or null when there is nothing but space and comments. */
export function parseTree(text: string): Node | null {
  const at = skip(text, text.startsWith('\ufeff') ? 1 : 0)
  if (at >= text.length) return null
  const node = parseNode(text, at, 0)
  const rest = skip(text, node.end)
  if (rest < text.length) throw broken(text, rest)
  return node
}

/** Past space and comments. */
export function skip(text: string, from: number): number {
  let at = from
  for (;;) {
    while (at < text.length && /\s/.test(text[at]!)) at++
    if (text.startsWith('//', at)) at = endOfLine(text, at)
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end === -1) throw broken(text, at)
      at = end + 2
    } else return at
  }
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function parseNode(text: string, at: number, depth: number): Node {
  if (depth > 200) throw broken(text, at)
  if (text[at] === '{') return parseObject(text, at, depth)
  if (text[at] === '[') return parseArray(text, at, depth)
  const end = text[at] === '"' ? endOfString(text, at) : endOfWord(text, at)
  return { kind: 'scalar', start: at, end, value: literal(text, at, end), members: [] }
}

function parseObject(text: string, start: number, depth: number): Node {
  const members: Member[] = []
  const value: Record<string, unknown> = {}
  let at = skip(text, start + 1)
  while (text[at] !== '}') {
    if (text[at] !== '"') throw broken(text, at)
    const keyEnd = endOfString(text, at)
    const key = String(literal(text, at, keyEnd))
    const colon = skip(text, keyEnd)
    if (text[colon] !== ':') throw broken(text, colon)
    const node = parseNode(text, skip(text, colon + 1), depth + 1)
    members.push({ key, start: at, value: node })
    Object.defineProperty(value, key, {
      value: node.value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    at = nextItem(text, node.end, '}')
  }
  return { kind: 'object', start, end: at + 1, value, members }
}

function parseArray(text: string, start: number, depth: number): Node {
  const items: unknown[] = []
  let at = skip(text, start + 1)
  while (text[at] !== ']') {
    const node = parseNode(text, at, depth + 1)
    items.push(node.value)
    at = nextItem(text, node.end, ']')
  }
  return { kind: 'array', start, end: at + 1, value: items, members: [] }
}

function nextItem(text: string, from: number, close: string): number {
  const at = skip(text, from)
  if (text[at] === close) return at
  if (text[at] !== ',') throw broken(text, at)
  return skip(text, at + 1)
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  throw broken(text, start)
}

function endOfWord(text: string, start: number): number {
  let at = start
  while (at < text.length && /[\w.+-]/.test(text[at]!)) at++
  if (at === start) throw broken(text, start)
  return at
}

function literal(text: string, start: number, end: number): unknown {
  try {
    return JSON.parse(text.slice(start, end))
  } catch {
    throw broken(text, start)
  }
}

function broken(text: string, at: number): Problem {
  const before = text.slice(0, at).split('\n')
  return new Problem(
    'broken_file',
    `There is a mistake in line ${before.length}, column ${before.at(-1)!.length + 1}.`,
  )
}
