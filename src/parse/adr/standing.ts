// Reads a record's status and its relations to other records, each only from the places where it belongs.
import type { AdrReference } from './adr.js'
import type { Fields } from './fields.js'
import type { Page, Part, Piece } from './page.js'
import { evened, plain } from './plain.js'
import { isNothing, referencesIn, referencesOf, unique } from './references.js'
import { directionOf, inEnglish, superseded, supersededBy, supersedes } from './status-words.js'
import {
  isAhead,
  isBareStatus,
  isOfPart,
  type Statement,
  settled,
  statementOf,
  withoutChoices,
} from './statuses.js'
import { markedTitle } from './title.js'

export interface Standing {
  statement: Statement | null
  supersedes: AdrReference[]
  supersededBy: AdrReference[]
  partly: boolean
}

export function standingOf(page: Page, fields: Fields): Standing {
  const titled = titleStatement(page)
  const own = [fieldStatements(fields), ...page.parts.filter(isStatus).map(partStatements)]
  const statements = own.some(({ lines }) => lines.length > 0) ? own : [historyStatements(page)]
  // An ending in the title ("deprecated") outweighs an older status below it; other marks in a title are often outdated.
  const places = isEnd(titled) && !statements.some(isEnd) ? [titled, ...statements] : [...statements, titled]
  const found = places.flatMap(({ statement }) => statement ?? [])
  const statement = found[0] ?? null
  // A place with another status may be about something else: the pilot, or the state of a form.
  const agreeing = places.filter((one) => !one.statement || one.statement.status === statement?.status)
  const relations = relationsOf(page, fields, agreeing)
  return {
    statement,
    ...relations,
    partly: relations.partly || found.some((one) => one.partly),
  }
}

interface Place {
  statement: Statement | null
  lines: string[]
}

function titleStatement({ title }: Page): Place {
  const { mark } = markedTitle(title?.text ?? '')
  return place(mark ? [mark] : [])
}

function isEnd({ statement }: Place): boolean {
  return statement !== null && ['rejected', 'deprecated', 'superseded'].includes(statement.status)
}

function isStatus(part: Part): boolean {
  return part.own === 'status'
}

function fieldStatements(fields: Fields): Place {
  return place((fields.status ?? []).map(({ value }) => value))
}

/** Entries that are a status and no more, for records that say it nowhere else. */
function historyStatements({ parts }: Page): Place {
  const lines = parts
    .filter(({ role }) => role === 'history')
    .flatMap(({ pieces }) => pieces.flatMap((piece) => piece.lines.map(({ text }) => text)))
  return place(lines.filter(isBareStatus))
}

/** Each line of a status part that opens with a status counts; failing all, the first one in any words. */
function partStatements(part: Part): Place {
  const heading = part.rest ? [part.rest] : []
  return place([...heading, ...statusLines(part.pieces)].slice(0, 40))
}

/** The list below "Supersedes:" belongs to it; other nested bullets are remarks. */
function statusLines(pieces: readonly Piece[]): string[] {
  const lines: string[] = []
  let isList = false
  for (const piece of pieces) {
    const leads: boolean = !isList && leadsList.test(plain(lines.at(-1) ?? ''))
    isList = piece.kind === 'item' && (isList || leads)
    if (isList) lines[lines.length - 1] += `${leads ? '' : ','} ${writtenIn(piece)}`
    else if (piece.depth === 0) lines.push(...linesOf(piece))
  }
  return lines
}

const leadsList = new RegExp(`\\b(?:${supersedes}|${supersededBy})\\s*:?$`, 'i')

/** The lines of a paragraph that was wrapped belong together; those of a list of statuses do not. */
function linesOf(piece: Piece): string[] {
  if (piece.kind !== 'paragraph') return [writtenIn(piece)]
  const lines: string[] = []
  for (const { text } of piece.lines) {
    if (lines.length === 0 || statementOf(text) || relationWord.test(plain(text))) lines.push(text)
    else lines[lines.length - 1] += ` ${text}`
  }
  return lines
}

function writtenIn(piece: Piece): string {
  return piece.lines.map(({ text }) => text).join(' ')
}

function place(written: readonly string[]): Place {
  const lines = written.map(withoutChoices)
  const strict = lines.flatMap((line) => statementOf(line) ?? [])
  const first = lines.find((line) => plain(line) !== '')
  const loose = strict.length === 0 && first !== undefined ? statementOf(first, true) : null
  return { statement: loose ?? settled(strict), lines }
}

// --- Supersession.

const relationWord = new RegExp(
  `^(?:[^\\p{L}]*)(?:this (?:adr|decision|record) )?(?:partly |partially )?(${supersedes}|${superseded} (?:by|with)|amends|amended by|clarifies|clarified by|extends|extended by|relates to|related to|depends on|refines|refined by|see)\\b`,
  'iu',
)

type Relations = Pick<Standing, 'supersedes' | 'supersededBy' | 'partly'>

function relationsOf(page: Page, fields: Fields, places: readonly Place[]): Relations {
  const found: Relations = { supersedes: [], supersededBy: [], partly: false }
  for (const name of ['supersedes', 'supersededBy'] as const)
    for (const { value } of fields[name] ?? [])
      if (!isAhead('', value) && !isNothing(value))
        put(found, name, referencesOf(withoutRemarks(value)), isPartial(value))
  for (const { lines } of places) for (const line of lines) statusRelation(found, line)
  for (const part of page.parts) for (const piece of part.pieces) proseRelation(found, piece)
  return { ...found, supersedes: unique(found.supersedes), supersededBy: unique(found.supersededBy) }
}

/** Removes remarks that name other records: "ADR-3 (the retry policy only; ADR-4 stands)", "ADR-3 and amends ADR-4". */
function withoutRemarks(value: string): string {
  const end = nextVerb.exec(masked(value))?.index ?? value.length
  const bare = value.slice(0, end).replace(/\s\((?!and\b|also\b|plus\b)[^()]{0,2000}\)/gi, ' ')
  return referencesIn(bare).length > 0 ? bare : value
}

/** A line of a status: "Superseded by [7. Move](0007.md)", "Accepted, supersedes ADR-3", "Rejected (see 019)". */
function statusRelation(found: Relations, text: string) {
  const written = inEnglish(evened(text.replace(/~~[^~\n]{1,300}~~/g, '')))
  for (const match of written.matchAll(relating)) {
    const end = match.index + match[0].length
    const rest = clause(written.slice(end, end + 4000))
    const before = written.slice(0, match.index)
    if (isAhead(before, rest.text)) continue
    const to = rest.number === null ? referencesIn(rest.text) : referencesOf(rest.text)
    const isPart =
      /\bpart/i.test(match[0]) ||
      ofPart.test(rest.text) ||
      isPartial(rest.text) ||
      (directionOf(match[1]!) === 'supersededBy' && isOfPart(before))
    relate(found, match[1]!, to, isPart)
  }
  if (found.supersededBy.length === 0 && statementOf(written)?.status === 'superseded')
    found.supersededBy.push(...successorsIn(written, found))
}

const relating = new RegExp(
  `\\b(?:(?:partly|partially) )?(${supersedes}|${supersededBy}|amends|amended by|see(?: also)?|in favou?r of)\\b[:\\s]*`,
  'gi',
)

/** "Superseded (see ADR-7)", "superseded → ADR-7": whatever is named after the word, unless it was superseded itself. */
function successorsIn(written: string, { supersedes }: Relations): AdrReference[] {
  const after = written.slice(Math.max(written.search(isSuperseded), 0))
  return unique([...supersedes, ...referencesIn(after)]).slice(unique(supersedes).length)
}

const isSuperseded = new RegExp(`\\b${superseded}\\b`, 'i')

/** "Supersedes part of ADR-3". */
const ofPart = /^(?:some|parts?|aspects?|portions?|sections?)\b/i

/** "ADR-3 (partially)", "ADR-3 (retry policy only)". */
function isPartial(text: string): boolean {
  return /\b(?:partly|partially|in part)\b(?! \p{L})|\bonly(?=\s*[)—–;,])|\bfor\b.{1,80}\bspecifically\b/iu.test(
    masked(text),
  )
}

/** The text up to the next relating verb: "supersedes ADR-3, superseded by ADR-9". The text of links does not count. */
function clause(text: string): { text: string; number: string | null } {
  const end = nextRelation.exec(masked(text))?.index ?? text.length
  const part = text.slice(0, end)
  return { text: part, number: /^\s*#?\d{1,5}\b(?![-/.]\d)/.exec(part)?.[0] ?? null }
}

function masked(text: string): string {
  return text.replace(/\[[^[\]\n]{0,300}\](?:\([^()\s]{0,500}\))?/g, (link) => 'x'.repeat(link.length))
}

const verb = `\\b(?:(?:partly|partially) )?(?:${superseded}|${supersedes}|amend|relates|see )`
const nextVerb = new RegExp(verb, 'i')
const nextRelation = new RegExp(`${verb}|[.;](?:\\s|$)`, 'i')

/**
 * Elsewhere a relation counts when it opens an entry of a list of links, or when the record speaks of itself. A status does
 * not come from prose: a sentence there that the record was superseded does not count.
 */
function proseRelation(found: Relations, piece: Piece) {
  if (piece.part.own === 'status') return
  const raw = evened(
    piece.lines
      .map(({ text }) => text)
      .join(' ')
      .slice(0, 4000)
      .replace(piece.part.level === 0 ? noticeLead : '', ''),
  )
  const isLink = (piece.part.role === 'links' || piece.part.level === 0) && piece.kind !== 'row'
  const listed = isLink ? relationWord.exec(raw) : null
  if (listed) {
    const rest = clause(raw.slice(listed[0].length)).text
    if (isNothing(rest)) return
    const isPart = /partl?y|partially/i.test(listed[0]) || ofPart.test(plain(rest)) || isPartial(rest)
    if (!isAhead('', plain(rest))) relate(found, listed[1]!, referencesIn(withoutRemarks(rest)), isPart)
    return
  }
  for (const match of raw.matchAll(ofItself)) ownWords(found, piece, raw, match)
}

/** The beginning of a notice below the title: "Note:", "[!WARNING]", "!!! warning". */
const noticeLead =
  /^\W*(?:\[!\w+\]|!!!\s*\w+(?:\s"[^"\n]*")?|(?:note|notice|warning|attention|important|caution|danger|info|update)\b)[\s*_:.!–—-]*/i

function ownWords(found: Relations, { part }: Piece, raw: string, match: RegExpExecArray) {
  const [words, noun, verb = '', some] = match
  const isForward = directionOf(verb) === 'supersedes'
  // "This" alone is the record where it decides, and whatever was spoken of last elsewhere.
  if (!noun && !(isForward && (part.level === 0 || part.role === 'decision' || part.role === 'links'))) return
  const rest = clause(raw.slice(match.index + words.length))
  const near = referencesIn(rest.text)
  if (near.length === 0 || plain(rest.text).search(/\bADR|\d|[[]/i) > 60 || isAhead('', rest.text)) return
  const isNotice = part.level === 0 && !/\p{L}/u.test(raw.slice(0, match.index))
  if (isForward || isNotice) relate(found, verb, near, Boolean(some))
}

const ofItself = new RegExp(
  `\\bthis( (?:adr|decision|record|document|proposal))?(?: (?:also|partially|partly|fully|therefore|now|formally))? (${supersedes}|(?:is|has been|was) ${superseded} by)\\b(\\s+(?:some|part|parts|aspects|portions)\\b(?:\\s+\\w+){0,3})?(?:\\s+(?:our|the|decision|decisions|earlier|previous|in|of|from|and))*\\s*`,
  'gi',
)

function relate(found: Relations, verb: string, to: readonly AdrReference[], partly: boolean) {
  if (to.length === 0) return
  const direction = directionOf(verb)
  if (direction) put(found, direction, to, partly)
}

function put(
  found: Relations,
  direction: 'supersedes' | 'supersededBy',
  to: readonly AdrReference[],
  partly: boolean,
) {
  found[direction].push(...(partly ? to.map((one) => ({ ...one, partly })) : to))
  if (partly && direction === 'supersededBy' && to.length > 0) found.partly = true
}
