// The part of TOML that frontmatter uses: statements with the positions of their values. Anything else is kept as
// written and marked, so that an editor can tell whether its change broke the text.

export interface TomlStatement {
  /** The header of its table; empty at the top. */
  table: string
  /** The key without quotes; null for a table header, and for anything that is not a statement. */
  key: string | null
  start: number
  /** The offset after the end of the line. */
  end: number
  /** The position of the value. */
  written: { start: number; end: number }
  /** Texts and lists of texts; any other value as its source text. */
  value: unknown
  /** Whether the value is a quoted text or a list. */
  isPlain: boolean
  sound: boolean
}

export function tomlStatements(raw: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  let table = ''
  for (let at = afterGap(raw, 0); at < raw.length; at = afterGap(raw, statements.at(-1)!.end)) {
    const header = matchAt(tableHeader, raw, at)
    if (header) table = header[1]!
    statements.push((header ? null : pairAt(raw, at, table)) ?? lineFrom(raw, at, table, header !== null))
  }
  return statements
}

const gap = /(?:[ \t\r\n]+|#[^\r\n]*)*/y
const tableHeader = /(\[\[?[^[\]\r\n]+\]?\])[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/y
const keyAndSign = /([\w-]+|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*')((?:[ \t]*\.[ \t]*[\w"'-]+)*)[ \t]*=[ \t]*/y
const restOfLine = /[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n|$)/y

function pairAt(raw: string, at: number, table: string): TomlStatement | null {
  const head = matchAt(keyAndSign, raw, at)
  if (!head) return null
  const start = at + head[0].length
  const found = valueAt(raw, start, 0)
  const rest = found && matchAt(restOfLine, raw, found.end)
  if (!found || !rest) return null
  return {
    table,
    key: head[1]!.replace(/^(["'])(.*)\1$/s, '$2') + head[2]!,
    start: at,
    end: found.end + rest[0].length,
    written: { start, end: found.end },
    value: found.value,
    isPlain: found.isPlain,
    sound: true,
  }
}

function lineFrom(raw: string, at: number, table: string, sound: boolean): TomlStatement {
  const line = /[^\r\n]*(?:\r\n?|\n|$)/y
  const whole = matchAt(line, raw, at)![0]
  const sign = sound ? null : /^([\w-]+)[ \t]*=[ \t]*/.exec(whole)
  const value = whole.slice(sign?.[0].length ?? 0).trim()
  const start = at + (sign?.[0].length ?? 0)
  const written = { start, end: start + value.length }
  return {
    table,
    key: sign?.[1] ?? null,
    start: at,
    end: at + whole.length,
    written,
    value,
    isPlain: true,
    sound,
  }
}

interface Value {
  value: unknown
  end: number
  isPlain: boolean
}

const deepest = 50

function valueAt(raw: string, at: number, depth: number): Value | null {
  if (depth > deepest) return null
  for (const [form, read] of texts) {
    const found = matchAt(form, raw, at)
    if (!found) continue
    const value = read(found[1]!)
    return value === null ? null : { value, end: at + found[0].length, isPlain: true }
  }
  if (raw[at] === '[') return listAt(raw, at, depth)
  const found = matchAt(raw[at] === '{' ? inlineTable : bare, raw, at)
  return found && { value: found[0], end: at + found[0].length, isPlain: false }
}

const texts: readonly [RegExp, (inside: string) => string | null][] = [
  [/"""(?:\r?\n)?((?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{0,2})"""/y, unescaped],
  [/'''(?:\r?\n)?((?:[^']|'{1,2}(?!'))*'{0,2})'''/y, (inside) => inside],
  [/"(?!"")((?:[^"\\\r\n]|\\.)*)"/y, unescaped],
  [/'(?!'')([^'\r\n]*)'/y, (inside) => inside],
]
// Without nested tables: people write those with headers.
const inlineTable = /\{(?:[^{}"'\r\n]|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*')*\}/y
const bare = /[\w+.:-]+(?: \d\d:[\d:.]+Z?)?/y

/** Null if there is an escape that TOML does not know. */
function unescaped(inside: string): string | null {
  const folded = inside.replace(/\\[ \t]*\r?\n\s*/g, '')
  if (/\\(?![btnfr"\\]|u[\da-fA-F]{4}|U[\da-fA-F]{8})/.test(folded.replace(/\\\\/g, ''))) return null
  return folded.replace(/\\(?:u(.{4})|U(.{8})|(.))/g, (_, short, long, sign) => {
    const code = Number.parseInt(short ?? long ?? '', 16)
    return sign ? (signs[sign] ?? sign) : code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}

const signs: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' }

function listAt(raw: string, start: number, depth: number): Value | null {
  const value: unknown[] = []
  let at = afterGap(raw, start + 1)
  while (raw[at] !== ']') {
    const item = valueAt(raw, at, depth + 1)
    if (!item) return null
    value.push(item.value)
    at = afterGap(raw, item.end)
    if (raw[at] === ',') at = afterGap(raw, at + 1)
    else if (raw[at] !== ']') return null
  }
  return { value, end: at + 1, isPlain: true }
}

function afterGap(raw: string, at: number): number {
  return at + matchAt(gap, raw, at)![0].length
}

function matchAt(form: RegExp, raw: string, at: number): RegExpExecArray | null {
  form.lastIndex = at
  return form.exec(raw)
}
