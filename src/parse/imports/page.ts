// Scripts inside of pages of components: Vue, Svelte and Astro.

/** The text with everything but its scripts blank, so that what they import stands where it stood. */
export function scriptsOf(text: string): string {
  let shown = ''
  for (const [from, to] of spansOf(text))
    shown += blank(text.slice(shown.length, from)) + text.slice(from, to)
  return shown + blank(text.slice(shown.length))
}

/** Whether some of them have elements in their code. */
export function hasElements(text: string): boolean {
  return /<script\s[^>]{0,500}\blang=["']?[jt]sx\b/i.test(text)
}

function* spansOf(text: string): Generator<[from: number, to: number]> {
  let at = 0
  const [fence] = /^\s*---[ \t]*\r?\n/.exec(text) ?? []
  if (fence !== undefined) {
    const end = text.indexOf('\n---', fence.length - 1)
    at = end < 0 ? text.length : end + 1
    yield [fence.length, at]
  }
  for (;;) {
    mark.lastIndex = at
    const found = mark.exec(text)
    if (!found) return
    if (found[0] === '<!--') {
      at = after(text, '-->', found.index)
      continue
    }
    const from = tagEnd(text, found.index)
    endMark.lastIndex = from
    at = endMark.exec(text)?.index ?? text.length
    yield [from, at]
  }
}

const mark = /<!--|<script(?=[\s>])/gi
const endMark = /<\/script\b/gi

function after(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at < 0 ? text.length : at + sign.length
}

/** Behind the tag that begins there: a `>` between quotes is none of its own. */
function tagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return text.length
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ')
}
