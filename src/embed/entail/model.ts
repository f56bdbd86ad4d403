// The model that compares, pinned: the default embedding model, trained further on pairs of a decision and a proposal
// (evals/entailment). Words and places are the embedding model's own; the rest lies in models/.
import { fileURLToPath } from 'node:url'
import type { PinnedFile } from '../bundled/model.js'

export const entailModel = {
  name: 'carrel-entail-1',
  /** Of both texts together. */
  maxTokens: 160,
  /** In the order of the model's classes. */
  classes: ['against', 'along', 'beside'],
  weights: fileURLToPath(new URL('../../../../models/entail-1.safetensors', import.meta.url)),
  pinned: {
    size: 10_849_852,
    sha256: 'a3be840fb488d9e4c6bf00bca537e7f1cf7d85b3ad21642cc2b08cf8b7d430c3',
  } satisfies PinnedFile,
} as const
