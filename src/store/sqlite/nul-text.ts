// The driver ends a string at its first NUL, so the database stores a rare character instead.
const stand = '\u{10ffff}'

/** A string as the database stores it. */
export function toDatabase(text: string): string {
  if (!text.includes('\0') && !text.includes(stand)) return text
  return text.replaceAll(stand, `${stand}1`).replaceAll('\0', `${stand}0`)
}

/** The original string, with its NULs. */
export function fromDatabase(text: string): string {
  return text.includes(stand) ? text.replaceAll(`${stand}0`, '\0').replaceAll(`${stand}1`, stand) : text
}
