// Embeddings from a service that speaks OpenAI's API: OpenAI itself, Ollama, LM Studio, vLLM, TEI and many more.

import { Problem } from '../../model/problem.js'
import { mapLimit } from '../../runtime/for-each-limit.js'
import { addressBelow, embeddingService } from '../http/address.js'
import { createService, type ServiceSettings } from '../http/service.js'
import type { Embedder } from '../port.js'
import { spaceName } from '../port.js'
import { readVectors } from './answer.js'
import { type BatchLimits, batchesOf, prepared } from './batch.js'

export interface OpenAiSettings extends Omit<ServiceSettings, 'url'> {
  /** As in `http://localhost:11434/v1`. */
  baseUrl: string
  /** Of the vectors that the model gives. */
  dimensions: number
  queryPrefix?: string
  passagePrefix?: string
  batch?: Partial<BatchLimits>
  /** Requests at the same time. */
  concurrency?: number
}

export function openOpenAi(settings: OpenAiSettings): Embedder {
  const { model, dimensions, queryPrefix = '', passagePrefix = '', concurrency = 2 } = settings
  const url = addressBelow(embeddingService, settings.baseUrl, 'embeddings')
  const service = createService(embeddingService, { ...settings, url })
  const extras = extrasFor(settings)

  async function embed(
    texts: readonly string[],
    options: { kind: 'query' | 'passage'; signal?: AbortSignal },
  ) {
    options.signal?.throwIfAborted()
    const prefix = options.kind === 'query' ? queryPrefix : passagePrefix
    const request = { urgent: options.kind === 'query', signal: options.signal }
    const embedOne = (batch: string[]) =>
      embedBatch(
        batch.map((text) => prepared(prefix + text)),
        request,
      )
    const results = await mapLimit(batchesOf(texts, settings.batch), embedOne, concurrency)
    return results.flat()
  }

  async function embedBatch(
    batch: string[],
    request: { urgent: boolean; signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    try {
      const answerBytes = batch.length * bytesOfVector(dimensions)
      const answer = await service.post({ model, input: batch, ...extras }, { ...request, answerBytes })
      return readVectors(service.named, answer, { count: batch.length, dimensions })
    } catch (error) {
      const smaller =
        error instanceof Problem && error.code === 'embedder_too_long' ? inSmallerParts(batch) : null
      if (!smaller) throw error
      return (await mapLimit(smaller, (part) => embedBatch(part, request), 1)).flat()
    }
  }

  return {
    model: spaceName(`${model}/${dimensions}`, passagePrefix),
    dimensions,
    embed,
    close: service.close,
  }
}

// Only OpenAI's newer models, and those trained for it, accept a number of dimensions; others answer with an error.
function extrasFor({ model, dimensions }: OpenAiSettings): object {
  return /text-embedding-3-/.test(model) ? { dimensions } : {}
}

// A number in full is up to 24 characters, and some services put each on a line of its own. Where vectors turn out longer
// than configured, their length is told; so there is room for most.
function bytesOfVector(dimensions: number): number {
  return 1024 + 48 * Math.max(dimensions, 1024)
}

// A service that finds a batch too long gets half of it, then half of the text: the beginning says most.
function inSmallerParts(batch: string[]): string[][] | null {
  const [text] = batch
  const middle = Math.ceil(batch.length / 2)
  if (batch.length > 1) return [batch.slice(0, middle), batch.slice(middle)]
  return text!.length > 200 ? [[prepared(text!.slice(0, Math.floor(text!.length / 2)))]] : null
}
