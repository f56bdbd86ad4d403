// What a record is called: its number, its id and its title.
import { titleFromPath } from '../../text/title.js'
import { isDated } from './dates.js'
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
  return {
    id: digits ?? (isDated(stem) ? stem : (declared ?? inTitle.digits ?? stem)),
    number: toNumber(digits ?? (isDated(stem) ? null : (declared ?? inTitle.digits))),
    title: inTitle.title || titleFromPath(unnumbered(stem)),
  }
}

function toNumber(digits: string | null | undefined): number | null {
  return digits ? Number(digits) : null
}

/** What a record goes by: its file's name, or its folder's where it is the page of one ("0007-use-x/README.md"). */
export function stemOf(path: string): string {
  const parts = path.split(/[\\/]/).filter(Boolean)
  const stem = (parts.at(-1) ?? path).replace(/(?<=.)\.(?:md|mdx|markdown|txt|adoc)$/i, '')
  const folder = parts.at(-2) ?? ''
  return isPage(stem) && ownFolder.test(folder) ? folder : stem
}

export function isPage(stem: string): boolean {
  return /^(?:readme|_?index)$/i.test(stem)
}

// "2024" and "01" hold several.
const ownFolder = /^(?:[a-z]{0,4}adr[-_ ]?)?\d{1,8}(?:-\d{2}){0,2}[-_ ]+\p{L}/iu

/** The number in a name: of "0007-queues", "adr-7", "KITE-ADR-MS-0007-queues" and "2024-03-18_007-queues". */
export function digitsOf(stem: string): string | null {
  const pattern = isDated(stem) ? behindDate : numbered
  return pattern.exec(stem)?.slice(1).find(Boolean) ?? null
}

const label = '(?:[a-z]{1,12}[-_ ]){0,2}[a-z]{0,4}adr(?:[-_ ][a-z]{1,12})?|[aptedm]?dr|dec'
const numbered = new RegExp(
  `^(?:(?:[a-z]{0,4}adr[-_ ]?)?(\\d{1,5})|(?:${label})[-_ ](\\d{3,5}))(?=[-_. ]|$)`,
  'i',
)
const behindDate = /^\d{4}-?\d{2}-?\d{2}(?:_(\d{3,4})|[-_](0\d{1,4}))(?=[-_. ]|$)/

function unnumbered(stem: string): string {
  return stem
    .replace(/^(?:19|20)\d{2}-?(?:0[1-9]|1[0-2])(?:-?\d{2})?[-_. ]+/, '')
    .replace(new RegExp(`^(?:(?:${label})[-_ ]?)?\\d{1,8}[-_. ]+`, 'i'), '')
}

// "ADR 002: Structure", "ADR-061: Staking", "7. Move", "25 Domain names", "[ADR-3] Use X", "Architecture Decision Record: X".
const lead =
  /^[^\p{L}\p{N}]*(?:(?:(?:[a-z]{1,12}[-_]){0,2}m?adr|[aptedm]dr(?=[-_ #]*\d)|dec(?=[-_#]\d)|architecture decision(?: record)?|architectural decision(?: record)?|decision(?: record)?|rfc)(?!\p{L})[\s#_-]*(?:(?:[a-z]{1,12}[-_])?(\d{1,5}))?\]?\s*(?:[:：.–—-]+|\s|$)\s*|(\d{1,5})\s*(?:[.:：)–—]|\s-)\s*(?=\D))/iu

function numberedTitle(heading: string, number: number | null): { digits: string | null; title: string } {
  const match = lead.exec(heading)
  if (match) {
    const rest = heading.slice(match[0].length).trim()
    const named = match[1] ?? match[2] ?? null
    // "ADR link resolver in the domain" is a title about ADRs; a number, a colon or brackets make it a label.
    const isLabel = named !== null || /[:：–—]\s*$|\]\s*$/.test(match[0])
    if (rest !== '' && isLabel) return { digits: named, title: rest }
    if (rest === '' && named !== null) return { digits: named, title: '' }
  }
  const bare = /^(\d{1,5})\s+(?=\p{L})/u.exec(heading) ?? amid.exec(heading)
  if (bare && Number(bare[1]) === number)
    return { digits: bare[1]!, title: heading.slice(bare[0].length).trim() }
  return { digits: null, title: heading.trim() }
}

/** "The Kite Project - KITE-ADR-0003 - Default licence". */
const amid = /^[^:]{1,60}?\s[-–—|]\s+(?:[a-z]{1,12}[-_]){0,2}m?adr[-_ #]?(\d{1,5})\s*[:–—|-]\s*(?=\p{L})/iu
