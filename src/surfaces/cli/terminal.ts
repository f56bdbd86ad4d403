// What a terminal can show: colours or none, how wide a text is, and nothing that it would obey instead.
import { withoutTags } from '../../text/controls.js'
import type { Output } from './context.js'

export interface Paint {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

/** Colours where they are wanted: NO_COLOR and --no-color win, FORCE_COLOR paints a pipe too. */
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

/** Whether a line can be drawn over. */
export function isTerminal(output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  return output.isTTY === true && env.TERM !== 'dumb'
}

export function widthOf(output: Output): number {
  return Math.max(20, Math.min(output.columns ?? 80, 120))
}

/**
 * A text that shows itself and does nothing: what was indexed may hold escape sequences, marks that turn the
 * direction of writing to hide something, and tags that nobody sees. Line breaks and tabs stay.
 */
export function safe(text: string): string {
  return withoutTags(text, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** The same in one line: a name with a line break in it must not pass for two lines. */
export function safeLine(text: string): string {
  return safe(text).replaceAll('\n', ' ')
}

/** How many columns a text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOfOne(character)
  return columns
}

/** Cuts a text to a number of columns, the mark included. */
export function clip(text: string, most: number): string {
  if (columnsOf(text) <= most) return text
  return `${startWithin(text, most - 1)}…`
}

/** Breaks a line at spaces into lines of at most so many columns; a longer word is broken where it must be. */
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
