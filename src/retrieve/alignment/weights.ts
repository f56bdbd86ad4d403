// Written by evals/alignment-fit.ts: what each signal counts for. Do not edit by hand.
import type { Model } from './signals.js'

export const fitted: { conflict: Model; support: Model } = {
  conflict: {
    bias: -1.4499,
    weights: {
      against: 0.1698,
      gap: -0.0757,
      near: 0.1754,
      'at once: against': 0.3432,
      'at once: gap': 0.0318,
      'at once: near': 0.1224,
      'against: rank': 0.0828,
      'against: margin': 0.0633,
      'near: rank': -0.0954,
      'near: margin': 0.3637,
      score: -1.3813,
      'score: rank': -0.4584,
      'score: margin': 4.1822,
      'clearly against': 0.9193,
      'clearly along': -0.7475,
      apart: -0.623,
      'against and apart': 0.1639,
    },
  },
  support: {
    bias: -2.2278,
    weights: {
      against: 0.1254,
      along: 0.3146,
      gap: -0.1569,
      near: 0.2132,
      'at once: against': 0.0104,
      'at once: along': 0.2923,
      'at once: gap': -0.0965,
      'at once: near': 0.1827,
      'near: rank': -0.1851,
      score: 0.2732,
      'score: rank': -0.3365,
    },
  },
}
