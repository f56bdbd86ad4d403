// Reads the frontmatter of a note. It is data only: nothing in it is ever run.
import type { Note } from '../model/problem.js'
import { lineAt, lineStarts, linesOf } from '../text/lines.js'
import { tomlStatements } from './toml.js'
import { deepest, plainYaml, readYaml, tooDeep } from './yaml.js'

export interface Frontmatter {
  /** The offset of the body. */
  end: number
  /** The part between the fences. */
  inner: { start: number; end: number }
  fields: Record<string, unknown>
  notes: Note[]
}

/** Reads YAML between `---` or TOML between `+++`. What cannot be read becomes a note and is read line by line. */
export function readFrontmatter(text: string): Frontmatter | null {
  const found = fences(text)
  if (!found) return null
  const raw = text.slice(found.inner.start, found.inner.end)
  if (found.sign === '+') return { ...found, fields: tomlFields(raw), notes: [] }
  if (!mayBeKeys(raw)) return null
  try {
    return { ...found, fields: yamlFields(raw), notes: [] }
  } catch (error) {
    if (!firstKey.test(raw)) return null
    return { ...found, fields: plainFields(raw), notes: [broken(error, raw)] }
  }
}

/** The values under any of the names, as texts. A lone string is split; members of a list stay whole. */
export function textsOf(
  fields: Record<string, unknown>,
  names: readonly string[],
  apart: (value: string) => string[],
): string[] {
  return names
    .map((name) => fields[name])
    .flatMap((value) => (Array.isArray(value) ? value.flatMap(scalarText) : scalarText(value).flatMap(apart)))
    .map((value) => value.trim())
    .filter(Boolean)
}

/** The tags in the frontmatter, without `#`. Commas and spaces separate several tags in one string, as in Obsidian. */
export function declaredTags(fields: Record<string, unknown>): string[] {
  return textsOf(fields, ['tags', 'tag'], (value) => value.split(/[,\s]+/))
    .map((tag) => tag.replace(/^#+/, ''))
    .filter(Boolean)
}

/** A scalar as text; an empty list for anything else. */
export function scalarText(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : []
}

// A horizontal rule at the top looks like an opening fence. Text that begins with a plain key is frontmatter, broken or not;
// any other beginning must parse as a map.
function mayBeKeys(raw: string): boolean {
  const first = firstLine.exec(raw)?.[0]
  // Comments only: a heading between two rules has empty lines around it.
  if (first === undefined) return raw.trim() === '' || !/^[ \t]*$/m.test(raw.replace(/(?:\r\n?|\n)$/, ''))
  return /^[ \t]*[{?!&]|:[ \t]*$|:[ \t]/.test(first)
}

const firstLine = /^[ \t]*[^\s#][^\r\n]*/m
const firstKey = /^(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r(?!\n)|\n))*["']?[\p{L}\p{N}_$][^\r\n:]*:(?=\s|$)/u
const closing = {
  '-': /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|$)/g,
  '+': /(?<=[\r\n])\+\+\+[ \t]*(?=[\r\n]|$)/g,
}

function fences(text: string) {
  const opening = /^(?:---|\+\+\+)[ \t]*(?:\r\n?|\n)/.exec(text)?.[0]
  if (!opening) return null
  const sign = opening[0] as '-' | '+'
  const close = closing[sign]
  close.lastIndex = opening.length
  const match = close.exec(text)
  if (!match) return null
  const after = match.index + match[0].length
  const end = after + (text.startsWith('\r\n', after) ? 2 : after < text.length ? 1 : 0)
  return { sign, inner: { start: opening.length, end: match.index }, end }
}

// On some inputs, the parser's time grows faster than linearly. Real frontmatter is shorter than this.
const longestYaml = 65_536

function yamlFields(raw: string): Record<string, unknown> {
  return recoverHashes(plainYaml(raw) ?? yamlDocument(raw, 'core').fields, raw)
}

/** A YAML map, with parsed values or with their source text. Throws on errors. */
export function yamlDocument(raw: string, schema: 'core' | 'failsafe') {
  if (raw.length > longestYaml) throw new Error(`longer than ${longestYaml} characters`)
  const document = readYaml(raw, { schema, stringKeys: true, uniqueKeys: false })
  if (document.errors[0]) throw document.errors[0]
  const fields: unknown = document.toJS({ maxAliasCount: 50 }) ?? {}
  if (typeof fields !== 'object' || Array.isArray(fields)) throw new Error('not a list of keys and values')
  if (depthOf(fields, deepest) > deepest) throw tooDeep()
  return { document, fields: fields as Record<string, unknown> }
}

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (limit < 0) return 1
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, limit - 1))
  return deepest + 1
}

// `tags: a, #b` ends in a comment to YAML and in a tag to the person who wrote it.
function recoverHashes(fields: Record<string, unknown>, raw: string): Record<string, unknown> {
  for (const name of ['tags', 'tag']) {
    if (!(name in fields)) continue
    const [, line = '', items = ''] = tagLines(name).exec(raw) ?? []
    if (/^[^["'{]*#[^\s#]/.test(line)) fields[name] = line
    else if (/-\s+#[^\s#]/.test(items)) fields[name] = items.split(/(?:^|\n)[ \t]*-[ \t]+/).filter(Boolean)
  }
  return fields
}

function tagLines(name: string): RegExp {
  return new RegExp(`^${name}:[ \\t]*([^\\r\\n]*)((?:\\r?\\n[ \\t]*-[^\\r\\n]*)*)`, 'm')
}

function tomlFields(raw: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const { table, key, written, value, isPlain, sound } of tomlStatements(raw.slice(0, longestYaml))) {
    if (table !== '') break
    const spelled = raw.slice(written.start, written.end)
    if (key !== null) setOwn(fields, key, sound && isPlain ? (jsonOf(spelled) ?? value) : plainValue(spelled))
  }
  return fields
}

// `title: Retries: a guide` is broken YAML and perfectly clear. Only flat keys and lists of texts are read this way.
function plainFields(raw: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  let list: string[] | null = null
  for (const line of linesOf(raw.slice(0, longestYaml))) {
    const item = /^\s*-\s+(.*)$/.exec(line)
    if (item && list) list.push(String(plainValue(item[1]!)))
    const pair = /^([\p{L}\p{N}_-]+):(?:\s+(.*))?$/u.exec(line)
    if (!pair) continue
    const value = (pair[2] ?? '').trim()
    list = value === '' ? [] : null
    setOwn(fields, pair[1]!, list ?? plainValue(value))
  }
  return fields
}

function setOwn(fields: Record<string, unknown>, key: string, value: unknown) {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true })
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return undefined
  }
}

function plainValue(written: string): unknown {
  const value = written.trim()
  if (/^'[^']*'$/.test(value)) return value.slice(1, -1)
  if (/^(?:"|\[(?!\[)|-?\d|true$|false$)/.test(value)) {
    const read = jsonOf(value)
    if (read !== undefined) return read
    if (/^\[[^[\]]*\]$/.test(value))
      return value
        .slice(1, -1)
        .split(',')
        .map((part) => String(plainValue(part)))
  }
  return value
}

function broken(error: unknown, raw: string): Note {
  const { message, pos } = error as Error & { pos?: [number, number] }
  const line = pos ? ` (line ${lineAt(lineStarts(raw), pos[0]) + 1})` : ''
  const reason = message
    .split('\n')[0]!
    .replace(/ at line \d+, column \d+:?$/, '')
    .slice(0, 200)
  return {
    code: 'frontmatter_broken',
    message: `The frontmatter is not valid YAML${line}: ${reason}. The fields that could be read line by line are kept.`,
  }
}
