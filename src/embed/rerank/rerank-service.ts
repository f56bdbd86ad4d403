// Reranking by a service over HTTP, in the shapes that Cohere, Jina, Voyage and Text Embeddings Inference use.
import { addressBelow, rerankingService } from '../http/address.js'
import { badAnswer, type Named } from '../http/failure.js'
import { createService, type ServiceSettings } from '../http/service.js'
import { prepared } from '../openai-compatible/batch.js'
import type { Reranker } from '../port.js'

export interface RerankServiceSettings extends Omit<ServiceSettings, 'url'> {
  /** As in `https://api.jina.ai/v1` or `http://localhost:8080/rerank`. */
  baseUrl: string
  /** Guessed from the address when left out. */
  shape?: RerankShape
}

export type RerankShape = 'cohere' | 'jina' | 'voyage' | 'tei'

export function openRerankService(settings: RerankServiceSettings): Reranker {
  const url = addressBelow(rerankingService, settings.baseUrl, 'rerank')
  const service = createService(rerankingService, { ...settings, url })
  const { body, most } = shapes[settings.shape ?? shapeOf(url)]

  async function score(
    query: string,
    passages: readonly string[],
    { signal }: { signal?: AbortSignal } = {},
  ) {
    signal?.throwIfAborted()
    const [preparedQuery, texts] = [prepared(query), passages.map(prepared)]
    const scores: number[] = []
    for (let from = 0; from < texts.length; from += most) {
      const part = texts.slice(from, from + most)
      const answer = await service.post(body(settings.model, preparedQuery, part), {
        urgent: true,
        answerBytes: bytesOfScores(part),
        signal,
      })
      scores.push(...readScores(service.named, answer, part.length))
    }
    return scores
  }

  return { model: settings.model, score, close: service.close }
}

type Body = (model: string, query: string, passages: string[]) => object

// `most` is how many passages go into one request: a score does not depend on the others of its request.
const shapes: Record<RerankShape, { body: Body; most: number }> = {
  cohere: {
    body: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
    most: 500,
  },
  jina: {
    body: (model, query, documents) => ({
      model,
      query,
      documents,
      top_n: documents.length,
      return_documents: false,
    }),
    most: 500,
  },
  voyage: {
    body: (model, query, documents) => ({ model, query, documents, return_documents: false }),
    most: 500,
  },
  tei: { body: (_, query, texts) => ({ query, texts, truncate: true }), most: 32 },
}

// Some servers send the passages back, whatever they were told, with six characters for one that is not ASCII.
function bytesOfScores(passages: readonly string[]): number {
  return passages.reduce((sum, text) => sum + 1024 + 6 * text.length, 0)
}

// Jina's is also the shape of most servers that took the idea over (vLLM, LocalAI, llama.cpp).
function shapeOf({ hostname, pathname }: URL): RerankShape {
  if (/cohere/.test(hostname)) return 'cohere'
  if (/voyage/.test(hostname)) return 'voyage'
  return /\/v\d+\//.test(pathname) ? 'jina' : 'tei'
}

function readScores(service: Named, answer: unknown, count: number): number[] {
  const { results, data } = (answer ?? {}) as { results?: unknown; data?: unknown }
  const items = [answer, results, data].find((list) => Array.isArray(list)) as RankedItem[] | undefined
  if (!items)
    throw badAnswer(service, 'answered without scores', 'Check the base URL and the shape of the service.')
  const scores = new Array<number | undefined>(count).fill(undefined)
  for (const item of items) {
    const score = item?.relevance_score ?? item?.score
    if (typeof score === 'number' && Number.isFinite(score) && item.index! in scores)
      scores[item.index!] = score
  }
  if (scores.includes(undefined)) throw badAnswer(service, `did not score every one of ${count} passages`)
  return scores as number[]
}

interface RankedItem {
  index?: number
  relevance_score?: number
  score?: number
}
