// The default model, pinned: what Carrel embeds with from the install on.

export const bundledModel = {
  /**
   * Names model, weights and quantisation. The WASM fallback shares the name: it runs the same weights without
   * quantisation, and its vectors are so close (cosine above 0.98) that an index serves both.
   */
  name: 'all-MiniLM-L6-v2@6638f625/int8',
  dimensions: 384,
  maxTokens: 256,
  shape: { hidden: 384, layers: 6, heads: 12, normEpsilon: 1e-12 },
} as const

export interface PinnedFile {
  size: number
  sha256: string
}

export const pinnedFiles = {
  weights: { size: 45_441_937, sha256: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d' },
  tokenizer: { size: 466_247, sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037' },
  config: { size: 612, sha256: '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41' },
} as const satisfies Record<string, PinnedFile>
