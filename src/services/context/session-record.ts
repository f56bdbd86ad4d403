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

/** A session that left nothing behind is not worth finding. */
export function hasSubstance({ files, discoveries }: Session): boolean {
  return discoveries.length > 0 || Object.keys(files).length > 0
}

/** The most read first. */
export function filesOf({ files }: Session): { path: string; count: number }[] {
  return Object.entries(files)
    .map(([path, count]) => ({ path, count }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
}
