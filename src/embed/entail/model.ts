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
    sha256: '6a45a07f04198ade3443028d969f625cca9cd0e1bf63665706c55b274daf9f7a',
  } satisfies PinnedFile,
} as const
