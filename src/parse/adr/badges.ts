// Badges that show where a record stands.
import { percentDecoded } from '../../text/percent-decoded.js'

/** A badge of a status or a date as the words that it shows: `![x](https://img.shields.io/badge/status-accepted-green)`. */
export function withBadges(text: string): string {
  if (!text.includes('/badge/')) return text
  return text.replace(badge, (whole, label: string, message: string) => {
    const [, name] = /^(?:(?:adr|decision) )?(status|state|date)$/i.exec(shown(label)) ?? []
    return name ? ` · ${name}: ${shown(message)}` : whole
  })
}

// The address has the label, the message and the colour; a hyphen in one of them is written twice.
const part = '((?:[^\\s()/?#-]|--){1,100})'
const badge = new RegExp(
  `\\[?!\\[[^\\]\\n]{0,200}\\]\\(https?://[^\\s()]{1,60}/badge/${part}-${part}-[^\\s()/?#-]{1,40}(?:[?#][^\\s()]{0,300})?\\)(?:\\]\\([^\\s()]{0,300}\\))?`,
  'g',
)

function shown(written: string): string {
  return percentDecoded(written)
    .replace(/--|__|_/g, (marks) => (marks === '_' ? ' ' : marks[0]!))
    .trim()
}
