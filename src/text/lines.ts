/** Where each line starts. `\n`, `\r\n` and a lone `\r` end a line. */
export function lineStarts(text: string): Uint32Array {
  const starts = [0]
  if (!text.includes('\r'))
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  else
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1)
    }
  return new Uint32Array(starts)
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
  if (!text.includes('\r')) {
    let lines = text === '' || text.endsWith('\n') ? 0 : 1
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
    return lines
  }
  const starts = lineStarts(text)
  return starts.at(-1) === text.length ? starts.length - 1 : starts.length
}
