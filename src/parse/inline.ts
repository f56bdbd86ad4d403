// Finds links and tags in inline text in one pass, in linear time, with offsets into the file. We do not use the
// Markdown library for this: it gives no offsets inside a line, and takes twice the time of parsing blocks. As in
// CommonMark, escapes, code spans, comments, HTML tags and destinations hide text.
import type { Link } from '../model/document.js'
import { isSpace, lineAt } from '../text/lines.js'
import type { Destination } from './destination.js'
import { destinationAt, linkTo, wikiTarget } from './destination.js'

/** The state of one document while its inline texts are read from top to bottom. */
export interface Reading {
  text: string
  starts: Uint32Array
  /** Case-folded labels of reference definitions: text in brackets that is a link without a destination. */
  isReference: (label: string) => boolean
  links: Link[]
  tags: { name: string; start: number }[]
  /** Text before this offset is inside a comment that spans several blocks. */
  hiddenUntil: number
}

/** Reads the text of one paragraph, heading or table cell. */
export function readInline(reading: Reading, start: number, end: number) {
  const { text } = reading
  const leaf: Leaf = {
    text,
    start: Math.max(start, reading.hiddenUntil),
    end,
    openers: [],
    closedBelow: 0,
    wikiBelow: 0,
    runs: null,
    absent: [],
    urlEnd: 0,
    wikiEnd: -1,
  }
  for (let at = leaf.start; at < end; ) {
    const code = text.charCodeAt(at)
    at = code < 128 && special[code] ? step(reading, leaf, at, code) : at + 1
  }
}

/** Finds wiki and Markdown links in a value of the frontmatter. */
export function readValue(reading: Reading, start: number, end: number) {
  const within: Reading = { ...reading, links: [], tags: [], hiddenUntil: 0 }
  readInline(within, start, end)
  for (const link of within.links) reading.links.push({ ...link, kind: 'frontmatter' })
}

interface Leaf {
  text: string
  start: number
  end: number
  /** Offsets of `[` that are still open; negative for images. */
  openers: number[]
  /** Links do not nest: openers below this count are plain text, unless they open an image. */
  closedBelow: number
  /** The same for wiki links, which Markdown does not know: the text around one may still be a link. */
  wikiBelow: number
  /** The last run of backticks of each length. Without it, unclosed runs would take quadratic time. */
  runs: Map<number, number> | null
  /** Closing marks that are known to be missing, so that they are searched only once. */
  absent: string[]
  /** The end of a bare url, in which a hash is not a tag. */
  urlEnd: number
  /** The cached position of the next `]]`. */
  wikiEnd: number
}

const special = new Uint8Array(128)
for (const sign of '\\`<[]!#%:${') special[sign.charCodeAt(0)] = 1

/** Handles one special character and returns where to continue. */
function step(reading: Reading, leaf: Leaf, at: number, code: number): number {
  switch (code) {
    case 0x5c: // \
      return at + 2
    case 0x60: // `
      return afterCode(leaf, at)
    case 0x3c: // <
      return afterAngle(leaf, at)
    case 0x21: // !
      return reading.text.charCodeAt(at + 1) === 0x5b ? openBracket(reading, leaf, at + 1, true) : at + 1
    case 0x5b: // [
      return openBracket(reading, leaf, at, false)
    case 0x5d: // ]
      return closeBracket(reading, leaf, at)
    case 0x23: // #
      return tagAt(reading, leaf, at)
    case 0x3a: // :
      return bareUrl(leaf, at)
    default: // % $ {
      return afterPair(reading, leaf, at, code)
  }
}

// --- Hidden text.

function afterCode(leaf: Leaf, at: number): number {
  const { text, end } = leaf
  leaf.runs ??= lastRuns(text, at, end)
  const length = runLength(text, at, end)
  const last = leaf.runs.get(length) ?? -1
  for (let next = at + length; next <= last; ) {
    const run = runLength(text, next, end)
    if (run === length) return next + run
    next += Math.max(run, 1)
  }
  return at + length
}

function lastRuns(text: string, from: number, end: number): Map<number, number> {
  const runs = new Map<number, number>()
  for (let at = from; at < end; ) {
    const length = runLength(text, at, end)
    if (length > 0) runs.set(length, at)
    at += Math.max(length, 1)
  }
  return runs
}

function runLength(text: string, at: number, end: number): number {
  let next = at
  while (next < end && text.charCodeAt(next) === 0x60) next++
  return next - at
}

const longestTag = 2048

/**
 * The offset after a comment, an address in angle brackets, or an HTML or JSX tag; the next character if it is none.
 */
function afterAngle(leaf: Leaf, at: number): number {
  const { text, end } = leaf
  if (text.startsWith('<!--', at)) return after(leaf, '-->', at + 4)
  const next = text.charCodeAt(at + 1) | 0x20
  if (!(next >= 0x61 && next <= 0x7a) && text.charCodeAt(at + 1) !== 0x2f) return at + 1
  const limit = Math.min(end, at + longestTag)
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3e) return i + 1
    if (code === 0x3c || code === 0x60) return at + 1
    if ((code === 0x22 || code === 0x27) && text.charCodeAt(i - 1) === 0x3d) {
      i = text.indexOf(String.fromCharCode(code), i + 1)
      if (i < 0) return at + 1
    } else if (code === 0x5b && text.charCodeAt(i + 1) === 0x5b) return at + 1
  }
  return at + 1
}

/** Comments of Obsidian (`%% %%`) and MDX, and displayed formulas. */
function afterPair(reading: Reading, leaf: Leaf, at: number, code: number): number {
  const { text } = reading
  const next = text.charCodeAt(at + 1)
  if (code === 0x7b) return next === 0x2f ? after(leaf, '*/}', at + 2) : at + 1
  if (next !== code) return at + 1
  const sign = code === 0x25 ? '%%' : '$$'
  const inside = after(leaf, sign, at + 2)
  if (inside > at + 2 || code === 0x24) return inside
  return afterLongComment(reading, leaf, at)
}

function after(leaf: Leaf, sign: string, from: number): number {
  const close = find(leaf, sign, from)
  return close < 0 ? from : close + sign.length
}

function find(leaf: Leaf, sign: string, from: number): number {
  if (leaf.absent.includes(sign)) return -1
  const found = leaf.text.slice(from, leaf.end).indexOf(sign)
  if (found < 0) leaf.absent.push(sign)
  return found < 0 ? -1 : from + found
}

// A comment over several paragraphs starts with `%%` alone on a line; elsewhere these are just percent signs.
function afterLongComment(reading: Reading, leaf: Leaf, at: number): number {
  const { text } = reading
  const alone = (at === 0 || isBreak(text.charCodeAt(at - 1))) && isBreak(text.charCodeAt(at + 2))
  const close = alone ? text.indexOf('%%', at + 2) : -1
  if (close < 0) return at + 2
  reading.hiddenUntil = close + 2
  return leaf.end
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13
}

// --- Links.

function openBracket(reading: Reading, leaf: Leaf, at: number, picture: boolean): number {
  if (reading.text.charCodeAt(at + 1) === 0x5b) {
    const after = wikiLink(reading, leaf, at, picture)
    if (after > 0) return after
  }
  leaf.openers.push(picture ? -at : at)
  return at + 1
}

const longestWiki = 1000

/** Records a wiki link and returns where it ends; 0 if there is none. */
function wikiLink(reading: Reading, leaf: Leaf, at: number, embed: boolean): number {
  const { text } = reading
  if (leaf.wikiEnd < at + 2) {
    const found = find(leaf, ']]', at + 2)
    leaf.wikiEnd = found < 0 ? Number.POSITIVE_INFINITY : found
  }
  const close = leaf.wikiEnd
  if (close - at > longestWiki || text.lastIndexOf('[[', close - 1) > at) return 0
  const inside = text.slice(at + 2, close)
  const target = wikiTarget(inside)
  if (!target) return 0
  leaf.wikiBelow = leaf.openers.length
  note(reading, embed ? 'embed' : 'wiki', target, embed ? at - 1 : at, close + 2)
  return close + 2
}

function closeBracket(reading: Reading, leaf: Leaf, at: number): number {
  const opener = leaf.openers.pop()
  if (opener === undefined) return at + 1
  const picture = opener < 0
  const open = Math.abs(opener)
  const depth = leaf.openers.length
  const closed = depth < leaf.closedBelow && !picture
  const around = depth < leaf.wikiBelow && !picture
  leaf.closedBelow = Math.min(leaf.closedBelow, depth)
  leaf.wikiBelow = Math.min(leaf.wikiBelow, depth)
  if (closed) return at + 1
  const { text } = reading
  const label = text.slice(open + 1, Math.min(at, open + 1 + longestWiki))
  const next = text.charCodeAt(at + 1)
  const destination = next === 0x28 ? destinationAt(text, at + 2, leaf.end) : null
  if (destination) {
    // If a link contains a wiki link, only the part after the wiki link is recorded, so that their ranges do not
    // overlap.
    const start = around ? at : picture ? open - 1 : open
    forgetWithin(reading, start)
    if (!picture) leaf.closedBelow = depth
    const target = linkTo(destination.target, label, picture)
    if (target) note(reading, 'markdown', target, start, destination.end)
    return destination.end
  }
  if (around) return at + 1
  return afterReference(reading, leaf, open, at, label)
}

// Reference links are recorded once, at their definition: that is the place a rename has to change.
function afterReference(reading: Reading, leaf: Leaf, open: number, at: number, label: string): number {
  const { text, tags } = reading
  const last = tags[tags.length - 1]
  const full = text.charCodeAt(at + 1) === 0x5b && text.charCodeAt(at + 2) !== 0x5b
  if (!full && !(last && last.start > open)) return at + 1
  const close = full ? text.indexOf(']', at + 2) : -1
  const named = close > at + 2 && close < leaf.end && close - at <= longestWiki
  if (!reading.isReference(named ? text.slice(at + 2, close) : label)) return at + 1
  forgetWithin(reading, open)
  return named ? close + 1 : at + 1
}

/** The text of a link belongs to the link: it contains no tags, and links do not overlap. */
function forgetWithin({ links, tags }: Reading, open: number) {
  while (tags.length > 0 && tags[tags.length - 1]!.start > open) tags.pop()
  while (links.length > 0 && links[links.length - 1]!.start > open) links.pop()
}

function note(reading: Reading, kind: Link['kind'], target: Destination, start: number, end: number) {
  if (target.target === '') return
  reading.links.push({ kind, ...target, start, end, line: lineAt(reading.starts, start) })
}

// --- Tags.

const tagName = /(?:[\p{L}\p{M}\p{N}\p{Pc}\p{So}\p{Sk}/-]|\u200c|\u200d|\ufe0f){1,201}/uy
const longestTagName = 200

function tagAt(reading: Reading, leaf: Leaf, at: number): number {
  if (at < leaf.urlEnd || !mayPrecedeTag(reading.text, at, leaf.start)) return at + 1
  tagName.lastIndex = at + 1
  const name = tagName.exec(reading.text)?.[0].replace(/\/+$/, '') ?? ''
  if (/[^\d/]/.test(name) && !name.startsWith('/') && name.length <= longestTagName)
    reading.tags.push({ name, start: at })
  return at + 1 + name.length
}

const beforeTag = new Set([...'(,;>*_~|（，；、。'].map((sign) => sign.charCodeAt(0)))

function mayPrecedeTag(text: string, at: number, start: number): boolean {
  if (at === start) return true
  const before = text.charCodeAt(at - 1)
  return isSpace(before) || beforeTag.has(before)
}

function bareUrl(leaf: Leaf, at: number): number {
  const { text } = leaf
  if (at < leaf.urlEnd || text.charCodeAt(at + 1) !== 0x2f || text.charCodeAt(at + 2) !== 0x2f) return at + 1
  let end = at + 3
  while (end < leaf.end && !isSpace(text.charCodeAt(end)) && text.charCodeAt(end) !== 0x3c) end++
  leaf.urlEnd = end
  return at + 3
}
