// How comments and strings of a language are described, and read.

export interface Look {
  /** What is next in code. */
  token: RegExp
  /** Which groups of it are what. */
  groups: {
    comment: number
    /** A string or character in one piece. */
    literal: number
    /** What is code though it looks like the beginning of something else. */
    plain: number
    heredoc: number
    line: number
    quotes: number[]
  }
  quotes: Quote[]
  /** Whether the language has regular expressions between slashes. */
  regexes: boolean
  /** The string whose beginning is told by such a mark and that begins with the next line. */
  heredoc: ((mark: string) => { end: string; quote: Quote }) | null
}

export interface Quote {
  opens: string
  /** What is next in such a string. Its groups are what only looks like an end, the beginning of code, and the end. */
  next: RegExp
  /** Code in the string. */
  hole: Hole | null
  /** What follows a colon at the end of such code: text again, up to the end of the code. */
  format: Quote | null
  /** A comment that may have others like itself in it. */
  isComment: boolean
}

export interface Hole {
  opens: string
  closes: string
}

export interface QuoteLook {
  opens: string
  closes: string
  /** What does not end the string though it looks like it. */
  unended?: string
  hole?: Hole | null
  /** A string that only ends with its mark; others end with the line at the latest. */
  lines?: boolean
  format?: Quote | null
}

const backslash = String.raw`\\(?:\r\n|[\s\S])`
export const never = '(?!)'

export function quote({
  opens,
  closes,
  unended,
  hole = null,
  lines = false,
  format = null,
}: QuoteLook): Quote {
  const ends = lines ? '' : String.raw`|[\r\n]`
  const next = new RegExp(`(${unended ?? backslash})|(${hole?.opens ?? never})|(${closes})${ends}`, 'g')
  return { opens, next, hole, format, isComment: false }
}

export function nested(opens: string, closes: string): Quote {
  const next = new RegExp(`(${never})|(${opens})|(${closes})`, 'g')
  return { opens, next, hole: null, format: null, isComment: true }
}

export function marks(written: readonly string[], more: Omit<QuoteLook, 'opens' | 'closes'> = {}): Quote[] {
  return written.map((mark) => quote({ opens: mark, closes: mark, ...more }))
}

interface HeredocLook {
  opens: string
  hole: Hole | null
}

export function heredocs(opens: string, { hole }: Pick<HeredocLook, 'hole'>): HeredocLook {
  return { opens, hole }
}

interface MoreLook {
  literal?: string
  plain?: string
  heredoc?: HeredocLook | null
  regexes?: boolean
}

export function look(
  comment: string,
  quotes: Quote[],
  { literal = never, plain = never, heredoc = null, regexes = false }: MoreLook = {},
): Look {
  const pieces = [comment || never, literal, plain, heredoc?.opens ?? never, heredoc ? '\\n' : never]
  const opened = quotes.map(({ opens }) => opens)
  const groups: number[] = []
  let next = 1
  for (const [i, piece] of [...pieces, ...opened].entries()) {
    groups[i] = next
    next += new RegExp(`${piece}|`).exec('')!.length
  }
  // What a slash means is told by all that stands before it; where code in a string ends, by brackets alone.
  const rest = regexes ? String.raw`\d[\w.]*|[\w$\u0080-\uffff]+|\+\+|--|[^\s\w]` : '[()[\\]{}:]'
  const token = new RegExp(
    [...pieces, ...opened]
      .map((piece) => `(${piece})`)
      .concat(rest)
      .join('|'),
    'g',
  )
  const [ofComment, ofLiteral, ofPlain, ofHeredoc, ofLine, ...ofQuotes] = groups as [
    number,
    number,
    number,
    number,
    number,
    ...number[],
  ]
  return {
    token,
    groups: {
      comment: ofComment,
      literal: ofLiteral,
      plain: ofPlain,
      heredoc: ofHeredoc,
      line: ofLine,
      quotes: ofQuotes,
    },
    quotes,
    regexes,
    heredoc: heredoc && ((mark) => heredocOf(mark, heredoc.hole)),
  }
}

/** In simple marks or behind a backslash its end is named without a place for code. */
function heredocOf(mark: string, hole: Hole | null): { end: string; quote: Quote } {
  const end = /\w+/.exec(mark)![0]
  const within = /['\\]/.test(mark) ? never : (hole?.opens ?? never)
  const next = new RegExp(`(\\\\[^\\n\\r])|(${within})|(^[ \\t]*${end}\\b)`, 'gm')
  return { end, quote: { opens: mark, next, hole, format: null, isComment: false } }
}

/** Between slashes on one line, where a slash in brackets is none. */
export const regexLiteral = /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[a-z]*/y
