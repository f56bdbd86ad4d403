// The driver ends a string at its first NUL. A rare sign stands for it in the database.
const stand = '\u{10ffff}'

/** A string as it is kept in the database. */
export function toDatabase(text: string): string {
  if (!text.includes('\0') && !text.includes(stand)) return text
  return text.replaceAll(stand, `${stand}1`).replaceAll('\0', `${stand}0`)
}

/** A string that may have had NUL in it, as it was. */
export function fromDatabase(text: string): string {
  return text.includes(stand) ? text.replaceAll(`${stand}0`, '\0').replaceAll(`${stand}1`, stand) : text
}
