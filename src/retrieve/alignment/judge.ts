// The verdict on every record that a proposal may be about: what is likely enough is said, with the two sentences that
// show it best, and the rest is related.
import { sentences } from '../../text/sentences.js'
import type { Verdict } from './align.js'
import type { Asked } from './asked.js'
import { orders } from './cues.js'
import { echoOf, isRepeated } from './echo.js'
import type { Quote } from './evidence.js'
import { givenUp } from './given-up.js'
import { alongEvidence, nearestQuote, readEvidence, wordEvidence } from './grounds.js'
import type { Prepared } from './prepared.js'
import { readingOf } from './reading.js'
import { saysNoMore } from './same-words.js'
import type { Judged, Signals } from './signals.js'
import { isUnreserved } from './tone.js'
import { type Odds, weighed } from './weigh.js'
import { fitted } from './weights.js'

/** By reading, where eight of nine conflicts were real on repositories left out of the fit; by words, nine of ten. */
const enough = { read: 0.6, words: 0.65 }
/** Records that a proposal fits much less than another one are not what it is about. */
const muchLess = 0.08
/** What reading may find of a conflict where words say support (a logarithm of odds). */
const mostRead = -1
/** Support is given only where next to nothing speaks against it. */
const enoughAbout = 0.6
const mostAgainst = 0.15
const enoughAlong = 0.6
/** By reading: odds, and of single statements the logarithm of odds. Chosen where no contradiction came near. */
const followed: Bounds = {
  along: 0.65,
  least: { 'read: along': 2 },
  most: { 'read: against': -2.5, 'at once: against': -2.5 },
}
/** The same of a few words that make one point: what is read at once may say so more clearly than any statement alone. */
const followedAtOnce: Bounds = {
  along: 0.7,
  least: { 'read: along': 1 },
  most: { 'read: against': 1, 'at once: gap': -4 },
}

interface Bounds {
  along: number
  least: Signals
  most: Signals
}

export interface Found<R extends Prepared> {
  record: R
  verdict: Verdict
  /** Odds that the proposal is about it. */
  about: number
  /** What it says that comes nearest. */
  nearest: Quote | null
}

/** The verdicts on all candidates of one proposal, once each has its signals. */
export function verdictsOf<R extends Prepared>(asked: Asked, all: readonly Judged<R>[]): Found<R>[] {
  const words = all.map(({ signals }) => weighed(signals, fitted.words))
  const read = all.map(({ signals, reads }) => (reads ? weighed(signals, fitted.read) : null))
  const isLikelyByWords = likely(words, enough.words)
  const isLikelyByReading = likely(read, enough.read)
  return all.map((judged, i) => {
    const { record, ruled, signals } = judged
    const found = { record, about: (read[i] ?? words[i]!).about, nearest: nearestQuote(judged) }
    const repeated = isRepeated(asked.text, record)
    const certain = echoOf(asked.text, record) ?? (repeated ? null : givenUp(asked, record))
    if (certain && !(repeated && certain.verdict === 'conflicts'))
      return { ...found, verdict: { ...ruled, alignment: certain.verdict, evidence: certain } }
    // However likely it is: a conflict that no two sentences show would be a guess. Of a record that was read, what words alone
    // find is not said: on proposals that nobody had tuned to, 9 of 33 such conflicts were real.
    const isLikely = read[i] ? isLikelyByReading(i) : isLikelyByWords(i)
    const evidence =
      !isLikely || repeated || sparesRejected(asked, record)
        ? null
        : read[i]
          ? readEvidence(asked, judged, read[i].conflict)
          : wordEvidence(asked, judged, words[i]!.conflict)
    if (evidence) return { ...found, verdict: { ...ruled, alignment: 'conflicts', evidence } }
    const support = isAlong(asked, judged, words[i]!)
      ? ruled.evidence
      : read[i] && follows(asked.text, signals, read[i])
        ? alongEvidence(judged.reads!)
        : null
    if (support) return { ...found, verdict: { ...ruled, alignment: 'supports', evidence: support } }
    return { ...found, verdict: { ...ruled, alignment: 'related' } }
  })
}

/** Reading finds that it follows the record, and no rule says otherwise. */
export function follows(text: string, signals: Signals, odds: Odds): boolean {
  if (odds.about < enoughAbout || saysOtherwise.some((name) => signals[name])) return false
  return (
    (isPlain(text) && isWithin(followed, signals, odds)) ||
    (isOnePoint(text) && isWithin(followedAtOnce, signals, odds))
  )
}

function isWithin({ along, least, most }: Bounds, signals: Signals, odds: Odds): boolean {
  return (
    odds.along >= along &&
    Object.entries(least).every(([name, bound]) => signals[name]! >= bound) &&
    Object.entries(most).every(([name, bound]) => signals[name]! <= bound)
  )
}

const mostWords = 20
const mostWordsOfOne = 14

/** What is long may follow a record in one half and break it in the other. */
function isPlain(text: string, most = mostWords): boolean {
  const said = text.trim()
  return !said.includes('\n') && sentences(said).length === 1 && said.split(/\s+/).length <= most
}

function isOnePoint(text: string): boolean {
  return isPlain(text, mostWordsOfOne) && !/[,;:]/.test(text)
}

const saysOtherwise = ['against', 'read: amounts', 'family: rival', 'family: refused']

function likely(odds: readonly (Odds | null)[], least: number): (place: number) => boolean {
  const best = Math.max(0, ...odds.map((one) => one?.conflict ?? 0))
  return (place) => (odds[place]?.conflict ?? 0) >= Math.max(least, best - muchLess)
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
  if (signals['read: amounts'] || signals['from unwanted']! > 0) return false
  if ((signals['read: against'] ?? mostRead) > mostRead) return false
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
