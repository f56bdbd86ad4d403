import type { DiscoveryType } from '../../model/discovery.js'
// What was found out about a project and is worth keeping: patterns, rules, decisions and issues. A discovery is a record
// of our own; as a document of a source of its own it is found by the same search as everything else.
import type { Library } from '../library.js'

export interface Discovery {
  id: string
  type: DiscoveryType
  content: string
  module: string | null
  /** The session it was first recorded in. */
  session: string | null
  createdAt: string
  updatedAt: string
  /** How often it was stated. */
  count: number
  /** Where it was stated, the first and the latest. */
  provenance: Provenance[]
  /** The id of the newer discovery that replaced it. */
  supersededBy: string | null
}

export interface Provenance {
  by: 'tool' | 'command' | 'notes' | 'transcript'
  at: string
  session?: string
  file?: string
  line?: number
  message?: string
}

export const discoveryKind = 'discovery'

/** By id. */
export async function allDiscoveries({ store }: Library): Promise<Discovery[]> {
  return (await store.records.all<Discovery>(discoveryKind)).map(({ value }) => value)
}
