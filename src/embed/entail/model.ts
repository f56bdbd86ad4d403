// The model that compares, pinned: gte-small's twelve layers, trained further on pairs of a decision and a proposal
// (evals/entailment). It cuts texts into the same pieces as the default embedding model, whose tokenizer it uses.
import { fileURLToPath } from 'node:url'
import type { PinnedFile } from '../bundled/model.js'

export const entailModel = {
  name: 'carrel-entail-5',
  shape: { hidden: 384, layers: 12, heads: 12, normEpsilon: 1e-12 },
  /** Of both texts together. */
  maxTokens: 224,
  /** In the order of the model's classes. */
  classes: ['against', 'along', 'beside'],
  weights: fileURLToPath(new URL('../../../../models/entail-5.safetensors', import.meta.url)),
  pinned: {
    size: 33_871_436,
    sha256: 'ae4cb8c73db9858f3a3a185d9e5784d613339cda9ee2c800036c0b90ff64bb1b',
  } satisfies PinnedFile,
} as const
