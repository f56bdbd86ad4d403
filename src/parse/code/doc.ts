import { wholeCharacters } from '../../text/truncate.js'
import { firstFrom, type Range } from './spans.js'

/** What the comments directly above a declaration, or the string in its body, say first; empty without any. */
export function docOf(text: string, docs: readonly Range[], above: Range, docstring: Range | null): string {
  if (docstring) return firstSentence(text.slice(docstring.start, docstring.end).replace(quotes, ''))
  if (above.start >= above.end) return ''
  const comments = docs
    .slice(firstFrom(docs, above.start), firstFrom(docs, above.end))
    .map(({ start, end }) => text.slice(start, Math.min(end, start + longestRead)))
  return firstSentence(comments.filter((one) => isComment.test(one)).join('\n'))
}

const longestRead = 2_000
const longest = 200
const quotes = /^[a-z]*(?:"""|'''|["'])|(?:"""|'''|["'])$/gi
// An attribute begins with `#[`, a decorator with `@`.
const isComment = /^\s*(?:\/\*|\/\/|#(?!\[)|--)/
const marks = /^[ \t]*(?:\/\*+!?|\*+\/|\*+|\/{2,}!?|#+|--+)[ \t]?|\*+\/[ \t]*$/gm

function firstSentence(comment: string): string {
  const plain = comment
    .replace(marks, '')
    .replace(/<\/?[a-z][^>\n]{0,200}>/gi, ' ')
    .replace(/(?:^|\s)@[a-z]+\b[\s\S]*$|(?:^|\n)[^\S\n]*:\w[^\n]*:[\s\S]*$/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  // What follows `e.g.` begins small.
  const end = /。|[.!?](?=\s+[^\p{Ll}]|$)/u.exec(plain)
  const sentence = end ? plain.slice(0, end.index + 1) : plain
  return sentence.length > longest ? `${wholeCharacters(sentence, longest - 1)}…` : sentence
}
