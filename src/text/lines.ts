/**
 * Where each line starts. `\n` ends a line, with or without `\r` before it, as git, grep and editors count: a line that one
 * tool names is to be the line that another reads. A lone `\r` does so only in a text without any `\n`, as old files have it.
 */
export function lineStarts(text: string): Uint32Array {
  const sign = lineEnd(text)
  const starts = [0]
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) starts.push(at + 1)
  return new Uint32Array(starts)
}

function lineEnd(text: string): '\n' | '\r' {
  return text.includes('\n') ? '\n' : '\r'
}

/** The lines, without what ends them. */
export function linesOf(text: string): string[] {
  return withPlainEnds(text).split('\n')
}

/** A text from an offset on, with the same lines, each of which ends with `\n` alone. */
export function withPlainEnds(text: string, from = 0): string {
  const rest = text.slice(from)
  if (!rest.includes('\r')) return rest
  if (lineEnd(text) === '\r') return rest.replaceAll('\r', '\n')
  return rest.replaceAll('\r\n', '\n').replaceAll('\r', ' ')
}

/** The line (from 1) that an offset stands on. */
export function lineAt(starts: Uint32Array, offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}

/** How many lines a text has; a line break at the end does not open another. */
export function lineCount(text: string): number {
  const sign = lineEnd(text)
  let lines = text === '' || text.endsWith(sign) ? 0 : 1
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) lines++
  return lines
}
