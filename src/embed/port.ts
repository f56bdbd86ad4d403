// Meaning as numbers. An embedder turns texts into unit vectors; it knows no store and no query.

export interface Embedder {
  /** Names the vectors' space: model, quantisation and weights. Vectors of another name are not comparable. */
  readonly model: string
  readonly dimensions: number
  /** One unit-length vector a text, in order. A query and a passage may be worded differently to the model. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
  close(): Promise<void>
}

export interface EmbedOptions {
  kind: 'query' | 'passage'
  signal?: AbortSignal
  /** Told each vector and its text's place as soon as it is there, by a model that has them one after the other. */
  onVector?: (place: number, vector: Float32Array) => void
}
