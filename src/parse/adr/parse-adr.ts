// Reads a record of a decision in any of the usual forms: Nygard, MADR, log4brains, bullets, tables, frontmatter.
import type { Adr, AdrReading } from './adr.js'
import { consequencesOf, decisionOf, elsewhereIn, sentencesUnder } from './content.js'
import { dateIn } from './dates.js'
import { type Fields, fieldsOf, peopleIn } from './fields.js'
import { dateOfName, stemOf } from './file-names.js'
import { kindOf } from './kinds.js'
import { namesOf } from './names.js'
import { optionsOf } from './options.js'
import { type Page, type Piece, pageOf } from './page.js'
import { plain } from './plain.js'
import { type Standing, standingOf } from './standing.js'

/** A record, or what the file is instead. Never throws: a broken file is read as far as it goes. */
export function readAdr(path: string, text: string): AdrReading {
  const page = pageOf(path, text)
  const fields = fieldsOf(page)
  const kind = kindOf(page, fields)
  return kind === 'adr'
    ? { kind, adr: adrOf(page, fields) }
    : { kind, path, title: namesOf(page, fields).title }
}

/** Reads a file as a record whatever it looks like, for those who know that it is one. */
export function parseAdr(path: string, text: string): Adr {
  const page = pageOf(path, text)
  return adrOf(page, fieldsOf(page))
}

function adrOf(page: Page, fields: Fields): Adr {
  const standing = standingOf(page, fields)
  const lines = new Set(Object.values(fields).flatMap((values) => values.map(({ line }) => line)))
  const decision = decisionOf(page, lines)
  return {
    path: page.path,
    ...namesOf(page, fields),
    titleLine: page.title?.line ?? null,
    status: statusOf(standing),
    statusText: standing.statement?.text ?? standing.unread?.text ?? '',
    statusLine: standing.statement?.line ?? standing.unread?.line ?? null,
    date: dateOf(page, fields, standing),
    deciders: peopleIn(fields.deciders),
    authors: peopleIn(fields.authors),
    supersedes: standing.supersedes,
    supersededBy: standing.supersededBy,
    partly: standing.partly,
    context: sentencesUnder(page, 'context').slice(0, 400),
    options: optionsOf(page, decision),
    decision,
    consequences: consequencesOf(page),
    elsewhere: elsewhereIn(page),
  }
}

/**
 * A field that names a successor says that the record was superseded, even where nobody changed its status. Other words
 * than a number or a path are one when a record has them for its title: see supersession.ts.
 */
function statusOf({ statement, supersededBy, partly }: Standing): Adr['status'] {
  const status = statement?.status ?? 'unknown'
  const isNamed = supersededBy.some(({ number, path }) => number !== null || path !== null)
  const overtaken = isNamed && !partly && (status === 'accepted' || status === 'unknown')
  return overtaken ? 'superseded' : status
}

function dateOf(page: Page, fields: Fields, { statement }: Standing): string | null {
  const declared = (fields.date ?? []).map(({ value }) => dateIn(plain(value))).find(Boolean)
  if (declared) return declared
  if (statement?.date) return statement.date
  const history = page.parts
    .filter(({ role }) => role === 'history')
    .flatMap(({ pieces }) => pieces.flatMap(entriesOf))
    .flatMap((entry) => dateIn(plain(entry)) ?? [])
  return history.sort().pop() ?? dateOfName(stemOf(page.path))
}

/** An entry in a line that begins with a date is one, whatever it is wrapped with. */
function entriesOf({ lines: [first, ...more] }: Piece): string[] {
  return [
    ...(first ? [first.text] : []),
    ...more.map(({ text }) => text).filter((text) => /^[^\p{L}\p{N}]*\d/u.test(text)),
  ]
}
