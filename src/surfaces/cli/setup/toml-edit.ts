// Changes one table in a TOML file and leaves every other byte alone. It reads only as much TOML as it needs to
// find the ends of statements.
import { Problem } from '../../../model/problem.js'

export type TomlValue = string | boolean | number | string[]

interface Statement {
  kind: 'table' | 'pair'
  /** The full path: of the table, or of the table and the key together. */
  path: string[]
  start: number
  /** The table of a pair. */
  table: string[]
  /** The range of the value; for tables, the end of the header. */
  value: number
  valueEnd: number
  /** Past the end of the statement's last line. */
  end: number
}

/** Whether the file mentions the table. */
export function hasTable(text: string, path: readonly string[]): boolean {
  return statements(text).some((one) => startsWith(one.path, path))
}

/** The direct subtables of a table, each with the strings under these keys, in order; for an inline table, all its strings. */
export function tablesBelow(
  text: string,
  path: readonly string[],
  keys: readonly string[],
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const one of statements(text)) {
    const name = one.path[path.length]
    if (name === undefined || !startsWith(one.path, path)) continue
    const [key, ...deeper] = one.path.slice(path.length + 1)
    const counts = one.kind === 'pair' && deeper.length === 0 && (key === undefined || keys.includes(key))
    const strings = counts ? stringsIn(text.slice(one.value, one.valueEnd)) : []
    found.set(name, [...(found.get(name) ?? []), ...strings])
  }
  return found
}

function stringsIn(value: string): string[] {
  const written = value.match(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g) ?? []
  return written.map((one) => (one.startsWith("'") ? one.slice(1, -1) : unescaped(one)))
}

// TOML escapes as JSON does, with a few more that no path of ours has.
function unescaped(written: string): string {
  try {
    return String(JSON.parse(written))
  } catch {
    return written.slice(1, -1)
  }
}

/** Sets these values in a table. Its other values stay, except those named in `forget`. */
export function setTable(
  text: string,
  path: readonly string[],
  values: Record<string, TomlValue>,
  forget: readonly string[] = [],
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const all = statements(text)
  const inline = all.find(
    (one) => one.kind === 'pair' && one.path.length <= path.length && startsWith(path, one.path),
  )
  if (inline && inline.path.length < path.length)
    throw new Problem(
      'broken_file',
      `${inline.path.join('.')} is written on one line, and nothing can be added to it safely.`,
    )
  if (inline) return splice(text, inline.value, inline.valueEnd, `{ ${pairs(values).join(', ')} }`)
  // A table may be written without a header, as "mcp_servers.carrel.command = …", and must not get one then.
  const header = all.find((one) => one.kind === 'table' && same(one.path, path))
  const dotted = all.findLast(
    (one) => one.kind === 'pair' && one.table.length < path.length && startsWith(one.path, path),
  )
  const after = header ?? dotted
  if (!after) return append(text, path, values, eol)
  return changeTable(text, { path, after, all }, values, forget, eol)
}

/** Removes a table and its subtables. */
export function removeTable(text: string, path: readonly string[]): string {
  const gone = statements(text).filter((one) => startsWith(one.path, path))
  return gone.reduceRight((left, { start, end }) => {
    const cut = splice(left, start, end, '')
    // If the file ends there, the empty line before the table goes too.
    return start === cut.length ? cut.replace(/(\n)\r?\n$/, '$1') : cut
  }, text)
}

function append(
  text: string,
  path: readonly string[],
  values: Record<string, TomlValue>,
  eol: string,
): string {
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}[${path.map(keyText).join('.')}]${eol}${pairs(values).join(eol)}${eol}`
}

function changeTable(
  text: string,
  { path, after, all }: { path: readonly string[]; after: Statement; all: readonly Statement[] },
  values: Record<string, TomlValue>,
  forget: readonly string[],
  eol: string,
): string {
  const own = all.filter(
    (one) => one.kind === 'pair' && startsWith(one.path, path) && one.path.length === path.length + 1,
  )
  const known = new Set(own.map(({ path }) => path.at(-1)!))
  const fresh = Object.fromEntries(Object.entries(values).filter(([key]) => !known.has(key)))
  const { end, table } = own.at(-1) ?? after
  const gap = text[end - 1] === '\n' ? '' : eol
  const above = path.slice(table.length).map((key) => `${keyText(key)}.`)
  const added = pairs(fresh).map((pair) => above.join('') + pair)
  let result = splice(text, end, end, added.length ? `${gap}${added.join(eol)}${eol}` : '')
  for (const one of own.toReversed()) {
    const key = one.path.at(-1)!
    if (key in values) result = splice(result, one.value, one.valueEnd, valueText(values[key]!))
    else if (forget.includes(key)) result = splice(result, one.start, one.end, '')
  }
  return result
}

function pairs(values: Record<string, TomlValue>): string[] {
  return Object.entries(values).map(([key, value]) => `${keyText(key)} = ${valueText(value)}`)
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key)
}

function valueText(value: TomlValue): string {
  return Array.isArray(value) ? `[${value.map(valueText).join(', ')}]` : JSON.stringify(value)
}

function statements(text: string): Statement[] {
  const found: Statement[] = []
  let table: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const start = at
    at = skipSpace(text, at)
    if (text[at] === '\n' || text[at] === '\r' || text[at] === '#' || at >= text.length) {
      at = nextLine(text, at)
      continue
    }
    const isTable = text[at] === '['
    const double = text.startsWith('[[', at)
    const { path, end: keyEnd } = readKey(text, skipSpace(text, at + (double ? 2 : isTable ? 1 : 0)))
    let value = skipSpace(text, keyEnd)
    if (isTable) {
      if (text[value] !== ']') throw broken(text, value)
      table = path
      at = nextLine(text, value)
      found.push({ kind: 'table', path, table: path, start, value, valueEnd: value, end: at })
      continue
    }
    if (text[value] !== '=') throw broken(text, value)
    value = skipSpace(text, value + 1)
    const last = endOfValue(text, value)
    at = nextLine(text, last)
    const valueEnd = value + text.slice(value, last).trimEnd().length
    found.push({ kind: 'pair', path: [...table, ...path], table, start, value, valueEnd, end: at })
  }
  return found
}

function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = []
  let at = from
  for (;;) {
    const rest = text.slice(at, at + 400)
    const [whole, bare] = /^(?:([A-Za-z0-9_-]+)|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.exec(rest) ?? []
    if (whole === undefined) throw broken(text, at)
    path.push(bare ?? (whole.startsWith('"') ? String(JSON.parse(whole)) : whole.slice(1, -1)))
    at = skipSpace(text, at + whole.length)
    if (text[at] !== '.') return { path, end: at }
    at = skipSpace(text, at + 1)
  }
}

/** The offset after a value: any of the four kinds of strings, a list or inline table over several lines, or a word. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const quote = /^(?:"""|'''|"|')/.exec(text.slice(at, at + 3))?.[0]
    if (quote) at = endOfQuote(text, at, quote)
    else if (depth === 0 && (text[at] === '\n' || text[at] === '#')) return at
    else if (text[at] === '#') at = lineEnd(text, at)
    else {
      if (text[at] === '[' || text[at] === '{') depth++
      if (text[at] === ']' || text[at] === '}') depth--
      at++
    }
  }
  if (depth !== 0) throw broken(text, from)
  return at
}

function endOfQuote(text: string, start: number, quote: string): number {
  for (let at = start + quote.length; at < text.length; at++) {
    if (text[at] === '\\' && quote.startsWith('"')) at++
    else if (text.startsWith(quote, at)) return at + quote.length
    else if (text[at] === '\n' && quote.length === 1) break
  }
  throw broken(text, start)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

function nextLine(text: string, from: number): number {
  return Math.min(lineEnd(text, from) + 1, text.length)
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, i) => path[i] === part)
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b)
}

function broken(text: string, at: number): Problem {
  return new Problem('broken_file', `There is a mistake in line ${text.slice(0, at).split('\n').length}.`)
}

function splice(text: string, start: number, end: number, added: string): string {
  return text.slice(0, start) + added + text.slice(end)
}
