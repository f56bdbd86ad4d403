// Which two sentences show best that a proposal goes against a record, and by which rule.
import type { Asked } from './asked.js'
import type { Decided } from './decided.js'
import { type Evidence, type Rule, roleOf } from './evidence.js'
import { membersIn } from './families.js'
import { bySide, endsBetween, otherAmount, type Vectors } from './nearness.js'
import type { Passage } from './passages.js'
import { type Reading, readingOf } from './reading.js'
import type { Judged } from './signals.js'
import type { Stance } from './stances.js'

export function evidenceAgainst(
  asked: Asked,
  { record, claims }: Judged,
  vectors: Vectors | null,
  strength: number,
): Evidence | null {
  const reading = readingOf(record)
  const claim = claims.find((one) => one.verdict === 'conflicts' && one.strength >= worthQuoting)
  const found =
    claim ??
    rival(asked, record.stances, reading) ??
    (vectors && (otherValue(asked, reading, vectors) ?? otherEnd(asked, reading, vectors))) ??
    (vectors && otherSide(asked, reading, vectors))
  return found ? { ...found, strength, fit: strength } : null
}

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

function otherValue(asked: Asked, reading: Reading, vectors: Vectors): Ground | null {
  const passage = otherAmount(asked, reading, vectors)
  return passage && beside('other-value', asked, passage)
}

function otherEnd(asked: Asked, reading: Reading, vectors: Vectors): Ground | null {
  const met = endsBetween(asked, reading, vectors)
    .filter(({ isOpposed, near }) => isOpposed && near >= nearEnough)
    .sort((a, b) => b.near - a.near)[0]
  return met ? between('opposite-end', met.stance, met.decided) : null
}

/** A clause beside the nearest sentence that takes the other side. */
function otherSide(asked: Asked, reading: Reading, vectors: Vectors): Ground | null {
  const met = bySide(asked, reading, vectors)
    .filter(({ isOpposite, near }) => isOpposite && near >= nearEnough)
    .sort((a, b) => b.near - a.near)[0]
  if (!met) return null
  return between(met.stance.side < 0 ? 'negates-chosen' : 'picks-rejected', met.stance, met.decided)
}

const nearEnough = 0.4

function between(rule: Rule, stance: Stance, decided: Decided): Ground {
  const { sentence: decision, line } = decided
  return { rule, verdict: 'conflicts', proposal: stance.sentence, decision, as: roleOf(decided), line }
}

function beside(rule: Rule, asked: Asked, { text: decision, line, role }: Passage): Ground {
  const proposal = (asked.stances.find(({ side }) => side !== 0) ?? asked.stances[0])?.sentence ?? asked.text
  return { rule, verdict: 'conflicts', proposal, decision, as: role === 'chosen' ? 'chosen' : 'said', line }
}
