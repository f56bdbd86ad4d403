// The first pass over an untrusted page: drops scripts and comments, closes open elements, and flattens excessive
// nesting. The tree builder's time grows with the square of the depth (200,000 open tags: 25 s), and a recursive walk of
// the tree would overflow the stack.

const deepest = 200

/** The page without scripts, styles and comments, every element closed, none deeper than a limit. In one pass. */
export function shallow(html: string): string {
  const parts: string[] = []
  const open: string[] = []
  const close = () => parts.push(`</${open.pop()}>`)
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const tag = tagAt(html, at)
    if (tag.kind !== 'none') {
      parts.push(html.slice(from, at))
      from = tag.end
    }
    if (tag.kind === 'open') {
      while (open.length > 0 && endsBefore(open[open.length - 1]!, tag.name)) close()
      if (open.length < deepest) parts.push(html.slice(at, tag.end))
      if (open.length < deepest && !hollow.has(tag.name)) open.push(tag.name)
    } else if (tag.kind === 'close') {
      const index = open.lastIndexOf(tag.name)
      while (index >= 0 && open.length > index) close()
    }
    at = tag.end
  }
  parts.push(html.slice(from))
  while (open.length > 0) close()
  return parts.join('')
}

interface Tag {
  kind: 'open' | 'close' | 'unread' | 'none'
  name: string
  end: number
}

function tagAt(html: string, at: number): Tag {
  const unread = (end: number): Tag => ({ kind: 'unread', name: '', end })
  if (html.startsWith('<!--', at)) return unread(after(html, '-->', at + 2))
  const sign = html[at + 1]
  if (sign === '!' || sign === '?') return unread(after(html, '>', at + 2))
  tagName.lastIndex = at + 1
  const [written, name] = tagName.exec(html) ?? []
  if (written === undefined) return { kind: 'none', name: '', end: at + 1 }
  const end = tagEnd(html, at + 1 + written.length)
  const lower = name!.toLowerCase()
  if (sign === '/') return { kind: 'close', name: lower, end }
  if (lower === 'a' && !leads.test(html.slice(at, end))) return unread(end)
  if (lower === 'script' || lower === 'style') return unread(elementEnd(html, lower, end))
  return { kind: 'open', name: lower, end }
}

// An anchor that only marks a place has no content, and is often left open: `<a name="x"/>`.
const leads = /\s(?:href|class|hidden|role)\b/i

const tagName = /\/?([a-z][^\s/>]{0,30})/iy

function tagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === 0x3e) return at + 1
    if ((code === 0x22 || code === 0x27) && html[at - 1] === '=') at = after(html, html[at]!, at + 1) - 1
  }
  return html.length
}

function elementEnd(html: string, name: 'script' | 'style', from: number): number {
  const close = name === 'script' ? /<\/script[^>]*>/gi : /<\/style[^>]*>/gi
  close.lastIndex = from
  return close.exec(html) ? close.lastIndex : html.length
}

function after(html: string, sign: string, from: number): number {
  const found = html.indexOf(sign, from)
  return found < 0 ? html.length : found + sign.length
}

const hollow = words('br hr img input meta link area base col embed source track wbr param')

/** Whether the start of another element implies the end of the open one. */
function endsBefore(open: string, next: string): boolean {
  return open === 'p' ? blocks.has(next) : (siblings[open]?.has(next) ?? false)
}

const blocks =
  words(`address article aside blockquote details div dl dt dd fieldset figure footer form h1 h2 h3 h4 h5 h6
  header hr li main nav ol p pre section table td th tr ul`)
const cell = words('td th tr thead tbody tfoot')
const siblings: Readonly<Record<string, Set<string>>> = {
  a: words('a'),
  li: words('li'),
  td: cell,
  th: cell,
  tr: words('tr thead tbody tfoot'),
  thead: words('tbody tfoot thead'),
  tbody: words('tbody tfoot thead'),
  dt: words('dt dd'),
  dd: words('dt dd'),
  option: words('option optgroup'),
  optgroup: words('optgroup'),
  rt: words('rt rp'),
  rp: words('rt rp'),
  head: words('body'),
}

function words(text: string): Set<string> {
  return new Set(text.split(/\s+/))
}
