import { escaped } from './html-tree.js'

/** A page that was written as XML for a reader of HTML, to whom `<a id="x"/>` or `<script/>` would stay open to the end. */
export function xhtmlAsHtml(source: string): string {
  return withoutSections(source).replace(
    /<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi,
    (tag, name: string, rest: string) => (hollow.test(name) ? tag : `<${name}${rest}></${name}>`),
  )
}

const hollow = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i

/** In XML, what stands in `<![CDATA[…]]>` is text; to a reader of HTML it is a comment that ends with the first bracket. */
function withoutSections(source: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = source.indexOf(opening); at >= 0; at = source.indexOf(opening, from)) {
    const end = source.indexOf(']]>', at)
    if (end < 0) break
    parts.push(source.slice(from, at), escaped(source.slice(at + opening.length, end)))
    from = end + ']]>'.length
  }
  return from === 0 ? source : parts.join('') + source.slice(from)
}

const opening = '<![CDATA['
