// One scan of a folder for several searches that wait at the same time. To read all files costs a search nearly all of its
// time, and to look for fifty patterns costs no more than to look for one.

export interface SharedScans<Query, Found> {
  /** Adds a search to those that wait. Searches with the same key may share a scan. */
  join(key: string, query: Query): SharedScan<Found>
}

export interface SharedScan<Found> {
  /**
   * Starts a scan for this search and for those that wait, or waits for the one that runs. Null when this search has to
   * scan by itself: no other waits, or no scan helps.
   */
  found(): Promise<Found | null>
  /** The search is over or was cancelled. A scan whose searches have all left is aborted. */
  leave(): void
}

/** Finds what may concern any of the queries; null when that is too much to help each of them. */
export type Scan<Query, Found> = (queries: Query[], signal: AbortSignal) => Promise<Found | null>

interface Member<Query, Found> {
  query: Query
  left: boolean
  /** Those to share the next scan with; null while it waits with all others of its key. */
  group: Member<Query, Found>[] | null
  scan: Promise<Found | null> | null
  abortIfLeft: () => void
}

const mostQueries = 50

export function sharedScans<Query, Found>(scan: Scan<Query, Found>): SharedScans<Query, Found> {
  const waiting = new Map<string, Set<Member<Query, Found>>>()

  function join(key: string, query: Query): SharedScan<Found> {
    const member: Member<Query, Found> = {
      query,
      left: false,
      group: null,
      scan: null,
      abortIfLeft: () => {},
    }
    waiting.set(key, (waiting.get(key) ?? new Set()).add(member))
    return {
      found: () => foundFor(key, member),
      leave() {
        member.left = true
        stopWaiting(key, [member])
        member.abortIfLeft()
      },
    }
  }

  async function foundFor(key: string, member: Member<Query, Found>): Promise<Found | null> {
    for (;;) {
      if (member.scan === null) {
        const group = (member.group ?? groupFor(key, member)).filter(({ left }) => !left)
        if (group.length < 2) return null
        start(group)
      }
      const found = await member.scan
      if (found !== null || member.left) return found
    }
  }

  /** This search and other waiting ones, at most as many as one scan serves. */
  function groupFor(key: string, member: Member<Query, Found>): Member<Query, Found>[] {
    const others = [...(waiting.get(key) ?? [])].filter((other) => other !== member)
    const group = [member, ...others.slice(0, mostQueries - 1)]
    stopWaiting(key, group)
    return group
  }

  function stopWaiting(key: string, members: readonly Member<Query, Found>[]) {
    const all = waiting.get(key)
    for (const member of members) all?.delete(member)
    if (all?.size === 0) waiting.delete(key)
  }

  function start(group: Member<Query, Found>[]) {
    const controller = new AbortController()
    const queries = group.map(({ query }) => query)
    const running = scan(queries, controller.signal).then(
      (found) => {
        // One common pattern is enough to find too much. In halves, the others are soon rid of it.
        if (found === null) divide(group, Math.ceil(group.length / 2))
        return found
      },
      () => {
        // Each search meets the error by itself, or does not, if it was another's.
        divide(group, 1)
        return null
      },
    )
    for (const member of group) {
      member.scan = running
      member.abortIfLeft = () => {
        if (group.every(({ left }) => left)) controller.abort()
      }
    }
  }

  return { join }
}

function divide<Query, Found>(group: Member<Query, Found>[], size: number) {
  for (let i = 0; i < group.length; i += size) {
    const part = group.slice(i, i + size)
    for (const member of part) Object.assign(member, { group: part, scan: null })
  }
}
