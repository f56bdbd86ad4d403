// What nearness in meaning adds: which sentences of a record a proposal stands beside, and on which side of them. Near is
// what a contradiction is too, so nothing here tells the two apart alone.
import type { Asked } from './asked.js'
import type { Decided } from './decided.js'
import { common } from './measures.js'
import type { Passage, Role } from './passages.js'
import { amountsDiffer } from './quantities.js'
import type { Reading } from './reading.js'
import type { Signals } from './signals.js'
import type { Stance } from './stances.js'

/** The vector of a text that was asked for beforehand. */
export type Vectors = (text: string) => Float32Array

export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!
  return sum
}

/** How near the nearest sentence of the record is to the whole proposal. */
export function nearestOf({ text }: Asked, { passages }: Reading, vectors: Vectors): number {
  const whole = vectors(text)
  return Math.max(0, ...passages.map((one) => cosine(whole, vectors(one.text))))
}

interface Sight {
  reading: Reading
  vectors: Vectors
  /** What the words said. */
  signals: Readonly<Signals>
}

export function meaningSignals(asked: Asked, { reading, vectors, signals }: Sight): Signals {
  const nearest = nearestOf(asked, reading, vectors)
  const decided = nearestIn(asked, reading, vectors, ['title', 'chosen', 'said'])
  const former = nearestIn(asked, reading, vectors, ['former'])
  const sides = bySide(asked, reading, vectors)
  const ends = endsBetween(asked, reading, vectors)
  const best = Math.max
  return {
    nearest,
    'nearest decided': decided,
    'nearest title': nearestIn(asked, reading, vectors, ['title']),
    former: former > 0 ? former - decided : notThere,
    ...refusedSignals(asked, reading, vectors),
    'opposite side': best(0, ...sides.filter(({ isOpposite }) => isOpposite).map(({ near }) => near)),
    'same side': best(0, ...sides.filter(({ isOpposite }) => !isOpposite).map(({ near }) => near)),
    'ends opposed': best(0, ...ends.filter(({ isOpposed }) => isOpposed).map(({ near }) => near)),
    'ends agreed': best(0, ...ends.filter(({ isOpposed }) => !isOpposed).map(({ near }) => near)),
    ...besideNearest(asked, reading, vectors),
    unaffirmed: reading.hasName ? (1 - signals['affirmed title']!) * nearest : 0,
    'new name unaffirmed': signals['new names']! > 0 && signals['affirmed title']! < 0.5 ? nearest : 0,
    amounts: otherAmount(asked, reading, vectors) ? 1 : 0,
  }
}

/** A clause that is for something beside the nearest sentence that is so too: what it leaves out and what it takes up. */
function besideNearest(asked: Asked, reading: Reading, vectors: Vectors): Signals {
  const met = bySide(asked, reading, vectors)
    .filter(({ stance, decided }) => stance.side > 0 && decided.side > 0)
    .reduce<Beside | null>((best, one) => (one.near > (best?.near ?? 0) ? one : best), null)
  if (!met) return { 'nearest left out': 0, 'nearest taken up': 0 }
  const { stance, decided, near } = met
  const said = (terms: ReadonlySet<string>) =>
    terms.size === 0 ? 0 : common(stance.terms, terms) / terms.size
  return {
    'nearest left out': decided.terms.size === 0 ? 0 : (1 - said(decided.terms)) * near,
    'nearest taken up': said(decided.key) * near,
  }
}

/** What a signal is that compares with something the record does not have. */
const notThere = -0.3

/** Another amount of the same kind, in a sentence that is near enough to be about the same thing. */
export function otherAmount(asked: Asked, reading: Reading, vectors: Vectors): Passage | null {
  if (asked.amounts.length === 0) return null
  const whole = vectors(asked.text)
  for (const [passage, amounts] of reading.amounts)
    if (amountsDiffer(asked.amounts, amounts) && cosine(whole, vectors(passage.text)) > sameMatter)
      return passage
  return null
}

const sameMatter = 0.45

function nearestIn({ text }: Asked, { passages }: Reading, vectors: Vectors, roles: readonly Role[]): number {
  const whole = vectors(text)
  const there = passages.filter(({ role }) => roles.includes(role))
  return Math.max(0, ...there.map((one) => cosine(whole, vectors(one.text))))
}

/** Whether it is nearer to what was turned down than to what was chosen, as a whole and by what it picks. */
function refusedSignals(asked: Asked, reading: Reading, vectors: Vectors): Signals {
  const inAnyPart = (roles: readonly Role[]) => {
    const there = reading.passages.filter(({ role }) => roles.includes(role)).map(({ text }) => text)
    return nearestPhrase(asked.texts, there, vectors)
  }
  const refused = inAnyPart(['refused'])
  const option = nearestPhrase(asked.wantedOptions, reading.chosen, vectors)
  const other = nearestPhrase(asked.wantedOptions, reading.refused, vectors)
  return {
    refused: refused > 0 ? refused - inAnyPart(['title', 'chosen']) : notThere,
    option,
    'option refused': other,
    'option gap': reading.refused.length > 0 ? other - option : -0.2,
    'unwanted option': nearestPhrase(asked.unwantedOptions, reading.chosen, vectors),
  }
}

function nearestPhrase(some: readonly string[], others: readonly string[], vectors: Vectors): number {
  let best = 0
  for (const one of some)
    for (const other of others) best = Math.max(best, cosine(vectors(one), vectors(other)))
  return best
}

export interface Beside {
  stance: Stance
  decided: Decided
  near: number
  isOpposite: boolean
}

/** Every clause that takes a side beside every one of the record that does. */
export function bySide(asked: Asked, { sided }: Reading, vectors: Vectors): Beside[] {
  return asked.sided.flatMap((stance) =>
    sided.map((decided) => ({
      stance,
      decided,
      near: cosine(vectors(stance.words), vectors(decided.sentence)) * decided.trust,
      isOpposite: stance.side * decided.side < 0,
    })),
  )
}

export interface EndsMet {
  stance: Stance
  decided: Decided
  axis: string
  near: number
  isOpposed: boolean
}

/** Axes on which a clause and one of the few sentences nearest to it both stand; where they differ both ways, neither. */
export function endsBetween(asked: Asked, reading: Reading, vectors: Vectors): EndsMet[] {
  const met = [...asked.ends].flatMap(([stance, ends]) => {
    if (ends.size === 0) return []
    const clause = vectors(stance.words)
    return [...reading.ends]
      .map(([decided, theirs]) => ({ decided, theirs, near: cosine(clause, vectors(decided.sentence)) }))
      .sort((a, b) => b.near - a.near)
      .slice(0, fewNearest)
      .filter(({ near }) => near >= leastNear)
      .flatMap(({ decided, theirs, near }) => axesMet(stance, decided, { ends, theirs, near }))
  })
  return met.filter(
    (one) =>
      !met.some((two) => two.axis === one.axis && two.isOpposed !== one.isOpposed && two.near >= one.near),
  )
}

const fewNearest = 4
const leastNear = 0.35

function axesMet(
  stance: Stance,
  decided: Decided,
  {
    ends,
    theirs,
    near,
  }: { ends: ReadonlyMap<string, number>; theirs: ReadonlyMap<string, number>; near: number },
): EndsMet[] {
  return [...ends].flatMap(([axis, end]) => {
    const other = theirs.get(axis)
    if (other === undefined) return []
    return [{ stance, decided, axis, near, isOpposed: end * stance.side !== other * decided.side }]
  })
}
