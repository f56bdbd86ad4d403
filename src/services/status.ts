import type { Library } from './library.js'

export interface Status {
  root: string
  data: string
  collections: {
    name: string
    id: string
    kind: string
    location: string
    documents: number
    chunks: number
  }[]
  documents: number
  chunks: number
  characters: number
  databaseBytes: number
  /** Who is indexing right now, if anybody. */
  indexing: { pid: number; host: string } | null
  lastIndexed: string | null
  lastFailures: { source: string; path: string; reason: string }[]
  vectors: { model: string; count: number }[]
}

export async function status(_library: Library): Promise<Status> {
  throw new Error('pending')
}
