// A path as any file system might take it: two names that some system holds for one must fall under one rule.

/** With one form of every letter: `．ＥＮＶ`, `.e\u200bnv` and `.ENV` are `.env`. */
export function foldedName(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(unseen, '')
  // Up and down again: `ı` and `ſ` have capitals of plain letters, and `İ` leaves a dot behind.
  return plain.toUpperCase().toLowerCase().replaceAll('\u0307', '')
}

// What HFS+ passes over in names, and what else is not seen: git refuses `.g\u200cit` for the same reason.
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/** A stream of a file (`.env::$DATA`) is the file. */
export function withoutStreams(path: string): string {
  return path.includes(':') ? path.replace(/:[^/\\]*/g, '') : path
}

/** Folded, with `/` between names, without streams and without the blanks and dots around a name that Windows drops. */
export function plainPath(path: string): string {
  return foldedName(withoutStreams(path)).replaceAll('\\', '/').split('/').map(trimmed).join('/')
}

function trimmed(name: string): string {
  return /^\s|[.\s]$/.test(name) ? name.trimStart().replace(/(?<![.\s])[.\s]+$/, '') : name
}

/** Whether a path differs from its plain form by more than the case of ASCII letters. */
export function isOddPath(path: string): boolean {
  return odd.test(path)
}

const odd = /[^\x20-\x7e]|[:\\]|(?:^|\/)\s|[.\s](?:\/|$)/
