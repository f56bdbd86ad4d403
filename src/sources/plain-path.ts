// The plain form of a path: if any file system treats two names as the same file, they have the same plain form.

/** Folds every letter to one form: `．ＥＮＶ`, `.e\u200bnv` and `.ENV` are `.env`. */
export function foldedName(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKC').replace(unseen, '')
  // To upper case and back: `ı` and `ſ` have plain capitals, and `İ` leaves a combining dot.
  return plain.toUpperCase().toLowerCase().replaceAll('\u0307', '')
}

// Characters that HFS+ ignores in names, and other invisible ones: git refuses `.g\u200cit` for the same reason.
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/** A stream of a file (`.env::$DATA`) counts as the file. */
function withoutStreams(path: string): string {
  return path.includes(':') ? path.replace(/:[^/\\]*/g, '') : path
}

/** Folded, with `/` as separator, without streams and without the blanks and dots around names that Windows drops. */
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
