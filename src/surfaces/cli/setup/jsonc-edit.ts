// Changes one value in a JSON file and leaves every other byte alone: comments, order, indentation, trailing commas.
import { Problem } from '../../../model/problem.js'
import { type JsonMember, type JsonNode, parseJson, skipTrivia } from '../../../text/json-tree.js'

/** The value at a path, or undefined. */
export function getIn(text: string, path: readonly string[]): unknown {
  return nodeAt(parseTree(text), path)?.value
}

/** Sets the value at a path and creates missing objects. */
export function setIn(text: string, path: readonly string[], value: unknown): string {
  const root = parseTree(text)
  const style = styleOf(text)
  if (!root) return text + render(nest(path, value), '', { ...style, inline: false }) + style.eol
  const there = nodeAt(root, path)
  if (there) {
    if (JSON.stringify(there.value) === JSON.stringify(value)) return text
    return splice(
      text,
      there.start,
      there.end,
      render(value, indentAt(text, there.start), lineStyle(text, there, style)),
    )
  }
  const [object, depth] = deepest(root, path)
  if (object.kind !== 'object')
    throw new Problem(
      'broken_file',
      `${depth > 0 ? `"${path.slice(0, depth).join('.')}"` : 'The file'} is not an object.`,
    )
  return insert(text, object, path[depth]!, nest(path.slice(depth + 1), value), style)
}

/** The text without the value at a path. */
export function removeIn(text: string, path: readonly string[]): string {
  const root = parseTree(text)
  const object = nodeAt(root, path.slice(0, -1))
  const index = object?.members.findLastIndex(({ key }) => key === path.at(-1)) ?? -1
  if (!object || index === -1) return text
  return cutMember(text, object, index)
}

function parseTree(text: string): JsonNode | null {
  const { root, fault } = parseJson(text, { lenient: true })
  if (!fault) return root
  const before = text.slice(0, fault.offset).split('\n')
  throw new Problem(
    'broken_file',
    `There is a mistake in line ${before.length}, column ${before.at(-1)!.length + 1}.`,
  )
}

function nodeAt(root: JsonNode | null, path: readonly string[]): JsonNode | undefined {
  let at = root ?? undefined
  for (const key of path) at = member(at, key)?.value
  return at
}

// Of two members with the same name, the last counts.
function member(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.members.findLast((one) => one.key === key)
}

function deepest(root: JsonNode, path: readonly string[]): [JsonNode, number] {
  let at = root
  for (const [depth, key] of path.entries()) {
    const next = member(at, key)?.value
    if (!next) return [at, depth]
    at = next
  }
  return [at, path.length]
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

interface Style {
  eol: string
  indent: string
  /** Everything on one line. */
  inline: boolean
}

function styleOf(text: string): Style {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    indent: indent.startsWith('\t') ? '\t' : indent.slice(0, 8),
    inline: text.trim() !== '' && !text.trim().includes('\n'),
  }
}

function lineStyle(text: string, node: JsonNode, style: Style): Style {
  const manyLines = node.kind === 'scalar' ? !style.inline : text.slice(node.start, node.end).includes('\n')
  return { ...style, inline: !manyLines }
}

function render(value: unknown, indent: string, { eol, indent: unit, inline }: Style): string {
  if (inline) return JSON.stringify(value)
  // Short lists of plain values stay on one line, as people write them.
  return JSON.stringify(value, null, unit)
    .replace(
      /\[\n\s+((?:"(?:[^"\\]|\\.)*"|[\w.+-]+)(?:,\n\s+(?:"(?:[^"\\]|\\.)*"|[\w.+-]+))*)\n\s*\]/g,
      (_, items) => `[${String(items).replace(/,\n\s+/g, ', ')}]`,
    )
    .replaceAll('\n', `${eol}${indent}`)
}

function insert(text: string, object: JsonNode, key: string, value: unknown, style: Style): string {
  const last = object.members.at(-1)
  const inside = text.slice(object.start, object.end)
  const oneLine = { ...style, inline: style.inline || (last !== undefined && !inside.includes('\n')) }
  if (!last) return insertFirst(text, object, key, value, oneLine)
  if (oneLine.inline) {
    const space = /[:,] /.test(inside) ? ' ' : ''
    return splice(
      text,
      last.value.end,
      last.value.end,
      `,${space}${JSON.stringify(key)}:${space}${JSON.stringify(value)}`,
    )
  }
  const indent = indentAt(text, last.start)
  const added = `${style.eol}${indent}${JSON.stringify(key)}: ${render(value, indent, style)}`
  const next = skipTrivia(text, last.value.end)
  const trailing = text[next] === ','
  const after = lineEnd(text, trailing ? next + 1 : last.value.end)
  const body = splice(text, after, after, trailing ? `${added},` : added)
  return trailing ? body : splice(body, last.value.end, last.value.end, ',')
}

function insertFirst(text: string, object: JsonNode, key: string, value: unknown, style: Style): string {
  if (style.inline)
    return splice(text, object.start + 1, object.start + 1, `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  const outer = indentAt(text, object.start)
  const indent = outer + style.indent
  const written = `${JSON.stringify(key)}: ${render(value, indent, style)}`
  const inside = text.slice(object.start + 1, object.end - 1)
  const comments = inside.trim() === '' ? '' : inside.trimEnd()
  return splice(
    text,
    object.start + 1,
    object.end - 1,
    `${comments}${style.eol}${indent}${written}${style.eol}${outer}`,
  )
}

/** The end of a line's content, including comments after it on the same line. */
function lineEnd(text: string, from: number): number {
  const rest = text.slice(from, endOfLine(text, from))
  const [comments = ''] = /^[ \t]*(?:\/\*.*?\*\/[ \t]*)*(?:\/\/.*)?/.exec(rest) ?? []
  const ended = /\/[/*]/.test(comments) ? comments.replace(/\r$/, '') : ''
  return from + ended.trimEnd().length
}

function cutMember(text: string, object: JsonNode, index: number): string {
  const one = object.members[index]!
  const next = skipTrivia(text, one.value.end)
  if (text[next] === ',') {
    const withoutComma = splice(text, next, next + 1, '')
    return dropBlankLine(splice(withoutComma, one.start, one.value.end, ''), one.start)
  }
  const before = object.members[index - 1]
  const cut = dropBlankLine(splice(text, one.start, one.value.end, ''), one.start)
  if (!before) return tidyEmpty(cut, object.start)
  const comma = skipTrivia(text, before.value.end)
  return splice(cut, comma, comma + 1, '')
}

/** Removes the line if it is empty now, else the space after the removed member. */
function dropBlankLine(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = endOfLine(text, at)
  if (start > 0 && text.slice(start, end).trim() === '')
    return splice(text, start, Math.min(end + 1, text.length), '')
  const space = /^[ \t]*/.exec(text.slice(at))![0].length
  return splice(text, at, at + space, '')
}

function tidyEmpty(text: string, start: number): string {
  const inside = /^\{(\s*)\}/.exec(text.slice(start))
  return inside ? splice(text, start, start + inside[0].length, '{}') : text
}

function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))![0]
}

function splice(text: string, start: number, end: number, added: string): string {
  return text.slice(0, start) + added + text.slice(end)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
