// What lines a text has, and whether it is meant to be read or to be run.

const prose = /(^|\/)[^./]+$|\.(md|mdx|markdown|txt|rst|adoc|org|html?|pdf|docx|pptx|xlsx|epub|ipynb)$/i

/** @param {string} path */
export function isProse(path) {
  return prose.test(path)
}

/** A line break at the end opens no other line. @param {string} text */
export function linesOf(text) {
  return text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/)
}

/** @param {string} text */
export function endsLine(text) {
  return /[\r\n]$/.test(text)
}
