// The queue of pages to fetch: those nearest to the start first, and pages that must wait when their time has come.

export interface Frontier {
  /** `rank`: pages of a lower one come first; of one rank, in the order they came. A page may be added again. */
  add(url: string, rank: number): void
  /** The same page again, not before some time has passed. */
  later(url: string, waitMs: number): void
  /** The next page; null when the queue is empty and no worker may still add to it. */
  take(signal: AbortSignal): Promise<string | null>
  /** Must be called for every page that `take` returned, once its links were added. */
  done(url: string): void
  /** No more is given out. */
  stop(): void
}

/** `mayBegin` says whether there is room for another page; `onBegin` takes one up, or says that it is off the list. */
export function frontier(mayBegin: () => boolean, onBegin: (url: string) => boolean): Frontier {
  const queues = new Map<number, string[]>()
  let waiting: { url: string; at: number }[] = []
  const out = new Set<string>()
  /** Those added again while they were out. */
  const again = new Map<string, number>()
  let stopped = false
  let sleepers: (() => void)[] = []

  function nudge() {
    const woken = sleepers
    sleepers = []
    for (const wake of woken) wake()
  }

  /** Until something changes, some time has passed, or all is stopped. */
  function change(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake)
      sleepers.push(wake)
    })
  }

  function next(): string | null {
    const now = performance.now()
    const due = waiting.find(({ at }) => at <= now)
    if (due) {
      waiting = waiting.filter((one) => one !== due)
      return due.url
    }
    // Those that wait were begun already: only new pages count against the limit.
    while (mayBegin()) {
      const one = first()
      if (one === null) return null
      if (out.has(one.url)) again.set(one.url, one.rank)
      else if (!waits(one.url) && onBegin(one.url)) return one.url
    }
    return null
  }

  function waits(url: string): boolean {
    return waiting.some((one) => one.url === url)
  }

  function first(): { url: string; rank: number } | null {
    const rank = Math.min(...queues.keys())
    const queue = queues.get(rank)
    if (!queue) return null
    const url = queue.shift()!
    if (queue.length === 0) queues.delete(rank)
    return { url, rank }
  }

  function add(url: string, rank: number) {
    const queue = queues.get(rank)
    if (queue) queue.push(url)
    else queues.set(rank, [url])
    nudge()
  }

  async function take(signal: AbortSignal): Promise<string | null> {
    for (;;) {
      signal.throwIfAborted()
      const url = stopped ? null : next()
      if (url !== null) {
        out.add(url)
        return url
      }
      if (out.size === 0 && (stopped || waiting.length === 0)) {
        nudge()
        return null
      }
      const soonest = stopped
        ? longest
        : Math.min(longest, ...waiting.map(({ at }) => at - performance.now()))
      await change(Math.max(1, soonest), signal)
    }
  }

  return {
    add,
    later(url, waitMs) {
      waiting.push({ url, at: performance.now() + waitMs })
      nudge()
    },
    take,
    done(url) {
      out.delete(url)
      const rank = again.get(url)
      again.delete(url)
      if (rank !== undefined) add(url, rank)
      nudge()
    },
    stop() {
      stopped = true
      nudge()
    },
  }
}

const longest = 60_000
