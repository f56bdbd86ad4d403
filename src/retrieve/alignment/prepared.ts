// Both sides made ready to be compared: records once, a proposal each time.
import type { Adr } from '../../parse/adr/adr.js'
import { sentences } from '../../text/sentences.js'
import { dissent } from './cues.js'
import { type Decided, decidedIn } from './decided.js'
import { type Stance, stancesOf, withReferents } from './stances.js'
import { contentTerms } from './wording.js'

/** A record made ready to be compared with many proposals. */
export interface Prepared<A extends Adr = Adr> {
  adr: A
  stances: Decided[]
  /** All terms of its title, options and decision. */
  terms: ReadonlySet<string>
  /** Those and the terms of its context and consequences: whatever it speaks of. */
  known: ReadonlySet<string>
}

export function prepared<A extends Adr>(adr: A): Prepared<A> {
  const stances = decidedIn(adr)
  const terms = new Set(stances.flatMap((stance) => [...stance.terms]))
  const rest = [...adr.context, ...adr.consequences].slice(0, mostSentences).map(({ text }) => text)
  return { adr, stances, terms, known: new Set([...terms, ...contentTerms(rest.join('\n'))]) }
}

export interface Weights {
  of(term: string): number
  /** In few enough records to tell one from another. */
  isRare(term: string): boolean
  /** In so many that it says nothing about any. */
  isCommon(term: string): boolean
}

/** Rare words tell decisions apart; words that every record has say little. */
export function weightsOf(all: readonly Prepared[]): Weights {
  const counts = new Map<string, number>()
  for (const { terms } of all) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const of = (term: string) => Math.log(1 + (all.length + 2) / ((counts.get(term) ?? 0) + 0.5))
  const few = Math.max(3, all.length * 0.08)
  const many = Math.max(4, all.length * 0.25)
  return {
    of,
    isRare: (term) => (counts.get(term) ?? 0) <= few,
    isCommon: (term) => (counts.get(term) ?? 0) > many,
  }
}

export interface Proposal {
  stances: Stance[]
  /** Every term of the proposal and of its context. */
  all: ReadonlySet<string>
  /** It says that it goes against something, whatever that is. */
  dissents: boolean
}

/** What a proposal stands for. Its context says what it is about and takes no side. */
export function proposalOf(text: string, context = ''): Proposal {
  const stances = text
    .split(/\n+/)
    .flatMap((line) => sentences(line.replace(/^\s*(?:[-*+]|\d+[.)]|#+)\s+/, '')))
    .slice(0, mostSentences)
    .flatMap((one, i) => stancesOf(one.text, i + 1))
  return {
    stances: withReferents(stances),
    all: contentTerms(`${text}\n${context}`),
    dissents: dissent.test(text),
  }
}

const mostSentences = 80

export interface Scene {
  proposal: readonly Stance[]
  record: Prepared
  weights: Weights
  /** Every term of the proposal. */
  all: ReadonlySet<string>
}
