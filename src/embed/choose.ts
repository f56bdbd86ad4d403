// Picks the embedder and the reranker that the settings name. What is wrong with the settings shows here and now; the
// code of a network client or a model is loaded when it is first used, so that starting costs nothing for it.
import { Problem } from '../model/problem.js'
import type { BundledSettings } from './bundled/bundled.js'
import { bundledModel } from './bundled/model.js'
import type { EntailSettings } from './entail/entail.js'
import { entailModel } from './entail/model.js'
import type { Entailment } from './entail/port.js'
import { addressBelow, embeddingService, rerankingService } from './http/address.js'
import { type OnnxSettings, openOnnxEmbedder } from './onnx/onnx-embedder.js'
import type { OpenAiSettings } from './openai-compatible/openai-compatible.js'
import type { Embedder, EmbedOptions } from './port.js'
import { type CrossEncoderSettings, openCrossEncoder } from './rerank/cross-encoder.js'
import { findGteSmall } from './rerank/gte-small.js'
import type { Reranker } from './rerank/port.js'
import type { RerankServiceSettings } from './rerank/rerank-service.js'
import { openSecondStage, type SecondStageSettings } from './rerank/second-stage.js'
import { spaceName } from './space-name.js'

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
      return later(bundledModel.name, bundledModel.dimensions, async () => {
        const { openBundled } = await import('./bundled/bundled.js')
        return openBundled(settings)
      })
    case 'openai-compatible':
      return openAiLater(settings)
    case 'onnx':
      return openOnnxEmbedder(settings)
  }
}

/** Compares proposals with decisions. */
export function chooseEntailment(settings: EntailSettings): Entailment {
  const opened = once(async () => (await import('./entail/entail.js')).openEntailment(settings))
  return {
    model: entailModel.name,
    compare: async (pairs, options) => (await opened.get()).compare(pairs, options),
    close: opened.close,
  }
}

export interface RerankSettings {
  service?: RerankServiceSettings
  crossEncoder?: CrossEncoderSettings
  /** The second-stage model is used when its package is installed, or its folder given; `false` leaves it out. */
  secondStage?: false | (SecondStageSettings & Partial<OnnxSettings>)
}

/** The best of what is there: a service, a local cross-encoder, a second embedding model; null when there is none. */
export function chooseReranker(settings: RerankSettings): Reranker | null {
  if (settings.service) return serviceLater(settings.service)
  if (settings.crossEncoder) return openCrossEncoder(settings.crossEncoder)
  return settings.secondStage === false ? null : chooseSecondStage(settings.secondStage ?? {})
}

// A package that happens to be installed must not keep Carrel from starting: what is wrong with it shows in use.
function chooseSecondStage(settings: SecondStageSettings & Partial<OnnxSettings>): Reranker | null {
  const { folder } = settings
  if (folder !== undefined) return openSecondStage(openOnnxEmbedder({ ...settings, folder }), settings)
  const found = findGteSmall()
  if (found === null) return null
  return rerankLater('gte-small', async () =>
    openSecondStage(openOnnxEmbedder({ ...settings, folder: found }), settings),
  )
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
  return later(spaceName(`${model}/${dimensions}`, passagePrefix), dimensions, async () => {
    const { openOpenAi } = await import('./openai-compatible/openai-compatible.js')
    return openOpenAi(settings)
  })
}

function later(model: string, dimensions: number, open: () => Promise<Embedder>): Embedder {
  const opened = once(open)
  return {
    model,
    dimensions,
    embed: async (texts: readonly string[], options: EmbedOptions) =>
      (await opened.get()).embed(texts, options),
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
