import type { DiscoveryType } from '../../model/discovery.js'
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

export const day = 86_400_000

export function now(library: Library): number {
  return library.now?.() ?? Date.now()
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

export const discoveriesSource = 'discoveries'

export const sessionsSource = 'sessions'

/** Whether a name is that of a collection of the project's memory, even if that does not exist yet. */
export function isMemoryName(name: string): boolean {
  return [discoveriesSource, sessionsSource].includes(name.toLowerCase())
}

export const sessionKind = 'session'

export interface Session {
  id: string
  client: string | null
  /** Milliseconds. */
  startedAt: number
  lastAt: number
  endedAt: number | null
  ended: 'disconnect' | 'idle' | 'crash' | null
  calls: number
  /** How often each file was read. */
  files: Record<string, number>
  /** Ids of the recorded discoveries. */
  discoveries: string[]
  pid: number
  host: string
}

/** Whether a session is worth indexing: one with a single file or discovery adds nothing to that file or discovery. */
export function hasSubstance(session: Session): boolean {
  return leftBehind(session) > 1
}

/** How many things were read and recorded. */
export function leftBehind({ files, discoveries }: Session): number {
  return discoveries.length + Object.keys(files).length
}

/** The most read first. */
export function filesOf({ files }: Session): { path: string; count: number }[] {
  return Object.entries(files)
    .map(([path, count]) => ({ path, count }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
}

export const mostDiscoveries = 500

/** The union of two lists of ids. */
export function allRecorded(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].slice(0, mostDiscoveries)
}
