import { accessSync, constants, mkdirSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledModel } from '../embed/bundled/model.js'
import { chooseEmbedder, chooseReranker } from '../embed/choose.js'
import { openEntailment } from '../embed/entail/entail.js'
import type { Embedder, Entailment, Reranker } from '../embed/port.js'
import type { EmbeddingSettings, RerankSettings } from '../model/settings.js'
import { cacheFolder } from './home.js'

/** Embedding works behind everything else: it gives way to whatever the machine is used for. */
const niceness = 5

/** The embedder that the settings name. Nothing is loaded before its first text. */
export function openEmbedder(settings: EmbeddingSettings): Embedder | null {
  switch (settings.provider) {
    case 'none':
      return null
    case 'bundled':
      return chooseEmbedder({
        provider: 'bundled',
        cacheFolder: modelCache(),
        workers: settings.threads,
        niceness,
      })
    case 'onnx':
      return chooseEmbedder({ ...settings, workers: settings.threads, niceness })
    case 'openai-compatible': {
      const { key, requestsPerMinute, ...rest } = settings
      return chooseEmbedder({
        ...rest,
        key: key ?? undefined,
        requestsPerMinute: requestsPerMinute ?? undefined,
      })
    }
  }
}

/** The reranker that the settings name, or the second-stage model if its package is installed; null if there is none. */
export function openReranker(settings: RerankSettings): Reranker | null {
  switch (settings.provider) {
    case 'none':
      return null
    case 'endpoint': {
      const { provider: _, key, ...service } = settings
      return chooseReranker({ service: { ...service, key: key ?? undefined } })
    }
    case 'onnx':
      return chooseReranker({ crossEncoder: { folder: settings.folder } })
    case 'second-stage':
      return chooseReranker({})
  }
}

/** The model that compares proposals with decisions. It comes with Carrel; with the provider `none` there are only rules. */
export function openComparison({ provider }: EmbeddingSettings): Entailment | null {
  return provider === 'none' ? null : openEntailment({ cacheFolder: modelCache(), workers: comparing })
}

/** More processes than for embedding: a caller waits for the answer, and it takes a short time. */
const comparing = Math.min(2, availableParallelism())

/**
 * While another model's vectors are being computed, searches can use those of the bundled one, which is always installed.
 */
export function earlierEmbedder(): (models: readonly string[]) => Embedder | null {
  let opened: Embedder | null = null
  return (models) => {
    if (!models.includes(bundledModel.name)) return null
    opened ??= openEmbedder({ provider: 'bundled', threads: 1 })
    return opened
  }
}

/** Shared by all projects of a user: the converted model is 23 MB and the same everywhere. */
function modelCache(): string {
  for (const folder of [
    join(cacheFolder(), 'models'),
    join(tmpdir(), `carrel-models-${process.getuid?.() ?? 0}`),
  ]) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      accessSync(folder, constants.W_OK)
      return folder
    } catch {
      // A home that cannot be written: the next place will do.
    }
  }
  return join(tmpdir(), 'carrel-models')
}
