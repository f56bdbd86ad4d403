// Written by evals/alignment-fit.ts: what each signal counts for. Do not edit by hand.
import type { Model } from './signals.js'

export const fitted: { conflict: Model; support: Model } = {
  conflict: { bias: 0, weights: {} },
  support: { bias: 0, weights: {} },
}
