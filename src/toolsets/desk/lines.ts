// How the desk prints: numbered lines, cut lines that say what is missing, and texts that keep within a number of characters.

import type { FileSymbol } from '../../parse/file-symbols.js'
import { thousands } from '../../text/counted.js'

/** A longer line is shown around what matters in it. */
export const longestLine = 300

export interface NumberedLine {
  number: number
  text: string
}

export function linesOfText(text: string): string[] {
  const lines = text.split(/\r\n|\n/)
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  // Files of old systems end their lines with a carriage return alone.
  return lines.length === 1 ? text.replace(/\r$/, '').split('\r') : lines
}

export function numbered(lines: readonly string[], first: number, longest = longestLine): string {
  return lines.map((line, i) => `${first + i} ${cutLine(line.trimEnd(), longest)}`).join('\n')
}

/** A line, or of a long one the part around a column (from 0). What is missing is counted. */
export function cutLine(line: string, longest = longestLine, column = 0): string {
  if (line.length <= longest) return line
  const isNear = column <= longest * 0.6
  const from = isNear ? 0 : Math.min(column - Math.floor(longest / 3), line.length - longest)
  const shown = line.slice(from, from + longest)
  const left = line.length - from - longest
  return `${from > 0 ? `${from} characters+… ` : ''}${shown}${left > 0 ? ` …+${left} characters` : ''}`
}

/** What somebody wrote, without the signs that a terminal would obey, and cut. */
export function printable(written: string): string {
  return cutLine(written.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd'), 200)
}

/** How many characters of indentation all lines share. */
export function commonIndent(lines: readonly string[]): number {
  const filled = lines.filter((line) => line.trim() !== '')
  let common = filled[0]?.match(/^[ \t]*/)?.[0] ?? ''
  for (const line of filled) while (!line.startsWith(common)) common = common.slice(0, -1)
  return common.length
}

/** The same lines without the indentation that all of them share. */
export function dedent(lines: readonly string[]): string[] {
  const indent = commonIndent(lines)
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(indent)))
}

/** The row of a table without the blanks that align it. */
export function tightRow(line: string): string {
  return line.startsWith('|') ? line.replace(/ {2,}/g, ' ').replace(/-{4,}/g, '---') : line
}

/** `Class.method`, or the last two headings; the title of a document goes without saying beside its path. */
export function labelOf({ kind, qualified }: Pick<FileSymbol, 'kind' | 'qualified'>): string {
  if (kind !== 'heading') return qualified
  const headings = qualified.split(' / ')
  return headings
    .slice(headings.length > 1 ? 1 : 0)
    .slice(-2)
    .join(' / ')
}

/** What a line stands in; of headings, which can be long, the innermost. A line that declares a function needs no name; one that declares a field, its owner's. */
export function placeLabel(symbol: FileSymbol | null, line: number): string {
  if (!symbol) return ''
  if (symbol.kind === 'heading' && symbol.nameLine !== line)
    return symbol.name.length > longestHeading ? `${symbol.name.slice(0, longestHeading - 1)}…` : symbol.name
  if (symbol.nameLine !== line) return labelOf(symbol)
  return memberKinds.has(symbol.kind) ? symbol.qualified.slice(0, -symbol.name.length - 1) : ''
}

const longestHeading = 40

/** Names that are no place of their own. */
export const memberKinds: ReadonlySet<string> = new Set(['attribute', 'field', 'key', 'member', 'property'])

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${thousands(count)} ${count === 1 ? noun : many}`
}

export function range(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`
}

/** A score in two digits: `.82`. */
export function shortScore(score: number): string {
  return score >= 0.995 ? '1' : score.toFixed(2).replace(/^0/, '')
}

/** The most that each may take, so that all keep within the budget: short ones leave their room to the long ones. */
export function fairShare(sizes: readonly number[], budget: number): number {
  let left = budget
  for (const [i, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - i))
    if (size > share) return Math.max(500, share)
    left -= size
  }
  return budget
}
