import { type Note, Problem } from '../../model/problem.js'
import { withoutControls } from '../../text/one-line.js'

/** The result of a converter. */
export interface Converted {
  /** Markdown. */
  text: string
  title: string | null
  /** `author`, `date` and the like where the file has them; `pages` and `pageStarts` where it has pages. */
  metadata: Record<string, unknown>
  notes: Note[]
}

export function damaged(what: string, options?: ErrorOptions): Problem {
  return new Problem('damaged', `It is damaged: ${what}.`, undefined, options)
}

export function locked(): Problem {
  return new Problem('protected', 'It is protected by a password.', 'Save a copy without the password.')
}

export function noText(): Note {
  return { code: 'no_text', message: 'It has no text.' }
}

/** The entries that say something: no undefined, no empty text. */
export function stated(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== undefined && value !== ''),
  )
}

/** The visible text on one line, cut at a limit: for titles, names and headings. */
export function oneLine(text: string, longest = 500): string {
  return withoutControls(text.slice(0, longest * 4).replace(/[\s\0-\x1f\x7f]+/g, ' '))
    .trim()
    .slice(0, longest)
}

/** Text that must not become markup: what would open a heading, list, quote, fence or tag at its start is escaped. */
export function plainLine(text: string): string {
  return text
    .replace(/^(\s*)(#{1,6}(?=\s)|[-+*](?=\s)|>|`{3,}|~{3,}|(?:[-_*=]\s*){3,}$|<(?=[a-z/!?]))/i, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/, '$1\\$2')
}
