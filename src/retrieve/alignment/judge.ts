// The verdict on every record that a proposal may be about. A literal rule decides where one applies; else the reading model
// does, where it is sure enough; the rest is related.
import type { Adr } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import type { Evidence, Quote, Verdict } from './evidence.js'
import { literalRule } from './literal.js'
import { type Candidate, type Odds, oddsOf, type Read, type Signals, signalsOf } from './signals.js'
import { quoteOf } from './statements.js'

/** Chosen by hand on the tables of evals/alignment-fit.ts; decision 23 says on which parts. */
const enough = 0.55
/** A record that the proposal contradicts much less than another one is not what it is about. */
const muchLess = 0.08
/** Bounds within which no contradiction of the labelled set was called support. They were chosen on that set. */
const support = { odds: 0.7, along: 1, against: -1, mostWords: 20 }

/** The verdicts by reading, in the order of the candidates. */
export function verdictsByReading<R extends Adr>(
  proposal: string,
  candidates: readonly Candidate<R>[],
): Verdict[] {
  const signals = signalsOf(candidates)
  const literalEvidence = literalRule(proposal)
  const odds = signals.map(oddsOf)
  const best = Math.max(0, ...odds.map(({ conflict }) => conflict))
  return candidates.map(({ record, read: { statements } }, i) => {
    const nearest = nearestQuote(statements)
    const literal = literalEvidence(record)
    if (literal && !isDoubted(literal, signals[i]!))
      return { alignment: literal.verdict, evidence: literal, nearest }
    const { conflict } = odds[i]!
    const against = conflict >= Math.max(enough, best - muchLess) ? clearest(statements, 'against') : null
    if (against && against.stand.against > clear)
      return { alignment: 'conflicts', evidence: evidenceOf('goes-against', against, conflict), nearest }
    const along = isFollowed(proposal, signals[i]!, odds[i]!) ? clearest(statements, 'along') : null
    if (along)
      return { alignment: 'supports', evidence: evidenceOf('goes-along', along, odds[i]!.support), nearest }
    return { alignment: 'related', evidence: null, nearest }
  })
}

/** The verdicts where no model reads. */
export function verdictsByWords(proposal: string): (record: Adr) => Verdict {
  const literalEvidence = literalRule(proposal)
  return (record) => {
    const evidence = literalEvidence(record)
    return { alignment: evidence?.verdict ?? 'related', evidence, nearest: evidence }
  }
}

/** A contradiction called support is the one mistake that must not happen: reading may take a support back. */
function isDoubted({ verdict }: Evidence, { against }: Signals): boolean {
  return verdict === 'supports' && against! > 1
}

export function isFollowed(proposal: string, signals: Signals, odds: Odds): boolean {
  return (
    isShort(proposal) &&
    odds.support >= support.odds &&
    signals.along! >= support.along &&
    signals.against! <= support.against &&
    signals['at once: against']! <= support.against
  )
}

/** A long proposal may follow a record in one half and break it in the other. */
function isShort(proposal: string): boolean {
  const said = proposal.trim()
  return !said.includes('\n') && sentences(said).length === 1 && said.split(/\s+/).length <= support.mostWords
}

const clear = 0.4

function clearest(reads: readonly Read[], side: 'against' | 'along'): Read | null {
  return reads.reduce<Read | null>(
    (best, one) => (best && best.stand[side] >= one.stand[side] ? best : one),
    null,
  )
}

/** The title is known already. */
function nearestQuote(reads: readonly Read[]): Quote | null {
  const said = reads.filter(({ statement }) => statement.body !== '')
  const first = said.reduce<Read | null>(
    (best, one) => (best && best.stand.beside <= one.stand.beside ? best : one),
    null,
  )
  const found = first && first.stand.beside < clear ? first : said[0]
  return found ? quoteOf(found.statement) : null
}

function evidenceOf(rule: 'goes-against' | 'goes-along', read: Read, strength: number): Evidence {
  const verdict = rule === 'goes-against' ? 'conflicts' : 'supports'
  return { rule, verdict, strength, proposal: read.part, ...quoteOf(read.statement) }
}
