// Reads a status in any words. The text always comes from a place where a status belongs.

import type { AdrStatus } from './adr.js'
import { dateIn, withPlainDates } from './dates.js'
import { plain } from './plain.js'
import { inEnglish, superseded, supersededBy } from './status-words.js'

export interface Statement {
  status: AdrStatus
  date: string | null
  partly: boolean
  /** Ticked in a list of boxes, or the only one in bold: the author's pen has settled it. */
  marked: boolean
}

/** Reads one line. Null if it names no status. With `loose`, the status need not come first. */
export function statementOf(written: string, loose = false): Statement | null {
  const box = /^\s*(?:[-*+]\s+)?\[([ xX✓✔])\]\s*/.exec(written)
  if (box && box[1] === ' ') return null
  const text = unbracketed(withSigns(plain(box ? written.slice(box[0].length) : written)))
  if (text === '' || isPlaceholder(text)) return null
  const choice = choiceOf(written)
  if (choice === 'open') return null
  const words = inEnglish(choice ?? text)
  const status = statusOf(words, loose)
  if (!status) return null
  return {
    status: status.status,
    date: status.date ?? dateIn(withoutRecords(written)),
    partly: status.partly,
    marked: Boolean(box) || choice !== null,
  }
}

/** A status and at most its date: "Accepted (2024-05-06)". */
export function isBareStatus(written: string): boolean {
  const words = withPlainDates(plain(written)).replace(/\d{4}-\d{2}(?:-\d{2})?|[^\p{L}\s]/gu, ' ')
  return exact.has(words.trim().toLowerCase())
}

/** The names of other records may begin with a date: that is theirs. */
function withoutRecords(written: string): string {
  const bare = written.replace(/\[[^[\]\n]{0,300}\]\([^()\s]{0,500}\.md\b[^()\s]{0,100}\)/g, ' ')
  return plain(bare).replace(/\b(?:\d{8}|\d{4}-\d{2}-\d{2})[-_]\p{L}[\p{L}\p{N}_.-]*/gu, ' ')
}

/** The current statement: a marked one, else the newest if all have a date, else the latest stage. */
export function settled(statements: readonly Statement[]): Statement | null {
  const marked = statements.filter((one) => one.marked)
  const left = marked.length === 1 ? marked : statements
  if (left.length > 1 && left.every(({ date }) => date))
    return left.reduce((best, one) =>
      one.date! > best.date! || (one.date === best.date && later(one, best)) ? one : best,
    )
  return left.reduce<Statement | null>((best, one) => (!best || later(one, best) ? one : best), null)
}

function later(one: Pick<Statement, 'status'>, other: Pick<Statement, 'status'>): boolean {
  return stage[one.status] > stage[other.status]
}

const stage: Readonly<Record<AdrStatus, number>> = {
  unknown: 0,
  draft: 1,
  proposed: 2,
  accepted: 3,
  rejected: 4,
  deprecated: 5,
  superseded: 6,
}

/** An unfilled template: "{proposed | accepted}", "[draft | …]", "<status>". */
export function isPlaceholder(text: string): boolean {
  return /^[{[<].*[}\]>]?$/.test(text) && /[|…]|\.\.\.|^[{<]|^\[[^\]]*\]$/.test(text)
}

/** "[approved]" was filled in, though the brackets of the template stayed. */
function unbracketed(text: string): string {
  const [, mark, inner = ''] = /^([[{<])\s*([^|/,[\]{}<>]{3,60}?)\s*[\]}>]$/.exec(text) ?? []
  return exact.has(inner.toLowerCase()) || (mark === '[' && statusOf(inner)) ? inner : text
}

/** Removes the template's choices: "draft [accepted | deprecated | superseded by …]" is "draft". */
export function withoutChoices(written: string): string {
  const at = written.search(/(?<=\p{L}\s*)[[({<]\s*\p{L}+\s*\|/u)
  const words = at < 0 ? [] : (written.slice(at).match(/\p{L}+/gu) ?? [])
  return words.filter((word) => exact.has(word.toLowerCase())).length > 1 ? written.slice(0, at) : written
}

// "Proposed | **Accepted** | Deprecated" chooses; "Proposed | Accepted | Deprecated" has not been filled in.
function choiceOf(written: string): string | 'open' | null {
  const current = written.replace(/~~[^~\n]{1,200}~~/g, '')
  const parts = current.split(/\s*(?:\||\/|,|→|->|>)\s*/).filter((part) => plain(part) !== '')
  if (parts.length < 3 || parts.length > 12) return null
  const named = parts.filter((part) => exact.has(plain(part).toLowerCase()))
  if (named.length < parts.length - 1 || named.length < 3) return null
  const bold = parts.filter((part) => /\*\*|__|`/.test(part))
  if (bold.length === 1) return plain(bold[0]!)
  if (/→|->/.test(current)) return plain(parts[parts.length - 1]!)
  return 'open'
}

interface Read {
  status: AdrStatus
  partly: boolean
  /** The date of one of several statuses. */
  date?: string | null
  undecided?: boolean
}

/** The status at the start of a text; with `loose`, anywhere in it. */
function statusOf(text: string, loose = false): Read | null {
  const lower = text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/-in-part\b/g, ' in part')
    .slice(0, 400)
  const from = lower.replace(lead, '')
  const start = opening(from)
  if (start?.status === 'superseded') return isAhead('', from) ? null : start
  if (start) return overtaken(from, start) ?? start
  const sign = signOf(text)
  if (sign && !/\p{L}/u.test(from)) return { status: sign, partly: false }
  if (!loose) return null
  const inside = within(lower)
  return inside ?? (sign ? { status: sign, partly: false } : null)
}

// Emoji, dates and small words that may come before the word that counts.
const lead =
  /^(?:[^\p{L}\p{N}]+|(?:status|state|decision|adr)\b\s*:?\s*|\d{4}-\d{2}-\d{2}\b|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]{3,9}\s+\d{4}\b|[a-z]{3,9}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}\b|(?:currently|now|has been|was|is|it is|this (?:adr|decision|record|document)|the decision|we have|have been|fully|provisionally|conditionally|formally|initially|mutually)(?::|\s)\s*)+/u

/** Partly superseded is still superseded, and says so: before the word, right after it, or last. */
const partial = new RegExp(
  `^(?:partly|partially|in part|mostly|largely) ${superseded}\\b|^${superseded} (?:(?:partly|partially|in part)\\b|(?:by|with)\\b[^.;]{0,200}?[\\s(](?:partly|partially|in part)\\)?\\W*$)`,
)

function opening(text: string): Read | null {
  const part = partial.exec(text)
  if (part) return { status: 'superseded', partly: true }
  for (const [status, pattern] of openings) if (pattern.test(text)) return { status, partly: false }
  return null
}

/** "Accepted, superseded by ADR-12" has been overtaken; "accepted, partly superseded" has not. */
function overtaken(text: string, start: Read): Read | null {
  const found = isOvertaken.exec(text)
  if (!found || isAhead(text.slice(0, found.index), text.slice(found.index)))
    return changed(text, start) ?? latest(text, start)
  const isPart =
    opening(text.slice(found.index).replace(/\).*$/, ''))?.partly || isOfPart(text.slice(0, found.index))
  return isPart ? { ...start, partly: true } : { status: 'superseded', partly: false }
}

const isOvertaken = new RegExp(`\\b(?:(?:partly|partially|in part) )?${supersededBy}\\b`)

/** Something in the record was superseded, not the record: "Section 3 was superseded by". `before` leads up to the verb. */
export function isOfPart(before: string): boolean {
  const clause = withPlainDates(before.slice(-400).toLowerCase())
    .split(/[;,:()|→>–—]|\.\s|\s-\s/)
    .pop()!
  return !opening(clause.replace(lead, '')) && /\p{L}/u.test(clause.replace(ofAll, ''))
}

const ofAll =
  /\b(?:this \p{L}+|the|it|that|which|adr|decision|record|note|has|have|had|been|being|is|was|and|but|then|now|later|since|also|meanwhile|on|in|as|of|\p{L}+ly)\b/gu

/** "Was accepted, now deprecated." */
function changed(text: string, start: Read): Read | null {
  const found =
    /\b(?:now|since|later|subsequently|but|then)(?:\s|:)\s*(?:been\s+|has been\s+)?(deprecated|obsolete|rejected|accepted|withdrawn|retired|abandoned)\b/.exec(
      text,
    )
  const next = found && !isAhead(text.slice(0, found.index), '') && opening(found[1]!)
  return next && next.status !== start.status ? { ...next, date: dateIn(text.slice(found.index)) } : null
}

/** "Proposed 2020-01-01, accepted 2020-02-01": the newest where all have a date, else how far a decision's life has come. */
function latest(text: string, start: Read): Read | null {
  const [first = '', ...rest] = withPlainDates(text)
    .replace(/\((?=\d)|\)/g, ' ')
    .split(/([;,]|\.\s|\s[–—-]\s|\sand\s|\(|[/|])/)
  const statuses = rest.flatMap((clause, i) => (i % 2 === 1 ? (alone(clause, rest[i - 1]!) ?? []) : []))
  if (statuses.length === 0) return null
  const all = [{ ...start, date: dateIn(first) }, ...statuses.filter((one) => !one.undecided)]
  const isDated = all.every(({ date }) => date)
  return all.reduce((one, other) => {
    const isNewer = isDated && one.date !== other.date ? other.date! > one.date! : later(other, one)
    return isNewer ? other : one
  })
}

/** A clause that says a status, and at most since when: more words may speak of something else. */
function alone(clause: string, before: string): Read | null {
  const found = follows.exec(clause)
  const read = found && opening(found[1]!)
  if (!read || isAhead('', clause)) return null
  const date = dateIn(clause) ?? /\b(?:19|20)\d{2}\b/.exec(clause)?.[0] ?? null
  return { ...read, date, undecided: /[/|]/.test(before) && date === null }
}

const follows = new RegExp(
  `^\\s*(?:and\\s+)?(?:\\d[\\d.-]*:?\\s+)?(accepted|approved|adopted|ratified|deprecated|obsolete|retired|abandoned|revoked|discontinued|rejected|declined|withdrawn|cancell?ed|${superseded})(?:[:\\s]+(?:on|in|since|as|of|from|with|version|release|v?\\d[\\d.-]*))*[\\s.!]*(?:$|\\s(?:because|due to|in favou?r of|(?<=${superseded}\\s.{0,40})by)\\s)`,
)

/**
 * Whether the status is only announced, hoped for, denied, or conditional. `before` and `after` are the texts around
 * the status word. Punctuation ends a clause, and with it the announcement.
 */
export function isAhead(before: string, after: string): boolean {
  return notYet.test(before.slice(-80)) || waits.test(after.slice(0, 300))
}

const notYet =
  /\b(?:will|shall|would|could|may|might|should|must|can|cannot|(?:is|are|was|were|be|has|have|had|does|do|did|wo|ca|would|could|should)n['’]t|to\s+(?:\p{L}+\s+)?be(?:come)?|until|till|unless|if|once|when|whenever|not|never|no(?! longer\b)|nor|without|soon|(?<!before )being|eventually|candidate for|instead of|rather than)\s+(?:(?!and\b|but\b)[\p{L}'’-]+\s+){0,3}$/iu
// The other record's name may contain such a word too: it only counts at the start of a clause.
const waits =
  /^[^.;\n]{0,200}?\b(?:(?:once|if|as soon as|unless|provided|pending)\s+(?:(?:that|it|this|they|those|both|we|its|accepted|approved|adopted|merged|implemented|released|done|ready|acceptance|approval)\b|(?:m?adr|decision|record)[\s-]*#?\d|the\s+(?:[\p{L}-]+\s+){0,3}(?:is|are|has|have|lands?|passes)\b)|some ?day\b|one day\b|in (?:the )?future\b|would be\b)/iu

function within(text: string): Read | null {
  for (const match of text.matchAll(/\p{L}[\p{L}-]*/gu)) {
    if (match.index > 200) return null
    const rest = text.slice(match.index)
    const found = opening(rest)
    if (found && !isAhead(text.slice(0, match.index), found.status === 'superseded' ? rest : '')) return found
  }
  return null
}

const openings: readonly [AdrStatus, RegExp][] = [
  ['rejected', /^not (?:accepted|approved|adopted|agreed)\b|^(?:never|un)\s?(?:accepted|approved|adopted)\b/],
  ['proposed', /^not (?:yet )?(?:decided|accepted yet|approved yet)\b|^not yet\b|^undecided\b/],
  ['superseded', new RegExp(`^(?:super[sc]e+ded|overridden|supplanted|replaced$|${supersededBy})\\b`)],
  [
    'deprecated',
    /^(?:deprecated|obsoleted?|retired|archived?|abandoned|outdated|expired|discontinued|inactive|historical|no longer|sunset|decommissioned|revoked|reverted|removed)\b/,
  ],
  [
    'rejected',
    /^(?:rejected?|declined|denied|withdrawn|refused|cancell?ed|dismissed|dropped|discarded|vetoed|won't (?:do|fix|implement)|closed)\b/,
  ],
  [
    'draft',
    /^(?:draft(?:s|ed|ing)?|draught|wip|work in progress|incomplete|unfinished|idea|initial|preliminary|in draft|sketch)\b/,
  ],
  [
    'proposed',
    /^(?:propos(?:ed|al|ing)|pending|in[ -]?(?:review|discussion|progress|consultation)|under (?:review|discussion|consideration|evaluation)|to be (?:decided|discussed|reviewed|approved|accepted)|tbd|on hold|paused|deferred|postponed|open|rfc|request(?:ing)? (?:for )?comments?|last call|awaiting|candidate|tentative|suggested|review(?:ing)?|ready for review|for (?:discussion|review|comment)|submitted|experimental|trial|discussion|considering)\b/,
  ],
  [
    'accepted',
    /^(?:accept(?:ed|ance)?|approved|adopted|agreed|decided|active|implement(?:ed|ing)|partially implemented|done|completed?|in (?:effect|force|use|place|production|operation)|effective|final(?:i[sz]ed)?|ratified|resolved|valid|committed|settled|confirmed|enacted|current|live|chosen|signed off|applied|published)\b/,
  ],
]

const exact: ReadonlySet<string> = new Set([
  'draft',
  'proposed',
  'accepted',
  'approved',
  'rejected',
  'deprecated',
  'superseded',
  'pending',
  'implemented',
  'superseded by',
  'withdrawn',
  'replaced',
  '…',
  '...',
  'etc',
])

// Signs for a status: ✅, 🚧, ♻.

/** ":white_check_mark:" is shown as a sign. */
function withSigns(text: string): string {
  return text.replace(/:([a-z_+]{1,30}):/g, (written, name: string) => signNames[name] ?? written)
}

const signNames: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  heavy_check_mark: '✔',
  ballot_box_with_check: '☑',
  thumbsup: '👍',
  green_circle: '🟢',
  x: '❌',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  thumbsdown: '👎',
  red_circle: '🔴',
  warning: '⚠',
  wastebasket: '🗑',
  recycle: '♻',
  memo: '📝',
  pencil: '📝',
  construction: '🚧',
  thinking: '🤔',
  bulb: '💡',
  yellow_circle: '🟡',
  hourglass: '⌛',
  speech_balloon: '💬',
  eyes: '👀',
}

// A sign counts only without a word for the status.
function signOf(text: string): AdrStatus | null {
  for (const [status, signs] of Object.entries(signsOf) as [AdrStatus, RegExp][])
    if (signs.test(text)) return status
  return null
}

const signsOf: Partial<Record<AdrStatus, RegExp>> = {
  accepted: /[✅☑✔👍🟢🎉]/u,
  rejected: /[❌✖✗✘🚫⛔👎🔴🙅]/u,
  deprecated: /[⚠🗑☠🪦💀⚰]/u,
  superseded: /[♻🔁🔄⏭]/u,
  draft: /[📝🚧✏✍]/u,
  proposed: /[🤔💡🟡⏳⌛💬🗳❓🔍👀]/u,
}
