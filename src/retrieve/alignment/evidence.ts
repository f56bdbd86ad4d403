// What a verdict rests on: a rule, two sentences, and how well they fit.
import type { Decided } from './decided.js'

export type Rule =
  | 'same-choice'
  | 'same-refusal'
  | 'negates-chosen'
  | 'picks-rejected'
  | 'opposite-end'
  | 'other-value'
  | 'other-option'
  | 'goes-against'
  | 'goes-along'

/** A sentence of a record. */
export interface Quote {
  decision: string
  /** What the record does with it: an option may only be listed, and not taken. */
  as: 'said' | 'chosen' | 'not chosen'
  line: number
}

export interface Evidence extends Quote {
  rule: Rule
  verdict: 'supports' | 'conflicts'
  strength: number
  proposal: string
  /** How much of each of the two sentences the other has, 0..1. */
  fit: number
}

export function roleOf({ from, side }: Decided): Quote['as'] {
  return from !== 'option' ? 'said' : side > 0 ? 'chosen' : 'not chosen'
}
