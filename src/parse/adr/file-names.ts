// What the name of a record's file says: its number, its words, and whether it begins with a date.

/** The name without its ending. A record may be a folder: `0005-use-redis/README.md` has the folder's name. */
export function stemOf(path: string): string {
  const file = fileStem(path)
  const folder = path.split(/[\\/]/).filter(Boolean).at(-2) ?? ''
  return isIndexName(file) && folder !== '' && !isCollection.test(folder) ? folder : file
}

/** The file's own name without its ending. */
export function fileStem(path: string): string {
  const file = path.split(/[\\/]/).filter(Boolean).pop() ?? path
  return file.replace(/(?<=.)\.(?:md|mdx|markdown|txt|adoc)$/i, '')
}

export function isIndexName(stem: string): boolean {
  return /^(?:readme|_?index)$/i.test(stem)
}

// "2024" and "01" hold several as well.
const isCollection =
  /^(?:\.{1,2}|\d+|m?adrs?|records?|decisions?|docs?|documentation|architecture|design|src|(?:architectur\w*[-_ ]?)?decision[-_ ]?\w*|architecture[-_ ]\w+|locales?|examples?|templates?)$/i

const day = /^(?:[a-z]{1,6}[-_ ])?(\d{4}(-?)\d{2}\2\d{2})(?!\d)/i
const month = /^((?:19|20)\d{2}-(?:0[1-9]|1[0-2]))(?=[-_ ]\p{L})/u

export function isDated(stem: string): boolean {
  return leadingDate(stem) !== null
}

function leadingDate(stem: string): RegExpExecArray | null {
  return day.exec(stem) ?? month.exec(stem)
}

export interface Coded {
  /** As written. */
  digits: string
  /** What follows the number. */
  rest: string
}

/**
 * The number that a name begins with, behind the marks of a house or a date: `0007-x`, `adr7-x`, `ACME-ADR-Web-007-x`,
 * `DEC-007-x`, `2024-03-18_007-x`.
 */
export function codeOf(stem: string): Coded | null {
  const date = leadingDate(stem)?.[0] ?? ''
  const found = (date ? behindDate : forms).map((form) => form.exec(stem.slice(date.length))).find(Boolean)
  return found ? { digits: found[1]!, rest: trimmed(stem.slice(date.length + found[0].length)) } : null
}

const forms = [
  /^(?:[a-z]{0,4}adr[-_ ]?)?(\d{1,5})(?=[-_. ]|$)/i,
  /^(?:[a-z][a-z0-9]{0,11}[-_ ]){0,3}[a-z]{0,4}adr[-_ ]?(?:[a-z][a-z0-9]{0,14}[-_ ])?(\d{3,5})(?=[-_. ]|$)/i,
  /^(?:[aptedm]?dr|dec)[-_ ](\d{3,5})(?=[-_. ]|$)/i,
  // "use-2-stores" has no number; "DEC-12" and "log-012" have.
  /^(?:[A-Z][A-Z0-9]{0,5}[-_ ](?=\d{2})|[a-z]{1,6}[-_ ](?=0\d{2}))(\d{2,5})(?=[-_. ]|$)/,
]
const behindDate = [/^_(\d{3,4})(?=[-_. ]|$)/, /^[-_](0\d{1,4})(?=[-_. ]|$)/]

/** By a number or a date. */
export function isNumbered(stem: string): boolean {
  return codeOf(stem) !== null || isDated(stem)
}

/** A name without its date and its number. */
export function wordsOf(stem: string): string {
  return codeOf(stem)?.rest || trimmed(stem.slice(leadingDate(stem)?.[0].length ?? 0)) || stem
}

function trimmed(rest: string): string {
  return rest.replace(/^[-_. ]+/, '')
}
