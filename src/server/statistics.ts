// What happened to each tool's calls: counts, times in a fixed histogram, and sizes. Histograms with the same fixed
// bounds add up, so the counts of several processes merge into one.

/** Upper bounds in milliseconds, each a quarter more than the one before: 0.05 ms to a minute in 64 steps. */
export const timeBounds: readonly number[] = Array.from({ length: 64 }, (_, i) => 0.05 * 1.25 ** i)

export interface ToolCounts {
  tool: string
  calls: number
  failures: number
  timeouts: number
  rateLimited: number
  /** Characters of all results together, and of the largest. */
  size: number
  largest: number
  /** Milliseconds of all calls together. */
  totalMs: number
  /** Calls by time: one count for each bound and one for what was slower than the last. */
  times: number[]
}

/** Keeps the counts after the process ends; the store implements it. */
export interface StatisticsKeeper {
  load(): Promise<ToolCounts[]>
  add(delta: ToolCounts[]): Promise<void>
}

export interface ToolStatistics {
  tool: string
  calls: number
  failures: number
  timeouts: number
  rateLimited: number
  averageSize: number
  largestSize: number
  p50: number
  p95: number
  p99: number
}

export type CallEnd = 'answered' | 'failed' | 'timeout' | 'rate_limited'

export interface Statistics {
  record(tool: string, end: CallEnd, ms: number, size: number): void
  /** This process's counts since it started. */
  own(): ToolCounts[]
  /** Everything ever counted, by every process that shares the keeper. */
  all(): Promise<ToolCounts[]>
  /** Gives the new counts to the keeper. If it fails, the next flush tries again; nothing is lost or counted twice. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function statistics({
  keeper,
  flushMs = 5_000,
}: {
  keeper?: StatisticsKeeper
  flushMs?: number
} = {}): Statistics {
  const total = new Map<string, ToolCounts>()
  let fresh = new Map<string, ToolCounts>()
  let flushing: Promise<void> | undefined
  const timer = keeper && setInterval(() => void flush().catch(() => {}), flushMs)
  timer?.unref()

  async function flush(): Promise<void> {
    if (!keeper) return
    await flushing?.catch(() => {})
    if (fresh.size === 0) return
    const delta = fresh
    fresh = new Map()
    flushing = keeper.add([...delta.values()]).catch((error) => {
      for (const counts of delta.values()) addTo(fresh, counts)
      throw error
    })
    await flushing
  }

  return {
    record(tool, end, ms, size) {
      const counts = one(tool, end, ms, size)
      addTo(total, counts)
      if (keeper) addTo(fresh, counts)
    },
    own: () => sorted(total.values()),
    async all() {
      if (!keeper) return sorted(total.values())
      await flush().catch(() => {})
      const merged = new Map<string, ToolCounts>()
      for (const counts of [...(await keeper.load()), ...fresh.values()]) addTo(merged, counts)
      return sorted(merged.values())
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush().catch(() => {})
    },
  }
}

export function summarize(counts: ToolCounts): ToolStatistics {
  return {
    tool: counts.tool,
    calls: counts.calls,
    failures: counts.failures,
    timeouts: counts.timeouts,
    rateLimited: counts.rateLimited,
    averageSize: Math.round(counts.size / Math.max(1, counts.calls - counts.rateLimited)),
    largestSize: counts.largest,
    p50: quantile(counts.times, 0.5),
    p95: quantile(counts.times, 0.95),
    p99: quantile(counts.times, 0.99),
  }
}

/** Adds the second to the first: what a keeper does with a delta. */
export function mergeCounts(into: ToolCounts, more: ToolCounts): void {
  into.calls += more.calls
  into.failures += more.failures
  into.timeouts += more.timeouts
  into.rateLimited += more.rateLimited
  into.size += more.size
  into.largest = Math.max(into.largest, more.largest)
  into.totalMs += more.totalMs
  for (let i = 0; i <= timeBounds.length; i++) into.times[i] = (into.times[i] ?? 0) + (more.times[i] ?? 0)
}

function addTo(map: Map<string, ToolCounts>, counts: ToolCounts) {
  const known = map.get(counts.tool)
  if (known) mergeCounts(known, counts)
  else map.set(counts.tool, { ...counts, times: [...counts.times] })
}

function one(tool: string, end: CallEnd, ms: number, size: number): ToolCounts {
  const times = new Array<number>(timeBounds.length + 1).fill(0)
  const ran = end !== 'rate_limited'
  if (ran) times[bucketOf(ms)] = 1
  return {
    tool,
    calls: 1,
    failures: end === 'failed' || end === 'timeout' ? 1 : 0,
    timeouts: end === 'timeout' ? 1 : 0,
    rateLimited: ran ? 0 : 1,
    size,
    largest: size,
    totalMs: ran ? ms : 0,
    times,
  }
}

function bucketOf(ms: number): number {
  const found = timeBounds.findIndex((bound) => ms <= bound)
  return found === -1 ? timeBounds.length : found
}

/** The bound under which that part of the calls lie: at most a quarter too high, never too low. */
function quantile(times: readonly number[], part: number): number {
  const calls = times.reduce((sum, count) => sum + count, 0)
  if (calls === 0) return 0
  let seen = 0
  for (const [i, count] of times.entries()) {
    seen += count
    if (seen >= part * calls) return round(timeBounds[i] ?? timeBounds.at(-1)!)
  }
  return round(timeBounds.at(-1)!)
}

function round(ms: number): number {
  return ms >= 10 ? Math.round(ms) : Math.round(ms * 100) / 100
}

function sorted(counts: Iterable<ToolCounts>): ToolCounts[] {
  return [...counts]
    .sort((a, b) => (a.tool < b.tool ? -1 : 1))
    .map((one) => ({ ...one, times: [...one.times] }))
}
