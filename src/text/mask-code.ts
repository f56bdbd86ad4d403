// Code without what is only said in it: comments and the insides of strings and of regular expressions become blanks, line
// by line the same length. What a string computes, as in `${eval(x)}`, is code. By the words of the language and not by its
// grammar: one pass, whatever the text.
import { type Look, type Quote, regexLiteral } from './code-look.js'
import { lookOf } from './code-looks.js'

export function maskCode(text: string, language: string | null): string {
  return pages.has(language ?? '') ? maskPage(text) : mask(text, lookOf(language))
}

const pages = new Set(['html', 'vue', 'svelte'])
const partOfPage = /<!--[\s\S]*?(?:-->|$)|(<(script|style)\b[^>]{0,2000}>)([\s\S]*?)(?=<\/\2|$)/gi

/** A page with its comments, and the code in it with its own. */
function maskPage(text: string): string {
  return text.replace(partOfPage, (all: string, tag?: string, name?: string, code = '') => {
    if (tag === undefined) return blank(all)
    return tag + mask(code, lookOf(name!.toLowerCase() === 'script' ? 'typescript' : 'scss'))
  })
}

function mask(text: string, look: Look): string {
  const reading: Reading = { text, look, open: [codePart(null)], lastLines: null }
  let masked = ''
  for (let at = 0; at < text.length; ) {
    const part = reading.open.at(-1)!
    const step = 'quote' in part ? stepInString(reading, at, part) : stepInCode(reading, at, part)
    masked += step.shown
    at = step.end
  }
  return masked
}

interface Reading {
  text: string
  look: Look
  open: Part[]
  /** Where the last line begins that has a word in front. */
  lastLines: Map<string, number> | null
}

/** What is being read, each inside the one before: code, a string in it, code in that. */
type Part = CodePart | { quote: Quote }

interface CodePart {
  /** Of the code in a string: what it is in. */
  within: Quote | null
  /** Brackets that were opened; for round ones, whether a condition stands in them. */
  brackets: boolean[]
  /** What was read last, where it ended, and whether it is a value, so that a slash after it divides. */
  last: string
  end: number
  isValue: boolean
  /** No regular expression begins before: one that did not end was begun on this line. */
  noRegexBefore: number
  /** Strings that begin with the next line. */
  awaited: Quote[]
}

interface Step {
  shown: string
  end: number
}

function codePart(within: Quote | null): CodePart {
  return { within, brackets: [], last: '', end: 0, isValue: false, noRegexBefore: 0, awaited: [] }
}

function stepInCode(reading: Reading, at: number, part: CodePart): Step {
  const { text, open, look } = reading
  const { token: next, groups } = look
  next.lastIndex = at
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const token = found[0]
    const from = found.index
    const end = from + token.length
    if (found[groups.comment] !== undefined) return { shown: text.slice(at, from) + blank(token), end }
    if (found[groups.plain] !== undefined) continue
    if (found[groups.heredoc] !== undefined) {
      part.awaited.push(...heredocAt(reading, token, from))
      continue
    }
    if (found[groups.line] !== undefined) {
      if (part.awaited.length === 0) continue
      for (const quote of part.awaited.splice(0).reverse()) open.push({ quote })
      return { shown: text.slice(at, end), end }
    }
    const literal =
      found[groups.literal] ?? (token === '/' && look.regexes ? regexAt(text, from, part) : null)
    if (literal) {
      const ended = readValue(part, literal, from)
      return { shown: text.slice(at, from) + hollow(literal), end: ended }
    }
    const quote = look.quotes.find((_, i) => found?.[groups.quotes[i]!] !== undefined)
    if (quote?.isComment) {
      open.push({ quote })
      return { shown: text.slice(at, from) + blank(token), end }
    }
    if (quote && !isText(text, token, from, part, look)) {
      open.push({ quote: token === '`' && part.isValue && part.end < from ? onOneLine(quote) : quote })
      readValue(part, token, from)
      return { shown: text.slice(at, end), end }
    }
    if (!readToken(token, from, open, part)) return { shown: text.slice(at, end), end }
  }
  return { shown: text.slice(at), end: text.length }
}

/** The string that such a mark announces, if there is a line that ends it: `1 << n` is none. */
function heredocAt(reading: Reading, mark: string, at: number): Quote[] {
  const { end, quote } = reading.look.heredoc!(mark)
  reading.lastLines ??= new Map(
    [...reading.text.matchAll(/^[ \t]*(\w+)/gm)].map(({ 1: word, index }) => [word!, index]),
  )
  return (reading.lastLines.get(end) ?? -1) > at ? [quote] : []
}

// Nobody writes a template apart from its tag and over several lines; in the text of an element a mark may be alone.
const oneLine = new WeakMap<Quote, Quote>()

function onOneLine(quote: Quote): Quote {
  const known = oneLine.get(quote) ?? {
    ...quote,
    next: new RegExp(`${quote.next.source}|[\\r\\n]`, quote.next.flags),
  }
  oneLine.set(quote, known)
  return known
}

/** In the text of an element, as in `<p>don't</p>`: no string stands right behind a value, but for templates. */
function isText(
  text: string,
  token: string,
  at: number,
  { isValue, last, end }: CodePart,
  look: Look,
): boolean {
  if (!look.regexes || end !== at) return false
  if (token !== '`') return isValue
  // `<p>`</p>` and not `styled.div<Props>`…``.
  markBeforeEnd.lastIndex = at
  return last === '>' && markBeforeEnd.test(text)
}

const markBeforeEnd = /`[^`\n\r]{0,500}<\/[^`\n\r]{0,500}(?![^\n\r])/y

function readValue(part: CodePart, value: string, at: number): number {
  part.last = value
  part.isValue = true
  part.end = at + value.length
  return part.end
}

/** Whether the code goes on after it. */
function readToken(token: string, at: number, open: Part[], part: CodePart): boolean {
  const { within, brackets, last } = part
  if (within?.hole && brackets.length === 0) {
    if (token === within.hole.closes) {
      open.pop()
      return false
    }
    if (token === ':' && within.format) {
      open.splice(-1, 1, { quote: within.format })
      return false
    }
  }
  let wasCondition = false
  if (token === '(' || token === '[' || token === '{') brackets.push(token === '(' && conditions.has(last))
  else if (token === ')' || token === ']' || token === '}') wasCondition = brackets.pop() === true
  part.isValue = isValueAfter(token, at, part) && !wasCondition
  part.last = last === '.' ? `.${token}` : token
  part.end = at + token.length
  return true
}

function isValueAfter(token: string, at: number, { last, end, isValue }: CodePart): boolean {
  if (/^[\w$\u0080-\uffff]/.test(token)) return last === '.' || !operatorWords.has(token)
  // `x! / y` asserts, `!/x/` denies.
  if (token === '!') return isValue && end === at
  return valueEnds.has(token)
}

const valueEnds = new Set([')', ']', '}', '++', '--'])
const conditions = new Set(['if', 'while', 'for', 'with'])
const operatorWords = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await default extends'.split(' '),
)

/** The regular expression that begins at a slash; null where the slash divides, or ends an element of JSX. */
function regexAt(text: string, at: number, part: CodePart): string | null {
  const ofJsx = (part.last === '<' && part.end === at) || (part.last === '}' && text[at + 1] === '>')
  // On a line of its own after a block: nobody divides one.
  const afterBlock = part.last === '}' && /[\r\n]/.test(text.slice(part.end, at))
  if (ofJsx || at < part.noRegexBefore || (part.isValue && !afterBlock)) return null
  regexLiteral.lastIndex = at
  const found = regexLiteral.exec(text)?.[0]
  if (found) return found
  lineEnd.lastIndex = at
  part.noRegexBefore = lineEnd.exec(text)?.index ?? text.length
  return null
}

const lineEnd = /[\r\n]/g

function stepInString({ text, open }: Reading, at: number, { quote }: { quote: Quote }): Step {
  quote.next.lastIndex = at
  const found = quote.next.exec(text)
  if (!found) return { shown: blank(text.slice(at)), end: text.length }
  const [token, escaped, hole, closing] = found
  const before = blank(text.slice(at, found.index))
  const end = found.index + token.length
  if (escaped !== undefined) return { shown: before + blank(token), end }
  if (quote.isComment) {
    if (hole !== undefined) open.push({ quote })
    else open.pop()
    return { shown: before + blank(token), end }
  }
  if (hole !== undefined) open.push(codePart(quote))
  else open.pop()
  // The end of the line ends a string that should have ended before, and is none of its own.
  return hole !== undefined || closing !== undefined
    ? { shown: before + token, end }
    : { shown: before, end: found.index }
}

/** Marks stay, so that `f("x")` still looks like a call with one argument. */
function hollow(literal: string): string {
  if (!/^['/]/.test(literal)) {
    const [, opens, inside] = /^([^'"([{<|!]*.)([\s\S]*)[\s\S]$/.exec(literal)!
    return opens + blank(inside!) + literal.at(-1)
  }
  const last = literal.lastIndexOf(literal[0]!)
  return literal[0] + blank(literal.slice(1, last)) + literal.slice(last)
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}
