// The model that compares, pinned: gte-small's twelve layers, trained further on pairs of a decision and a proposal
// (evals/entailment). It cuts texts into the same pieces as the default embedding model, whose tokenizer it uses.
import { fileURLToPath } from 'node:url'
import type { PinnedFile } from '../bundled/model.js'

export const entailModel = {
  name: 'carrel-entail-3',
  shape: { hidden: 384, layers: 12, heads: 12, normEpsilon: 1e-12 },
  /** Of both texts together. */
  maxTokens: 160,
  /** In the order of the model's classes. */
  classes: ['against', 'along', 'beside'],
  weights: fileURLToPath(new URL('../../../../models/entail-3.safetensors', import.meta.url)),
  pinned: {
    size: 33_773_132,
    sha256: '5049cbb08c27d247c2e4460d5decb6214d734cd83b386d639be064ff1ac63f67',
  } satisfies PinnedFile,
} as const
