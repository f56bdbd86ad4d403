// Titles, names and descriptions come from files, packages and web pages that strangers write. Wherever one is shown in a
// list, it is one line of limited length without signs that nobody sees.
import { withoutControls } from './controls.js'
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
