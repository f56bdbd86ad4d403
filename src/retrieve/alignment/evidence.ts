// What a verdict rests on: a rule and two sentences.

/** Rules by words first, then what the reading model finds. */
export type Rule =
  | 'same-choice'
  | 'negates-chosen'
  | 'picks-rejected'
  | 'other-option'
  | 'goes-against'
  | 'goes-along'

/** A sentence of a record. */
export interface Quote {
  decision: string
  /** What the record does with it: an option may only be listed, and not chosen. */
  as: 'said' | 'chosen' | 'not chosen'
  line: number
}

export interface Evidence extends Quote {
  rule: Rule
  verdict: 'supports' | 'conflicts'
  /** 0..1: 1 by a rule, else the model's odds. */
  strength: number
  proposal: string
}

export interface Verdict {
  alignment: 'supports' | 'conflicts' | 'related'
  evidence: Evidence | null
  /** What the record says that bears on the proposal most. */
  nearest: Quote | null
}
