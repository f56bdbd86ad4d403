// A session as it is kept.

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
  /** Ids of what was recorded. */
  discoveries: string[]
  pid: number
  host: string
}

/** One file or one discovery is found as itself; a session is worth finding for what belongs together. */
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

/** What was recorded here and there, each once. */
export function allRecorded(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].slice(0, mostDiscoveries)
}
