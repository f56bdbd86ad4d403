// What the name of a record's file says: its number, its date and its words.

/** Without its ending. A record may have a folder of its own: `0005-use-redis/README.md` goes by the folder's name. */
export function stemOf(path: string): string {
  const segments = path.split(/[\\/]/).filter(Boolean)
  const file = fileStem(path)
  const folder = segments[segments.length - 2] ?? ''
  return isIndexName(file) && folder !== '' && !isCollection.test(folder) ? folder : file
}

/** The file's own name without its ending. */
export function fileStem(path: string): string {
  const file = path.split(/[\\/]/).filter(Boolean).pop() ?? path
  return file.replace(/(?<=.)\.(?:md|mdx|markdown|txt|adoc)$/i, '')
}

export function isIndexName(stem: string): boolean {
  return /^(?:readme|index|_index)$/i.test(stem)
}

const isCollection =
  /^(?:\.{1,2}|m?adrs?|records?|decisions?|docs?|documentation|architecture|design|src|(?:architectur\w*[-_ ]?)?decision[-_ ]?\w*|architecture[-_ ]\w+|locales?|examples?|templates?)$/i

export function isDated(stem: string): boolean {
  return /^(?:[a-z]{1,6}[-_ ])?\d{4}-?\d{2}-?\d{2}(?!\d)/i.test(stem)
}

export interface Coded {
  /** As written. */
  digits: string
  /** What follows the number. */
  rest: string
}

/** The number that a name begins with, behind the marks of a house: `0007-x`, `adr7-x`, `ACME-ADR-Web-007-x`, `DEC-007-x`. */
export function codeOf(stem: string): Coded | null {
  if (isDated(stem)) return null
  const found = forms.map((form) => form.exec(stem)).find(Boolean)
  return found ? { digits: found[1]!, rest: stem.slice(found[0].length).replace(/^[-_. ]+/, '') } : null
}

const forms = [
  /^(?:[a-z]{0,4}adr[-_ ]?)?(\d{1,5})(?=[-_. ]|$)/i,
  /^(?:[a-z][a-z0-9]{0,9}[-_ ]){0,3}[a-z]{0,4}adr[-_ ]?(?:[a-z][a-z0-9]{0,14}[-_ ])?(\d{3,5})(?=[-_. ]|$)/i,
  // "use-2-stores" has no number; "DEC-12" and "dec-012" have.
  /^(?:[A-Z][A-Z0-9]{0,5}[-_ ](?=\d{2})|[a-z]{1,6}[-_ ](?=0\d{2}))(\d{2,5})(?=[-_. ]|$)/,
]
