// Code without what is only said in it: comments and the insides of strings and of regular expressions become blanks, line
// by line the same length. What a string computes, as in `${eval(x)}`, is code. By the words of the language and not by its
// grammar: one pass, whatever the text.
import { type Look, lookOf, type Quote, regexLiteral } from './code-looks.js'

export function maskCode(text: string, language: string | null): string {
  const look = lookOf(language)
  const open: Part[] = [codePart(null)]
  let masked = ''
  for (let at = 0; at < text.length; ) {
    const part = open.at(-1)!
    const step = 'quote' in part ? stepInString(text, at, open, part) : stepInCode(text, at, open, part, look)
    masked += step.shown
    at = step.end
  }
  return masked
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
}

interface Step {
  shown: string
  end: number
}

function codePart(within: Quote | null): CodePart {
  return { within, brackets: [], last: '', end: 0, isValue: false, noRegexBefore: 0 }
}

function stepInCode(text: string, at: number, open: Part[], part: CodePart, look: Look): Step {
  const { token: next } = look
  next.lastIndex = at
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const [token, comment, character] = found
    const from = found.index
    if (comment !== undefined) return { shown: text.slice(at, from) + blank(token), end: from + token.length }
    const literal = character ?? (token === '/' && look.regexes ? regexAt(text, from, part) : null)
    if (literal) {
      const end = readValue(part, literal, from)
      return { shown: text.slice(at, from) + hollow(literal), end }
    }
    const quote = look.quotes.find((_, i) => found?.[i + 3] !== undefined)
    if (quote && !isApostrophe(token, from, part, look)) {
      open.push({ quote })
      const end = readValue(part, token, from)
      return { shown: text.slice(at, end), end }
    }
    if (!readToken(token, from, open, part)) {
      const end = from + token.length
      return { shown: text.slice(at, end), end }
    }
  }
  return { shown: text.slice(at), end: text.length }
}

/** In the text of an element, as in `<p>don't</p>`: no string stands right behind a value, but for templates. */
function isApostrophe(token: string, at: number, { isValue, end }: CodePart, look: Look): boolean {
  return look.regexes && token !== '`' && isValue && end === at
}

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

function stepInString(text: string, at: number, open: Part[], { quote }: { quote: Quote }): Step {
  quote.next.lastIndex = at
  const found = quote.next.exec(text)
  if (!found) return { shown: blank(text.slice(at)), end: text.length }
  const [token, escaped, hole, closing] = found
  const before = blank(text.slice(at, found.index))
  const end = found.index + token.length
  if (escaped !== undefined) return { shown: before + blank(token), end }
  if (hole !== undefined) open.push(codePart(quote))
  else open.pop()
  // The end of the line ends a string that should have ended before, and is none of its own.
  return hole !== undefined || closing !== undefined
    ? { shown: before + token, end }
    : { shown: before, end: found.index }
}

/** Marks stay, so that `f("x")` still looks like a call with one argument. */
function hollow(literal: string): string {
  const last = literal.lastIndexOf(literal[0]!)
  return literal[0] + blank(literal.slice(1, last)) + literal.slice(last)
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ')
}
