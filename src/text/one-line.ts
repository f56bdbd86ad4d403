// Titles, names and descriptions come from files, packages and web pages that strangers write. Wherever one is shown in a
// list, it is one line of limited length without signs that nobody sees.
import { truncate } from './truncate.js'

/** One line of at most `most` characters, without control characters, direction marks and hidden text. */
export function oneLine(text: string, most = longestShown): string {
  const start = text.length > 10 * most ? text.slice(0, 10 * most) : text
  const plain = withoutControls(start.replace(/[^\S\ufeff]+/gu, ' '))
    .replace(hidden, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return truncate(plain, most, '…')
}

/** Lists show this much of a title or a description. */
const longestShown = 200

/** The longest title that a document can have. */
export const longestTitle = 500

// Signs that show nothing: direction marks, fillers, soft hyphens. Joiners stay, because scripts and emoji need them.
// A variation selector belongs behind a Han character or, once, behind a sign such as an emoji; a row spells hidden text.
const hidden =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|[\ufe00-\ufe0f]{2,}|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu

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
