/** A page that was written as XML for a reader of HTML, to whom `<a id="x"/>` or `<script/>` would stay open to the end. */
export function xhtmlAsHtml(source: string): string {
  return source.replace(/<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi, (tag, name: string, rest: string) =>
    hollow.test(name) ? tag : `<${name}${rest}></${name}>`,
  )
}

const hollow = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
