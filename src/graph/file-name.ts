import { small } from '../text/same-name.js'
import { wholeCharacters } from '../text/truncate.js'

const mostBytes = 180
// Where lines may break and which way text runs. The joiners of Persian and of emoji, and the letters of flags, stay.
const unseen = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The file name (without ending) that a title becomes: lower case, hyphens for spaces, letters of every script. Signs that
 * file systems or links cannot hold become hyphens too. Null when nothing is left.
 */
export function fileNameFor(title: string): string | null {
  const name = small(title)
    .replace(unseen, '')
    .replace(/[\p{Cc}\p{Cs}\s<>:"/\\|?*#^[\]%]+/gu, '-')
    .replace(/-{2,}/g, '-')
  const short = withinBytes(name, mostBytes).replace(/^[-.\s]+|[-.\s]+$/g, '')
  if (short === '') return null
  return reserved.test(short) ? `${short}-note` : short
}

function withinBytes(text: string, most: number): string {
  let length = text.length
  while (Buffer.byteLength(text.slice(0, length)) > most) length--
  return wholeCharacters(text, length)
}
