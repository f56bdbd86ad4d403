/** A text without signs that do something instead of showing: controls, marks that turn the direction, halves of pairs, tags. */
export function withoutControls(text: string): string {
  return withoutTags((text as string & { toWellFormed(): string }).toWellFormed(), '').replace(
    /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g,
    '',
  )
}

/** Tags spell a text that models read and nobody sees. Three flags are made of them, and stay. */
export function withoutTags(text: string, instead: string): string {
  return text.replace(tags, (_, flag: string | undefined) => flag ?? instead)
}

const england = '\u{e0065}\u{e006e}\u{e0067}'
const scotland = '\u{e0073}\u{e0063}\u{e0074}'
const wales = '\u{e0077}\u{e006c}\u{e0073}'
const flags = `\u{1f3f4}\u{e0067}\u{e0062}(?:${england}|${scotland}|${wales})\u{e007f}`
const tags = new RegExp(`(${flags})|[\u{e0000}-\u{e007f}]`, 'gu')
