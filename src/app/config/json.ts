// JSON with places: what is wrong is said with line and column, and every key knows its line.
// JSON.parse of Node 20 names no position for a short text, and takes the last of two equal keys without a word.
import { Problem } from '../../model/problem.js'
import { lineAt, lineStarts } from '../../text/lines.js'

export type Path = readonly (string | number)[]

export interface Located {
  value: unknown
  /** The line where a key or a list's item stands; null for what is not in the text. */
  lineOf(path: Path): number | null
}

/** Reads plain JSON. `name` is what messages call the file. */
export function readJson(text: string, name: string): Located {
  const reader = new Reader(text, name)
  const value = reader.whole()
  return { value, lineOf: (path) => reader.lines.get(JSON.stringify(path)) ?? null }
}

const deepest = 40

// A class for the state with a lifetime: one position in one text.
class Reader {
  readonly lines = new Map<string, number>()
  private at = 0
  private readonly starts: Uint32Array
  private readonly text: string

  constructor(
    text: string,
    private readonly name: string,
  ) {
    this.text = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text
    this.starts = lineStarts(this.text)
  }

  whole(): unknown {
    this.space()
    if (this.at === this.text.length) this.fail('the file is empty', 'An empty configuration is written {}.')
    const value = this.value([])
    this.space()
    if (this.at < this.text.length) this.fail(`nothing more was expected, ${this.found()} found`)
    return value
  }

  private value(path: Path): unknown {
    if (path.length > deepest) this.fail('nested too deep')
    this.lines.set(JSON.stringify(path), lineAt(this.starts, this.at))
    const character = this.text[this.at]
    if (character === '{') return this.object(path)
    if (character === '[') return this.list(path)
    if (character === '"') return this.string()
    return this.plain()
  }

  private object(path: Path): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    this.items('}', () => {
      const start = this.at
      if (this.text[start] !== '"')
        this.fail(`a key in double quotes expected, ${this.found()} found`, quotes(this.text[start]))
      const key = this.string()
      if (Object.hasOwn(value, key)) this.fail(`${JSON.stringify(key)} is given twice`, undefined, start)
      this.space()
      if (this.text[this.at] !== ':') this.fail(`":" expected after the key, ${this.found()} found`)
      this.at++
      this.space()
      const inner = [...path, key]
      const made = this.value(inner)
      this.lines.set(JSON.stringify(inner), lineAt(this.starts, start))
      // Not an assignment: "__proto__" is then a key like any other, and refused as unknown.
      Object.defineProperty(value, key, { value: made, enumerable: true, configurable: true, writable: true })
    })
    return value
  }

  private list(path: Path): unknown[] {
    const value: unknown[] = []
    this.items(']', () => value.push(this.value([...path, value.length])))
    return value
  }

  private items(close: '}' | ']', one: () => void) {
    const opened = this.at++
    this.space()
    if (this.text[this.at] === close) {
      this.at++
      return
    }
    for (;;) {
      if (this.at >= this.text.length) this.open(opened, close)
      one()
      this.space()
      if (this.text[this.at] === close) break
      if (this.at >= this.text.length) this.open(opened, close)
      if (this.text[this.at] !== ',') this.fail(`"," or "${close}" expected, ${this.found()} found`)
      const comma = this.at++
      this.space()
      if (this.text[this.at] === close)
        this.fail(`a comma stands before "${close}"`, 'Plain JSON has no comma after the last entry.', comma)
    }
    this.at++
  }

  private string(): string {
    const start = this.at
    let end = start + 1
    while (end < this.text.length && this.text[end] !== '"' && this.text.charCodeAt(end) >= 32)
      end += this.text[end] === '\\' ? 2 : 1
    if (this.text[end] !== '"') this.fail('the text has no closing quote on its line', undefined, start)
    this.at = end + 1
    try {
      return JSON.parse(this.text.slice(start, end + 1)) as string
    } catch {
      return this.fail('the text has a "\\" that means nothing', 'Write a backslash as \\\\.', start)
    }
  }

  private plain(): unknown {
    const word = /[^\s,:[\]{}"]*/y
    word.lastIndex = this.at
    const written = word.exec(this.text)![0]
    if (written === 'true' || written === 'false' || written === 'null') {
      this.at += written.length
      return JSON.parse(written)
    }
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written)) {
      this.at += written.length
      return Number(written)
    }
    return this.fail(`a value expected, ${this.found()} found`, quotes(written[0]))
  }

  private space() {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++
    if (/^\/[/*]/.test(this.text.slice(this.at, this.at + 2)))
      this.fail('comments are not part of JSON', 'Take the comment out.')
  }

  private found(): string {
    const rest = this.text.slice(this.at, this.at + 40)
    const word = /^(?:[\p{L}\p{N}_-]+|.)/u.exec(rest)?.[0]
    return word === undefined ? 'the end of the file' : JSON.stringify(word)
  }

  private open(opened: number, close: string): never {
    return this.fail(
      `the "${this.text[opened]}" of line ${lineAt(this.starts, opened)} has no "${close}" before the file ends`,
    )
  }

  private fail(what: string, hint?: string, at = this.at): never {
    const line = lineAt(this.starts, at)
    const column = at - this.starts[line - 1]! + 1
    throw new Problem(
      'bad_configuration',
      `${this.name} is not valid JSON: line ${line}, column ${column}: ${what}.`,
      hint,
    )
  }
}

function quotes(character: string | undefined): string | undefined {
  return character && /[\p{L}'’“_]/u.test(character)
    ? 'JSON puts keys and texts in "double quotes".'
    : undefined
}
