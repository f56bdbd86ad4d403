// What a record is called: its number, its id and its title.
import { titleFromPath } from '../../text/title.js'
import type { Fields } from './fields.js'
import { markedTitle } from './marked-title.js'
import type { Page } from './page.js'
import { plain } from './plain.js'

export interface Names {
  id: string
  number: number | null
  title: string
}

export function namesOf(page: Page, fields: Fields): Names {
  const stem = stemOf(page.path)
  const digits = digitsOf(stem)
  const heading = page.title?.text ?? plain(fields.title?.[0]?.value ?? '')
  const inTitle = numberedTitle(markedTitle(heading).title, digits === null ? null : Number(digits))
  const declared = fields.id?.[0]
    ? /^(?:adr)?[-_ #]*(\d{1,5})$/i.exec(plain(fields.id[0].value))?.[1]
    : undefined
  const number = digits ?? declared ?? inTitle.digits
  return {
    id: digits ?? (isDated(stem) ? stem : (declared ?? inTitle.digits ?? stem)),
    number: number === null || number === undefined || isDated(stem) ? null : Number(number),
    title:
      inTitle.title ||
      titleFromPath(stem.replace(/^(?:adr[-_ ]?)?(?:\d{4}-\d{2}-\d{2}|\d{1,8})[-_. ]+/i, '')),
  }
}

export function stemOf(path: string): string {
  const file = path.split(/[\\/]/).pop() ?? path
  return file.replace(/(?<=.)\.(?:md|mdx|markdown|txt|adoc)$/i, '')
}

function isDated(stem: string): boolean {
  return /^\d{4}-?\d{2}-?\d{2}(?!\d)/.test(stem)
}

function digitsOf(stem: string): string | null {
  if (isDated(stem)) return null
  return /^(?:[a-z]{0,4}adr[-_ ]?)?(\d{1,5})(?=[-_. ]|$)/i.exec(stem)?.[1] ?? null
}

// "ADR 002: Structure", "ADR-061: Staking", "7. Move", "25 Domain names", "[ADR-3] Use X", "Architecture Decision Record: X".
const lead =
  /^[^\p{L}\p{N}]*(?:(?:m?adr|architecture decision(?: record)?|architectural decision(?: record)?|decision(?: record)?|rfc)\b[\s#_-]*(\d{1,5})?\]?\s*(?:[:：.–—-]+|\s|$)\s*|(\d{1,5})\s*(?:[.:：)–—]|\s-)\s*(?=\D))/iu

function numberedTitle(heading: string, number: number | null): { digits: string | null; title: string } {
  const match = lead.exec(heading)
  if (match) {
    const rest = heading.slice(match[0].length).trim()
    const named = match[1] ?? match[2] ?? null
    // "ADR link resolver in the domain" is a title about ADRs; a number or a colon makes it a label.
    if (rest !== '' && (named !== null || /[:：–—]\s*$/.test(match[0]))) return { digits: named, title: rest }
    if (rest === '' && named !== null) return { digits: named, title: '' }
  }
  const bare = /^(\d{1,5})\s+(?=\p{L})/u.exec(heading)
  if (bare && Number(bare[1]) === number)
    return { digits: bare[1]!, title: heading.slice(bare[0].length).trim() }
  return { digits: null, title: heading.trim() }
}
