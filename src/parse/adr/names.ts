// What a record is called: its number, its id and its title.
import { titleFromPath } from '../../text/title.js'
import type { Fields } from './fields.js'
import { codeOf, isDated, stemOf } from './file-names.js'
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
  const code = codeOf(stem)
  const digits = code?.digits ?? null
  const heading = (page.title?.text ?? plain(fields.title?.[0]?.value ?? '')).replace(/^\[([^[\]]+)\]$/, '$1')
  const inTitle = numberedTitle(markedTitle(heading).title, digits === null ? null : Number(digits))
  const declared = /(?:^|[^\d.])(\d{1,5})$/.exec(plain(fields.id?.[0]?.value ?? ''))?.[1]
  const number = digits ?? declared ?? inTitle.digits
  return {
    id: digits ?? (isDated(stem) ? stem : (declared ?? inTitle.digits ?? stem)),
    number: number === null || isDated(stem) ? null : Number(number),
    title: inTitle.title || titleFromPath(code?.rest || stem.replace(/^\d{4}-?\d{2}-?\d{2}[-_. ]+/, '')),
  }
}

// "ADR 002: Structure", "ADR061 · Staking", "7. Move", "[ADR-3] Use X", "ADR-2 (web): Use X", "Architecture Decision Record: X".
const lead =
  /^[^\p{L}\p{N}]*(?:(?:m?adr|architecture decision(?: record)?|architectural decision(?: record)?|decision(?: record)?|rfc)(?![\p{L}_])[\s#_-]*(\d{1,5})?\]?\s*(?:\([^()]{1,40}\)\s*(?=[:：]))?(?:[:：.·•|–—-]+|\s|$)\s*|(\d{1,5})\s*(?:[.:：)·–—]|\s-)\s*(?=\D))/iu

/** The code of a house in the title: "DEC-007 — Use X", "Acme web - ACME-ADR-007 - Use X". */
const ownCode =
  /^(?:[^\n]{1,80}?\s[–—:|-]\s+)?[^\p{L}\p{N}]*(?:[A-Z][A-Z0-9]{0,9}-){1,4}(?:[A-Z][A-Za-z0-9]{0,14}-)?(\d{1,5})\]?\s*[:：.·•|–—-]+\s+(?=\S)/u

/** "Acme architecture decision record #7: Use X". */
const ofHouse =
  /^(?:[\p{L}\p{N}.&-]{1,30}\s){1,4}architectur(?:e|al) decision record\s*#?(\d{1,5})\s*[:：–—-]\s*(?=\S)/iu

function numberedTitle(heading: string, number: number | null): { digits: string | null; title: string } {
  const match = lead.exec(heading)
  if (match) {
    const rest = heading.slice(match[0].length).trim()
    const named = match[1] ?? match[2] ?? null
    // "ADR link resolver in the domain" is a title about ADRs; a number, a colon or brackets make it a label.
    if (rest !== '' && (named !== null || /[:：·•|–—\]]\s*$/.test(match[0])))
      return { digits: named, title: rest }
    if (rest === '' && named !== null) return { digits: named, title: '' }
  }
  const own = ownCode.exec(heading.slice(0, 300)) ?? ofHouse.exec(heading.slice(0, 300))
  if (own && Number(own[1]) === number) return { digits: own[1]!, title: heading.slice(own[0].length).trim() }
  const bare = /^(\d{1,5})\s+(?=\p{L})/u.exec(heading)
  if (bare && Number(bare[1]) === number)
    return { digits: bare[1]!, title: heading.slice(bare[0].length).trim() }
  return { digits: null, title: heading.trim() }
}
