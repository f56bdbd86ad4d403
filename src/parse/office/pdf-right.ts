// Pages in Hebrew and Arabic. The fast engine gives their words as they are seen, from the left, and of some fonts the
// letters, too; the forgiving one says where everything stands. From the fast one stays what is a heading.
import { readAgain } from './pdf-fallback.js'
import { plainPages } from './pdf-lines.js'
import { lettersFromRight } from './pdf-order.js'
import type { PdfPages } from './pdf-pages.js'

/** The same with the pages that are read from the right in their order. */
export async function inReadingOrder(found: PdfPages, file: Buffer): Promise<PdfPages> {
  const numbers = found.pages.flatMap((page, i) => (isFromRight(page) ? [i + 1] : []))
  if (numbers.length === 0) return found
  const again = await readAgain(file, numbers)
  const pages = [...found.pages]
  const known = numbers.filter((number) => again.has(number))
  const headings = known.map((number) => headingsOf(pages[number - 1]!))
  const texts = plainPages(known.map((number, i) => headingsApart(again.get(number)!, headings[i]!)))
  for (const [i, number] of known.entries()) {
    const text = withHeadings(texts[i]!, headings[i]!)
    if (isWhole(text, pages[number - 1]!)) pages[number - 1] = text
  }
  const unordered = numbers.filter((number) => pages[number - 1] === found.pages[number - 1])
  return { ...found, pages, unordered }
}

const share = 0.3

function isFromRight(page: string): boolean {
  const letters = lettersFromRight(page)
  return letters > 0 && letters > share * (page.match(/\p{L}/gu)?.length ?? 0)
}

/** About as much as there was, and no word begins with the letter that it should end with. */
function isWhole(text: string, before: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const isTurned = count(/(?<!\p{L})[ךםןףץةى](?=\p{L})/gu) > count(/(?<=\p{L}\p{M}*)[ךםןףץةى](?!\p{L})/gu)
  return !isTurned && lettersFromRight(text) > 0.8 * lettersFromRight(before)
}

/** Levels by what the headings are made of, whatever its order. */
type Headings = ReadonlyMap<string, number>

function headingsOf(markdown: string): Headings {
  const found = markdown.matchAll(/^(#{1,6}) (.*)$/gm)
  return new Map([...found].map(([, marks, text]) => [madeOf(text!), marks!.length]))
}

function madeOf(text: string): string {
  return (text.normalize('NFKC').match(/[\p{L}\p{N}]/gu) ?? []).sort().join('')
}

const mostLines = 4

/** Each heading on one line, with blank lines around. */
function headingsApart(lines: readonly string[], headings: Headings): string[] {
  const found: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const rest = lines.slice(i, i + mostLines).filter((line) => line !== '')
    const count = rest.findIndex((_, n) => headings.has(madeOf(rest.slice(0, n + 1).join('')))) + 1
    if (count === 0 || lines[i] === '') found.push(lines[i]!)
    else found.push('', rest.slice(0, count).join(' '), '')
    if (count > 0 && lines[i] !== '') i = lines.indexOf(rest[count - 1]!, i)
  }
  return found
}

function withHeadings(text: string, headings: Headings): string {
  return text
    .split('\n\n')
    .map((block) => {
      const level = headings.get(madeOf(block))
      return level ? `${'#'.repeat(level)} ${block}` : block
    })
    .join('\n\n')
}
