// What reading a record together with a proposal comes to, as signals.
import type { Stand } from '../../embed/entail/port.js'
import type { Asked } from './asked.js'
import { amountsDiffer, quantitiesIn } from './quantities.js'
import type { Signals } from './signals.js'
import type { ReadRecord } from './statements.js'

export function readSignals({ amounts }: Asked, { statements: all, atOnce }: ReadRecord): Signals {
  const most = (of: (stand: Stand) => number) => Math.max(farthest, ...all.map(({ stand }) => of(stand)))
  const mostAtOnce = (of: (stand: Stand) => number) => Math.max(farthest, ...atOnce.map(of))
  const titled = all.filter(({ statement }) => statement.role === 'title')
  const count = (side: 'against' | 'along', other: 'against' | 'along') =>
    all.filter(({ stand }) => stand[side] > stand[other] && stand[side] > stand.beside).length
  return {
    'read: against': most((stand) => logOdds(stand.against)),
    'read: along': most((stand) => logOdds(stand.along)),
    'read: gap': most((stand) => logOdds(stand.against) - logOdds(stand.along)),
    'read: beside': most((stand) => -logOdds(stand.beside)),
    'read: title against': Math.max(unsaid, ...titled.map(({ stand }) => logOdds(stand.against))),
    'read: title along': Math.max(unsaid, ...titled.map(({ stand }) => logOdds(stand.along))),
    'read: often against': count('against', 'along'),
    'read: often along': count('along', 'against'),
    'read: amounts': all.some(({ statement }) => amountsDiffer(amounts, quantitiesIn(statement.text)))
      ? 1
      : 0,
    'at once: against': mostAtOnce((stand) => logOdds(stand.against)),
    'at once: along': mostAtOnce((stand) => logOdds(stand.along)),
    'at once: gap': mostAtOnce((stand) => logOdds(stand.against) - logOdds(stand.along)),
    'at once: beside': mostAtOnce((stand) => -logOdds(stand.beside)),
  }
}

const farthest = -12
/** As of a title that says nothing about it. */
const unsaid = -4

function logOdds(probability: number): number {
  return Math.log((probability + least) / (1 - probability + least))
}

/** Where it stands out among the records that were read, how clearly: little of it says nothing, much of it almost all. */
export function clearSignals(signals: Signals): Signals {
  const over = (name: string, least: number) => Math.max(0, (signals[name] ?? 0) - least)
  return {
    'read: clearly against': over('read: against', 1.5),
    'read: clearly along': over('read: along', 0),
    'read: apart': over('read: against: margin', 1),
    'read: against and apart': over('read: against', 0) * over('read: against: margin', 0),
  }
}

/** What is more certain than this is not more so. */
const least = 0.002
