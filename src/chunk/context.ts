import type { Declaration } from '../model/document.js'
import { truncate } from '../text/truncate.js'

const longestPart = 120

/** Title and headings on one line. The title is left out when the first heading repeats it. */
export function contextLine(title: string, headings: readonly string[]): string {
  const repeats = headings.length > 0 && headings[0]!.toLowerCase() === title.toLowerCase()
  let line = part(title)
  for (let i = repeats ? 1 : 0; i < headings.length; i++) {
    if (headings[i] !== '') line += line === '' ? part(headings[i]!) : ` › ${part(headings[i]!)}`
  }
  return line
}

function part(text: string): string {
  return truncate(text, longestPart, '…')
}

/**
 * What a chunk of code is about, for the model: the names in words with the first sentence of their comments, the path in
 * words, and the head of the main declaration. A question has words and hardly ever a name. The model reads 256 tokens, and
 * the beginning counts most: evals/code.ts has the figures.
 */
export function codeContext(path: string, declarations: readonly Declaration[]): string {
  const [main] = declarations
  if (!main) return path
  const named = declarations.slice(0, mostNamed).map(({ scope, name, doc }) => {
    const words = inWords([...scope, name].join(' '))
    return doc ? `${words}: ${doc}` : `${words}.`
  })
  return `${[...named, inWords(path.replace(/\.\w+$/, ''))].join(' ')}\n${main.signature}`
}

const mostNamed = 9

/** `parseHTTPHeader` is "parse http header". */
function inWords(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** The text that is embedded for a chunk: the context line, then the chunk's text. */
export function meaningOf(context: string, text: string): string {
  return `${context}\n${text}`
}
