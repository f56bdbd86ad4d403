import { wholeCharacters } from '../../text/truncate.js'

export interface Range {
  start: number
  end: number
}

/** Outer before inner. */
export function inOrder(a: Range, b: Range): number {
  return a.start - b.start || b.end - a.end
}

/** The start of a declaration including the comments and attributes directly above it. */
export function docStart(text: string, docs: readonly Range[], start: number): number {
  let at = start
  for (let i = firstFrom(docs, start) - 1; i >= 0; i--) {
    const doc = docs[i]!
    if (!isDirectlyAbove(text, doc, at)) break
    at = doc.start
  }
  return at
}

/** The end of a declaration including the sign that closes its statement. */
export function statementEnd(text: string, end: number): number {
  const at = withoutSpace(text, end)
  let sign = at
  while (isBlank(text.charCodeAt(sign))) sign++
  return text[sign] === ';' || text[sign] === ',' ? sign + 1 : at
}

/** A declaration's head on one line: without its body, comments and attributes. */
export function headOf(
  text: string,
  docs: readonly Range[],
  { start, head, name }: { start: number; head: number; name: string },
  tail = /[\s{;,=:]+$/,
): string {
  const end = Math.min(head, start + longestRead)
  const parts: string[] = []
  let at = start
  for (let i = firstFrom(docs, start); i < docs.length && docs[i]!.start < end; i++) {
    if (docs[i]!.start > at) parts.push(text.slice(at, docs[i]!.start))
    at = Math.max(at, docs[i]!.end)
  }
  if (at < end) parts.push(text.slice(at, end))
  const folded = fold(parts.join(' '))
  if (folded.length > longestHead) return `${wholeCharacters(folded, longestHead - 1)}…`
  const line = folded.replace(tail, '')
  // `typedef struct { … } name` has its name behind the body.
  return line.includes(name) ? line : `${line} ${name}`
}

const longestHead = 300
const longestRead = 4_000

// On one line as one would write it there; the first of several in a Go statement without their bracket.
function fold(head: string): string {
  const line = head
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(const|var|type) \( /, '$1 ')
  return line.replace(/([([]) /g, '$1').replace(/,? ([)\]])/g, '$1')
}

// A comment after code on the same line is about that code, and a blank line separates a comment from the next declaration.
function isDirectlyAbove(text: string, doc: Range, at: number): boolean {
  if (doc.end > at || withoutSpace(text, at) > doc.end || text.startsWith('#!', doc.start)) return false
  const between = text.slice(withoutSpace(text, doc.end), at)
  if ((between.match(/\n|\r(?!\n)/g)?.length ?? 0) > 1) return false
  let before = doc.start
  while (before > 0 && isBlank(text.charCodeAt(before - 1))) before--
  return before === 0 || isBreak(text.charCodeAt(before - 1))
}

/** The end of the text before an offset, without trailing space. */
function withoutSpace(text: string, end: number): number {
  let at = end
  while (at > 0 && (isBlank(text.charCodeAt(at - 1)) || isBreak(text.charCodeAt(at - 1)))) at--
  return at
}

/** The index of the first range that starts at or after an offset. The ranges are sorted. */
export function firstFrom(ranges: readonly Range[], start: number): number {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.start < start) low = middle + 1
    else high = middle
  }
  return low
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13
}
