import type { Settings } from '../model/settings.js'

export interface EvalReport {
  set: string
  mode: 'text' | 'vector' | 'hybrid' | 'rerank'
  documents: number
  queries: number
  /** Any grade above 0 counts as relevant. */
  ndcg10: number
  /** With the grades as gains. */
  ndcg10Graded: number
  recall100: number
  mrr10: number
  queryMs: { p50: number; p95: number }
  indexMs: number
  notes: string[]
}

export async function evaluate(
  _settings: Settings,
  _options: {
    folder: string
    mode: EvalReport['mode']
    onProgress?: (message: string) => void
    signal?: AbortSignal
  },
): Promise<EvalReport> {
  throw new Error('pending')
}
