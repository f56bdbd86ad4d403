import { small } from '../text/same-name.js'
import { wholeCharacters } from '../text/truncate.js'

const mostBytes = 180
// Invisible characters for line breaks and text direction. The joiners of Persian and of emoji, and the letters of
// flags, are kept.
const unseen = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The file name (without extension) for a title: lower case, hyphens for spaces, letters of every script. Characters
 * that file systems or links cannot hold become hyphens too. Null if nothing is left.
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
