// All YAML is parsed through this module, which checks the nesting depth before the recursive part of the library runs.
import {
  Composer,
  type Document,
  type DocumentOptions,
  Lexer,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml'

/** The maximum nesting depth of lists and maps. */
export const deepest = 50

/** Parses a YAML document, with syntax errors in its `errors`. Throws if it is nested too deeply. */
export function readYaml(
  raw: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Document.Parsed {
  const composer = new Composer({ logLevel: 'error', ...options, prettyErrors: false })
  const [document, another] = composer.compose(shallow(raw), true, raw.length)
  if (another && options.logLevel !== 'silent')
    document!.errors.push(
      new YAMLParseError([another.range[0], another.range[1]], 'MULTIPLE_DOCS', 'More than one document'),
    )
  return document!
}

export function tooDeep(): Error {
  return new Error(`nested deeper than ${deepest} levels`)
}

// The parser keeps open nodes in a list, but the composer recurses. At some thousand levels the whole process dies: V8
// aborts when it has to compile a regular expression at the end of the stack, which nothing can catch.
function* shallow(raw: string) {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(raw)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > deepest + documentAndScalar) throw tooDeep()
  }
  yield* parser.end()
}

const documentAndScalar = 2

// A fast parser for simple YAML. Nearly all frontmatter is simple: keys, lists and maps on lines of their own, with
// unambiguous values. This takes a tenth of the time of the YAML library and gives the same result (a test compares the
// two). Returns null for anything that might mean something else.

interface Line {
  indent: number
  text: string
  /** Its index among the lines as they are written. */
  row: number
}

const deepestPlain = 20

export function plainYaml(raw: string): Record<string, unknown> | null {
  const rows = raw.split(/\r?\n/)
  const lines = linesOf(rows)
  let at = 0

  /** Here and below, undefined means that the text is ambiguous. */
  function map(indent: number, depth: number): Record<string, unknown> | undefined {
    const fields: Record<string, unknown> = {}
    while (lines[at]?.indent === indent) {
      const pair = keyAndValue.exec(lines[at]!.text)
      if (!pair || pair[1]! in fields) return undefined
      at++
      const value = pair[2] ? inlineValue(pair[2], indent) : below(indent, depth)
      if (value === undefined) return undefined
      fields[pair[1]!] = value
    }
    return isContinued(indent) ? undefined : fields
  }

  function inlineValue(written: string, indent: number): unknown {
    if (blockSign.test(written)) return block(written, indent)
    return isContinued(indent) ? folded(indent, [written]) : fieldValue(written)
  }

  /** A text below `|` or `>`, all of whose lines are indented alike. */
  function block(sign: string, indent: number): string | undefined {
    const inner = lines[at]?.indent ?? 0
    const found = rowsBelow(indent)
    if (!found?.every((row) => indentOf(row) === inner && blockLine.test(row))) return undefined
    const text = found.map((row) => row.slice(inner)).join(sign[0] === '|' ? '\n' : ' ')
    return sign.endsWith('-') ? text : `${text}\n`
  }

  /** A plain text over several lines. */
  function folded(indent: number, first: string[] = []): unknown {
    const found = rowsBelow(indent)
    if (!found) return undefined
    const [head, ...rest] = [...first, ...found.map((row) => row.replace(/^ +| +$/g, ''))]
    if (rest.length === 0) return scalarOf(head!)
    return plain.test(head!) && rest.every((row) => plain.test(row)) ? [head, ...rest].join(' ') : undefined
  }

  /** The rows below a key that are indented further; undefined where a comment or a blank row is among them. */
  function rowsBelow(indent: number): string[] | undefined {
    const start = lines[at - 1]!.row + 1
    let end = start
    while (isContinued(indent)) if (lines[at++]!.row !== end++) return undefined
    // Empty rows may follow. Behind the last line there has to be a line end.
    let next = end
    while (next < rows.length - 1 && rows[next] === '') next++
    const isEnd = next === rows.length - 1 && rows[next] === ''
    return end > start && (isEnd || lines[at]?.row === next) ? rows.slice(start, end) : undefined
  }

  /** The value of a key. A list may be indented as little as the key itself. */
  function below(indent: number, depth: number): unknown {
    const next = lines[at]
    if (!next || next.indent < indent) return null
    if (depth >= deepestPlain) return undefined
    if (isItem(next)) return list(next.indent, depth + 1)
    if (next.indent === indent) return null
    return keyAndValue.test(next.text) ? map(next.indent, depth + 1) : folded(indent)
  }

  function list(indent: number, depth: number): unknown[] | undefined {
    const items: unknown[] = []
    for (let line = lines[at]; line && line.indent === indent && isItem(line); line = lines[at]) {
      // The text after the dash is parsed as if it were on a line of its own.
      const dash = dashes.exec(line.text)
      if (!dash || depth >= deepestPlain) return undefined
      lines[at] = { indent: indent + dash[0].length, text: line.text.slice(dash[0].length), row: line.row }
      const value = item(lines[at]!, depth)
      if (value === undefined) return undefined
      items.push(value)
    }
    return isContinued(indent) ? undefined : items
  }

  function item(line: Line, depth: number): unknown {
    if (isItem(line)) return list(line.indent, depth + 1)
    if (keyAndValue.test(line.text)) return map(line.indent, depth + 1)
    at++
    return scalarOf(line.text)
  }

  /** A line that is indented further than its block: it continues the value above, or is a mistake. */
  function isContinued(indent: number): boolean {
    return at < lines.length && lines[at]!.indent > indent
  }

  const fields = lines.length > 0 && lines[0]!.indent > 0 ? undefined : map(0, 0)
  return fields && at === lines.length ? fields : null
}

/** Lines that are not blank or comments. */
function linesOf(rows: readonly string[]): Line[] {
  const lines: Line[] = []
  for (const [row, written] of rows.entries()) {
    const indent = indentOf(written)
    let end = written.length
    while (end > indent && written[end - 1] === ' ') end--
    if (end > indent && written[indent] !== '#') lines.push({ indent, text: written.slice(indent, end), row })
  }
  return lines
}

function indentOf(row: string): number {
  let indent = 0
  while (row[indent] === ' ') indent++
  return indent
}

const dashes = /^- +(?=[^ ])/

function isItem({ text }: Line): boolean {
  return text.startsWith('- ') || text === '-'
}

const keyAndValue = /^([A-Za-z_][\w-]*):(?: +([^ \t].*))?$/
const blockSign = /^[|>]-?$/
const blockLine = /^[\p{L}\p{N}\p{P}\p{S} ]*[\p{L}\p{N}\p{P}\p{S}]$/u
const flowList = /^\[([^[\]{}]*)\]$/

function fieldValue(written: string): unknown {
  const flow = flowList.exec(written)?.[1]
  if (flow === undefined) return scalarOf(written)
  if (flow.trim() === '') return []
  const items = flow.split(',').map((item) => scalarOf(item.trim()))
  return items.includes(undefined) ? undefined : items
}

/** A value with an unambiguous meaning; undefined otherwise. */
function scalarOf(written: string): unknown {
  if (quoted.test(written)) return written.slice(1, -1)
  if (number.test(written)) return Number(written)
  if (written === 'true' || written === 'false') return written === 'true'
  return (plain.test(written) && !reserved.test(written)) || date.test(written) ? written : undefined
}

const quoted = /^(?:"[^"\\\t]*"|'[^'\t]*')$/
const number = /^-?[1-9]\d{0,11}(?:\.\d{1,6})?$|^0$/
const plain = /^[\p{L}</](?:[\p{L}\p{N} ._/()+'"&!?,=%~<>@-]|:(?=[^\s,])|(?<! )#)*$/u
const reserved = /^(?:true|false|null|yes|no|on|off)$/i
const date = /^\d{4}-\d\d-\d\d$/
