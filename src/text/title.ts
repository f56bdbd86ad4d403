/** A file name made readable: `guide/retry-budget.md` is "Retry budget". Dates and names with spaces stay as they are. */
export function titleFromPath(path: string): string {
  const segments = path.split(/[\\/]/).filter(Boolean)
  const file = segments.pop() ?? path
  const name = withoutEnding(file)
  if (name.toLowerCase() === 'index' && segments.length > 0) return readable(segments.pop()!)
  return readable(name)
}

function withoutEnding(file: string): string {
  return file.replace(/(?<=.)\.\p{L}[\p{L}\p{N}]{0,9}$/u, '') || file
}

function readable(name: string): string {
  if (/\s/.test(name)) return name.trim()
  const words = name
    .replace(/_+|-+/g, (dashes, at: number) => (betweenDigits(name, at, dashes.length) ? dashes : ' '))
    .trim()
  if (words === '') return name
  const first = String.fromCodePoint(words.codePointAt(0)!)
  return first.toUpperCase() + words.slice(first.length)
}

function betweenDigits(name: string, at: number, length: number): boolean {
  return /\d/.test(name[at - 1] ?? '') && /\d/.test(name[at + length] ?? '')
}
