// Reads a status in a title: "[Deprecated] Use X", "Use X (superseded by ADR-12)", "Use X - REJECTED".

import { titleFromPath } from '../../text/title.js'
import type { Fields } from './fields.js'
import { codeOf, isDated, stemOf, wordsOf } from './file-names.js'
import type { Page } from './page.js'
import { plain } from './plain.js'
import { supersededBy } from './status-words.js'

interface MarkedTitle {
  title: string
  /** As written, without its brackets. */
  mark: string | null
}

export function markedTitle(heading: string): MarkedTitle {
  if (heading.length > longest) return { title: heading, mark: null }
  for (const form of forms) {
    const [whole, mark] = form.exec(heading) ?? []
    if (!whole || !mark || !isMark.test(mark.trim())) continue
    const title = heading
      .replace(whole, '')
      .replace(/\s*[|–—:-]\s*$/, '')
      .trim()
    if (title !== '') return { title, mark: mark.trim() }
  }
  return { title: heading, mark: null }
}

/** A longer text is no title. */
const longest = 500

const forms = [
  /^[^\p{L}\p{N}[(]*[[(]([^[\]()]{3,100})[\])]\s*[:–—-]?\s*/u,
  /(?<=^(?:adr[-_ ]?)?\d{1,5}\s{0,3})[[(]([^[\]()]{3,100})[\])]\s*[:–—-]?\s*/i,
  /\s*[[(]([^[\]()]{3,200})[\])]\s*$/,
  /\s+[–—-]\s+([^–—]{3,200})$/,
  /\s*[|–—-]\s*(status\s?:[^|–—]{3,200})$/i,
]

// A title may end with "(accepted risks)" or "- draft a plan": a status is the only word, or followed by "by …".
const isMark = new RegExp(
  `^(?:status ?: ?)?(?:draft|wip|proposed|accepted|approved|rejected|declined|withdrawn|deprecated|obsolete|retired|archived|abandoned|superseded|replaced|(?:partly |partially )?${supersededBy} .+)$`,
  'i',
)

// A record's number, id and title.

interface Names {
  id: string
  number: number | null
  title: string
}

export function namesOf(page: Page, fields: Fields): Names {
  const stem = stemOf(page.path)
  const digits = codeOf(stem)?.digits ?? null
  const heading = (page.title?.text ?? plain(fields.title?.[0]?.value ?? '')).replace(/^\[([^[\]]+)\]$/, '$1')
  const inTitle = numberedTitle(markedTitle(heading).title, digits === null ? null : Number(digits))
  const declared = /(?:^|[^\d.])(\d{1,5})$/.exec(plain(fields.id?.[0]?.value ?? ''))?.[1]
  return {
    id: digits ?? (isDated(stem) ? stem : (declared ?? inTitle.digits ?? stem)),
    number: toNumber(digits ?? (isDated(stem) ? null : (declared ?? inTitle.digits))),
    title: inTitle.title || titleFromPath(wordsOf(stem)),
  }
}

function toNumber(digits: string | null | undefined): number | null {
  return digits ? Number(digits) : null
}

// "ADR 002: Structure", "ADR061 · Staking", "7. Move", "[ADR-3] Use X", "ADR-2 (web): Use X", "Architecture Decision Record: X".
const lead =
  /^[^\p{L}\p{N}]*(?:(?:(?:[a-z]{1,12}[-_]){0,2}m?adr|[aptedm]dr(?=[-_ #]*\d)|dec(?=[-_#]\d)|architecture decision(?: record)?|architectural decision(?: record)?|decision(?: record)?|rfc)(?!\p{L})[\s#_-]*(?:(?:[a-z]{1,12}[-_])?(\d{1,5})(?!\d|-\d))?\]?\s*(?:\([^()]{1,40}\)\s*(?=[:：]))?(?:[:：.·•|–—-]+|\s|$)\s*|(\d{1,5})\s*(?:[.:：)·–—]|\s-)\s*(?=\D))/iu

/** The code of a house in the title: "DEC-007 — Use X", "Acme web - ACME-ADR-007 - Use X". */
const ownCode =
  /^(?:[^\n]{1,80}?\s[–—:|-]\s+)?[^\p{L}\p{N}]*(?:(?:[A-Z][A-Z0-9]{0,11}[-_]){1,4}(?:[A-Z][A-Za-z0-9]{0,14}-)?|ADR[ #]?)(\d{1,5})\]?\s*[:：.·•|–—-]+\s+(?=\S)/u

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
