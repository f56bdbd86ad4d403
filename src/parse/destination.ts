// Finds the target of a link from its written form.
import type { Link } from '../model/document.js'
import { isSpace } from '../text/lines.js'
import { formatOf, isMedia } from './formats.js'

export type Destination = Pick<Link, 'target' | 'label' | 'heading' | 'block'>

/** Inside of `[[name#heading^block|label]]`. Null when it is no link; an empty target when it leads nowhere else. */
export function wikiTarget(inside: string): Destination | null {
  if (/[\r\n]/.test(inside)) return null
  const bar = inside.indexOf('|')
  // In a table the bar must be escaped.
  const whole = bar < 0 ? inside : inside.slice(0, bar).replace(/\\$/, '')
  if (/[[\]]/.test(whole) || whole.trim() === '') return null
  const label = bar < 0 ? null : inside.slice(bar + 1).trim() || null
  return { ...place(whole, /[#^]/, /^[a-z][a-z\d+.-]*:[\\/]{2}/i), label }
}

/** A Markdown destination as a link; null for other sites and pictures. */
export function linkTo(destination: string, label: string, picture: boolean): Destination | null {
  const to = place(destination, /#/, /^[a-z][a-z\d+.-]*:|^[\\/]{2}/i)
  const target = to.target.replace(/\?.*$/s, '')
  if (target === '' || (picture && formatOf(target)?.format !== 'markdown')) return null
  return { ...to, target, label: plainLabel(label) }
}

/** Path, heading and block of a destination. The path is empty when it leads to another site or to a picture. */
function place(written: string, mark: RegExp, elsewhere: RegExp): Destination {
  const cut = written.search(mark)
  const target = (cut < 0 ? written : written.slice(0, cut)).trim()
  const rest = cut < 0 ? null : written.slice(cut).replace(/^#/, '').trim()
  const isBlock = rest?.startsWith('^') ?? false
  return {
    target: elsewhere.test(target) || isMedia(target) ? '' : target,
    label: null,
    heading: isBlock ? null : rest,
    block: isBlock ? rest!.slice(1).trim() : null,
  }
}

function plainLabel(label: string): string | null {
  return (
    label
      .replace(/(?<!\s)\s*[\r\n][\s>]*/g, ' ')
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .replace(/[*_`]+/g, '')
      .trim() || null
  )
}

const longest = 2000
const deepest = 32

/** Reads `destination "title")` after the opening parenthesis; null when it is not one. */
export function destinationAt(
  text: string,
  from: number,
  leafEnd: number,
): { target: string; end: number } | null {
  const end = Math.min(leafEnd, from + longest)
  const start = skipSpaces(text, from, end)
  const angle = text.charCodeAt(start) === 0x3c
  const stop = angle ? angleEnd(text, start, end) : plainEnd(text, start, end)
  if (stop < 0) return null
  const target = angle ? text.slice(start + 1, stop - 1) : text.slice(start, stop)
  const title = skipSpaces(text, stop, end)
  const close = title > stop ? skipSpaces(text, titleEnd(text, title, end), end) : title
  return close < end && text.charCodeAt(close) === 0x29 ? { target, end: close + 1 } : null
}

/** Reads `[label]: destination` where the Markdown library saw a definition. */
export function definitionAt(
  text: string,
  from: number,
  end: number,
): { label: string; target: string; start: number; end: number } | null {
  const open = text.indexOf('[', from)
  const close = open < 0 ? -1 : text.indexOf(']:', open)
  if (close < 0 || close >= end) return null
  let start = skipSpaces(text, close + 2, end)
  // On a separate line inside a quote, the destination comes after the quote's sign.
  while (text.charCodeAt(start) === 0x3e) start = skipSpaces(text, start + 1, end)
  const angle = text.charCodeAt(start) === 0x3c
  const stop = angle ? angleEnd(text, start, end) : plainEnd(text, start, end)
  if (stop < 0) return null
  const target = angle ? text.slice(start + 1, stop - 1) : text.slice(start, stop)
  return { label: text.slice(open + 1, close), target, start: open, end: stop }
}

function skipSpaces(text: string, from: number, end: number): number {
  let at = from
  while (at < end && isSpace(text.charCodeAt(at))) at++
  return at
}

function angleEnd(text: string, start: number, end: number): number {
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x3e) return at + 1
    else if (code === 0x3c || code === 10 || code === 13) return -1
  }
  return -1
}

function plainEnd(text: string, start: number, end: number): number {
  let depth = 0
  let at = start
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c && !isSpace(text.charCodeAt(at + 1))) at++
    else if (code === 0x28 && ++depth > deepest) return -1
    else if (code <= 32 || (code === 0x29 && depth-- === 0)) break
  }
  return depth > 0 ? -1 : Math.min(at, end)
}

/** The end of a title; without one, the offset where it would begin. */
function titleEnd(text: string, start: number, end: number): number {
  const open = text.charCodeAt(start)
  const close = open === 0x28 ? 0x29 : open
  if (open !== 0x22 && open !== 0x27 && open !== 0x28) return start
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === close) return at + 1
  }
  return start
}
