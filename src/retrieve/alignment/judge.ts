// The verdict on every record that a proposal may be about: what is likely enough is said, with the two sentences that
// show it best, and the rest is related.
import type { Verdict } from './align.js'
import type { Asked } from './asked.js'
import { orders } from './cues.js'
import { echoOf, isRepeated } from './echo.js'
import { givenUp } from './given-up.js'
import { evidenceAgainst } from './grounds.js'
import type { Vectors } from './nearness.js'
import type { Prepared } from './prepared.js'
import { readingOf } from './reading.js'
import { saysNoMore } from './same-words.js'
import type { Judged } from './signals.js'
import { isUnreserved } from './tone.js'
import { type Odds, weighed } from './weigh.js'

/** Chosen where nine of ten conflicts are real in proposals that the weights were not fitted on. */
const enoughForConflict = 0.65
/** Records that a proposal fits much less than another one are not what it is about. */
const muchLess = 0.08
/** Support is given only where next to nothing speaks against it. */
const enoughAbout = 0.6
const mostAgainst = 0.15
const enoughAlong = 0.6

/** The verdicts on all candidates of one proposal, once each has its signals. */
export function verdictsOf<R extends Prepared>(
  asked: Asked,
  all: readonly Judged<R>[],
  vectors: Vectors | null,
): { record: R; verdict: Verdict; about: number }[] {
  const odds = all.map(({ signals }) => weighed(signals, vectors !== null))
  const best = Math.max(0, ...odds.map(({ conflict }) => conflict))
  return all.map((judged, i) => {
    const { record, ruled } = judged
    const { about, conflict } = odds[i]!
    const repeated = isRepeated(asked.text, record)
    const certain = echoOf(asked.text, record) ?? (repeated ? null : givenUp(asked, record))
    if (certain && !(repeated && certain.verdict === 'conflicts'))
      return { record, about, verdict: { ...ruled, alignment: certain.verdict, evidence: certain } }
    const enough = Math.max(enoughForConflict, best - muchLess)
    const isLikely = conflict >= enough && !repeated && !sparesRejected(asked, record)
    // However likely it is: a conflict that no two sentences show would be a guess.
    const evidence = isLikely ? evidenceAgainst(asked, judged, vectors, conflict) : null
    if (evidence) return { record, about, verdict: { ...ruled, alignment: 'conflicts', evidence } }
    return {
      record,
      about,
      verdict: { ...ruled, alignment: isAlong(asked, judged, odds[i]!) ? 'supports' : 'related' },
    }
  })
}

/** A record that was rejected turned one of a family down: whoever picks another one does not go against it. */
function sparesRejected({ members }: Asked, record: Prepared): boolean {
  if (record.adr.status !== 'rejected') return false
  const { refused } = readingOf(record).members
  const met = [...members.wanted].filter(([family]) => refused.has(family))
  return (
    met.length > 0 && !met.some(([family, some]) => [...some].some((one) => refused.get(family)!.has(one)))
  )
}

/** A contradiction called support is the one mistake that must not happen: the rules say it, nothing speaks against it. */
function isAlong(asked: Asked, { record, ruled, signals }: Judged, { about, against, along }: Odds): boolean {
  if (ruled.alignment !== 'supports' || !isUnreserved(asked) || !restsOnChoice(ruled, record)) return false
  if (about < enoughAbout || against >= mostAgainst || along < enoughAlong) return false
  if (signals.amounts || (signals['option gap'] ?? -1) > 0 || signals['from unwanted']! > 0) return false
  return saysNoMore(asked.text, record, ruled.evidence) && bringsNothingElse(asked, record)
}

/** Only what a record chose by name can be agreed with: a title that orders or picks, or the option it took. */
function restsOnChoice({ evidence }: Verdict, { stances }: Prepared): boolean {
  const said = stances.filter(({ sentence }) => sentence === evidence?.decision)
  return (
    said.some(({ from }) => from !== 'decision') &&
    said.every(({ from, slot, words }) => from !== 'title' || slot === 'use' || orders.test(words))
  )
}

/** No number, and none of a family, that the record has not. */
function bringsNothingElse({ text, members }: Asked, record: Prepared): boolean {
  const { members: theirs, passages } = readingOf(record)
  const known = new Set(passages.flatMap((passage) => numbersIn(passage.text)))
  return (
    numbersIn(text).every((number) => known.has(number)) &&
    [...members.wanted].every(([family, some]) => {
      const chosen = theirs.chosen.get(family)
      return !chosen || [...some].every((one) => chosen.has(one))
    })
  )
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:\.\d+)*/g) ?? []
}
