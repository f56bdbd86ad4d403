// Text on the page: its lines, whether it is prose or code, and the words of a question marked in it.
import { element } from './elements.js'

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

// Splits words as identifiers are split: quietHours, QUIET_HOURS and "quiet hours" have the same two.
const word = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{L}/gu
const link = /https?:\/\/[^\s<>"'`\\^{|}]{1,2000}/gi
const small = new Set(
  'a an and are as at be by can did do does for from has have how i in is it its not of on or that the this to was we were what when where which who why will with you'.split(
    ' ',
  ),
)

/** @param {string} question */
export function wordsOf(question) {
  const all = question.match(word) ?? []
  const significant = all.filter((one) => !small.has(one.toLowerCase()))
  return new Set((significant.length > 0 ? significant : all).map(stem))
}

/** @param {string} text @param {Set<string>} words */
export function marked(text, words) {
  return pieces(text, word, (found) => words.has(stem(found)) && element('mark', {}, found))
}

/** Addresses of the web become links that a person may follow. @param {string} text @param {Set<string>} words */
export function linked(text, words) {
  return pieces(text, link, (found) => {
    const href = found.replace(/[.,;:!?)\]*_]+$/, '')
    const made = element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href)
    return URL.canParse(href) && element('span', {}, made, found.slice(href.length))
  }).flatMap((piece) => (typeof piece === 'string' ? marked(piece, words) : [piece]))
}

/** @param {string} text @param {Set<string>} words */
export function hasWord(text, words) {
  return text.match(word)?.some((one) => words.has(stem(one)))
}

/** @param {string} text @param {RegExp} pattern @param {(found: string) => HTMLElement | false} make */
function pieces(text, pattern, make) {
  /** @type {(string | HTMLElement)[]} */
  const all = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const made = make(found)
    if (!made) continue
    all.push(text.slice(end, index), made)
    end = index + found.length
  }
  return [...all, text.slice(end)]
}

/** @param {string} one */
function stem(one) {
  const low = one.toLowerCase()
  return low.length < 4 ? low : low.replace(/(?:ing|ies|ied|ed|es|(?<!s)s)$/, '').replace(/[ey]$/, '')
}
