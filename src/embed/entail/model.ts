// The model that compares, pinned: gte-small's twelve layers, trained further on pairs of a decision and a proposal
// (evals/entailment). It cuts texts into the same pieces as the default embedding model, whose tokenizer it uses.
import { fileURLToPath } from 'node:url'
import type { PinnedFile } from '../bundled/model.js'

export const entailModel = {
  name: 'carrel-entail-4',
  shape: { hidden: 384, layers: 12, heads: 12, normEpsilon: 1e-12 },
  /** Of both texts together. */
  maxTokens: 160,
  /** In the order of the model's classes. */
  classes: ['against', 'along', 'beside'],
  weights: fileURLToPath(new URL('../../../../models/entail-4.safetensors', import.meta.url)),
  pinned: {
    size: 33_773_132,
    sha256: 'cb814030f2dc62297595c5a51e75e29d2540accd4c052ce52efd8785f68b8aac',
  } satisfies PinnedFile,
} as const
