// Terminal output: colours, text width, tables, figures, and removal of control sequences.
import { counted, thousands } from '../../text/counted.js'
import { withoutTags } from '../../text/one-line.js'
import type { Output } from './context.js'

export interface Paint {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

/** Colours if wanted: NO_COLOR and --no-color turn them off, FORCE_COLOR turns them on for a pipe too. */
export function colours(
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
  wanted = true,
): Paint {
  const on = wanted && !env.NO_COLOR && (forced(env.FORCE_COLOR) ?? isTerminal(output, env))
  const style = (start: number, end: number) => (text: string) =>
    on ? `\x1b[${start}m${text}\x1b[${end}m` : text
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  }
}

/** Whether a line can be redrawn. */
export function isTerminal(output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  return output.isTTY === true && env.TERM !== 'dumb'
}

export function widthOf(output: Output): number {
  return Math.max(20, Math.min(output.columns ?? 80, 120))
}

/**
 * Makes text safe to print: indexed text may contain escape sequences, marks that reverse the text direction to hide
 * something, and invisible tags. Line breaks and tabs stay.
 */
export function safe(text: string): string {
  return withoutTags(text, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** The same on one line: a name with a line break must not look like two lines. */
export function safeLine(text: string): string {
  return safe(text).replaceAll('\n', ' ')
}

/** How many columns a text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOfOne(character)
  return columns
}

/** Truncates a text to a number of columns, including the ellipsis. */
export function clip(text: string, most: number): string {
  if (columnsOf(text) <= most) return text
  return `${startWithin(text, most - 1)}…`
}

/** Wraps a line at spaces to a number of columns; breaks a longer word. */
export function wrap(line: string, most: number): string[] {
  const lines: string[] = []
  let rest = line.replaceAll('\t', '  ').trimEnd()
  const indent = /^ */.exec(rest)![0].slice(0, Math.floor(most / 2))
  while (columnsOf(rest) > most) {
    const start = startWithin(rest, most)
    const space = rest[start.length] === ' ' ? start.length : start.lastIndexOf(' ')
    const end = space > indent.length ? space : Math.max(1, start.length)
    lines.push(rest.slice(0, end).trimEnd())
    rest = indent + rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

function startWithin(text: string, most: number): string {
  let columns = 0
  let end = 0
  for (const character of text) {
    columns += columnsOfOne(character)
    if (columns > most) break
    end += character.length
  }
  return text.slice(0, end)
}

function columnsOfOne(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x300) return 1
  if (/\p{M}|\u200d|[\ufe00-\ufe0f]/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

function forced(value: string | undefined): boolean | undefined {
  if (value === undefined || value === '') return undefined
  return value !== '0' && value !== 'false'
}

/** Cleans a text and puts it on one line, with single spaces. */
export function oneLine(text: string): string {
  return safe(text).replace(/\s+/g, ' ').trim()
}

export function jsonText(value: unknown): string {
  return `${safeJson(JSON.stringify(value, null, 2))}\n`
}

/** Escapes what JSON allows and a terminal obeys: control characters, and marks that change the text direction. */
export function safeJson(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The colours and the width of the output. */
export interface Look {
  paint: Paint
  width: number
}

/** Aligns rows in columns, two spaces apart. The columns in `right` are aligned right, as figures are. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => columnsOf(row[i] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const fill = ' '.repeat(Math.max(0, widths[i]! - columnsOf(cell)))
        return right.includes(i) ? fill + cell : cell + fill
      })
      .join('  ')
      .trimEnd(),
  )
}

export function indented(lines: readonly string[], by = '  '): string[] {
  return lines.map((line) => (line ? by + line : line))
}

/** Lines under a heading, after an empty line; nothing for no lines. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length ? ['', heading, ...indented(lines)] : []
}

/** Lines as one text that ends with a line break; nothing for no lines. */
export function joined(lines: readonly string[]): string {
  return lines.length ? `${lines.join('\n')}\n` : ''
}

/** `12,345` */
export function count(value: number): string {
  return thousands(Math.round(value))
}

/** `812 bytes`, `3.4 MB` */
export function bytes(value: number): string {
  if (value < 1000) return counted(value, 'byte')
  const power = Math.min(4, Math.floor(Math.log10(value) / 3))
  return `${short(value / 1000 ** power)} ${['', 'kB', 'MB', 'GB', 'TB'][power]}`
}

/** `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 4 min` */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${short(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${count(Math.floor(seconds / 3600))} h ${Math.floor((seconds % 3600) / 60)} min`
}

function short(value: number): string {
  return value < 9.95 ? value.toFixed(1) : count(value)
}
