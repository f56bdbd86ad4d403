// Which two sentences show best that a proposal goes against a record, and by which rule.
import type { Stand } from '../../embed/entail/port.js'
import type { Asked } from './asked.js'
import type { Decided } from './decided.js'
import { type Evidence, type Quote, type Rule, roleOf } from './evidence.js'
import { membersIn } from './families.js'
import { type Reading, readingOf } from './reading.js'
import type { Judged } from './signals.js'
import type { Stance } from './stances.js'
import type { Read, Statement } from './statements.js'

/** Where reading says so: a rule that is sure of it, else the statement that it goes against most clearly. */
export function readEvidence(asked: Asked, judged: Judged, strength: number): Evidence | null {
  const { claims, reads } = judged
  const sure = claims.find((one) => one.verdict === 'conflicts' && one.strength >= surely)
  const found = sure ?? (reads && readAgainst(reads))
  return found ? { ...found, strength, fit: strength } : wordEvidence(asked, judged, strength)
}

/** Where words say so: what a rule found, or one of a family in the place of another. */
export function wordEvidence(asked: Asked, { record, claims }: Judged, strength: number): Evidence | null {
  const claim = claims.find((one) => one.verdict === 'conflicts' && one.strength >= worthQuoting)
  const found = claim ?? rival(asked, record.stances, readingOf(record))
  return found ? { ...found, strength, fit: strength } : null
}

const surely = 0.6
/** A rule that speaks as weakly as less than this has not seen what there is to see. */
const worthQuoting = 0.34

type Ground = Omit<Evidence, 'strength' | 'fit'>

/** One of a family where the record chose another. */
function rival(asked: Asked, stances: readonly Decided[], { members }: Reading): Ground | null {
  for (const stance of asked.stances.filter(({ side }) => side > 0))
    for (const [family, named] of membersIn(stance.words)) {
      const chosen = members.chosen.get(family)
      if (!chosen || [...named].some((name) => chosen.has(name))) continue
      const decided = stances.find((one) => one.side > 0 && membersIn(one.words).has(family))
      if (decided) return between('other-option', stance, decided)
    }
  return null
}

/** The statement that it goes against most clearly. */
function readAgainst(reads: readonly Read[]): Ground | null {
  const most = clearest(reads, ({ against }) => against)
  return most && most.stand.against > clear ? shown('goes-against', 'conflicts', most) : null
}

/** The statement that it goes along with most clearly. */
export function alongEvidence(reads: readonly Read[]): Evidence | null {
  const most = clearest(reads, ({ along }) => along)
  if (!most) return null
  const strength = most.stand.along
  return { ...shown('goes-along', 'supports', most), strength, fit: strength }
}

/** What a record says that bears on the proposal most, or else stands nearest to it; a title tells nothing that is not known. */
export function nearestQuote({ reads, ruled }: Judged): Quote | null {
  const said = (reads ?? []).filter(({ statement }) => statement.role !== 'title')
  const most = clearest(said, ({ beside }) => -beside)
  const found = most && most.stand.beside < clear ? most : said[0]
  return found ? quoteOf(found.statement) : ruled.evidence
}

function clearest(reads: readonly Read[], of: (stand: Stand) => number): Read | null {
  return reads.reduce<Read | null>(
    (best, one) => (best && of(best.stand) >= of(one.stand) ? best : one),
    null,
  )
}

function shown(rule: Rule, verdict: Evidence['verdict'], { part, statement }: Read): Ground {
  return { rule, verdict, proposal: part, ...quoteOf(statement) }
}

function quoteOf({ text: decision, line, role, isOption }: Statement): Quote {
  const as = role === 'chosen' ? 'chosen' : role === 'refused' && isOption ? 'not chosen' : 'said'
  return { decision, as, line }
}

const clear = 0.4

function between(rule: Rule, stance: Stance, decided: Decided): Ground {
  const { sentence: decision, line } = decided
  return { rule, verdict: 'conflicts', proposal: stance.sentence, decision, as: roleOf(decided), line }
}
