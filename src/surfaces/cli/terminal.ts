// Terminal output: colours, text width, and removal of control sequences.
import { withoutTags } from '../../text/controls.js'
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
