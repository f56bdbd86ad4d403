import type { Explanation, Stage } from '../model/hit.js'
import type { Note } from '../model/problem.js'
import type { Library } from './library.js'

export interface SearchRequest {
  query: string
  /** Aliases or ids. */
  collections?: string[]
  under?: string[]
  tags?: string[]
  languages?: string[]
  limit?: number
  maxTokens?: number
  mode?: 'text' | 'vector' | 'hybrid' | 'rerank'
  deadlineMs?: number
  explain?: boolean
}

export interface SearchAnswer {
  query: string
  hits: SearchHit[]
  notes: Note[]
  stages: Stage[]
}

export interface SearchHit {
  collection: string
  document: string
  title: string
  heading: string | null
  lines: [number, number]
  text: string
  score: number
  distance: number | null
  kind: string
  language: string | null
  symbols: string[]
  by: string
  chunk: number
  chunks: number
  explain?: Explanation
}

export async function search(_library: Library, _request: SearchRequest): Promise<SearchAnswer> {
  throw new Error('pending')
}
