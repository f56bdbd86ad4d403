import type { Library } from '../answer/library.js'
import { realData } from '../answer/library.js'
import { type Watcher, watchFolder } from '../ingest/watch.js'
import type { IndexReport } from '../model/reports.js'
import { indexAll } from './index-all.js'

/** Wait until it has been quiet for this long, but never longer than that: a checkout of thousands of files is one run. */
const quietMs = 150
const longestMs = 1_000
/** After a look that failed. */
const usualRetryMs = 15_000
/**
 * Events get lost, and some shares send none: without any there is a look all the same, that takes a hundredth of the time.
 */
const usualLookMs = 60_000
const restForLook = 100
/** A run may have waited for its turn most of the time. */
const longestRestMs = 1_800_000

export interface Fresh {
  /** Indexes noticed changes at once. Resolves when all are in the index; to false if that is not certain. */
  catchUp(): Promise<boolean>
  /** Resolves when everything noticed so far is in the index. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Keeps a running server's index up to date with its folders. */
export async function watchAndReindex(
  library: Library,
  options: {
    onReport?: (report: IndexReport) => void
    onError?: (error: unknown) => void
    retryMs?: number
    lookMs?: number
  },
): Promise<Fresh> {
  const stop = new AbortController()
  let running: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | null = null
  let retry: NodeJS.Timeout | undefined
  let nextCheck: NodeJS.Timeout | undefined
  let since = 0
  let checkedMs = 0
  let hasFailed = false
  const watchers: Watcher[] = []

  function noticed() {
    if (stop.signal.aborted) return
    if (running) {
      again = true
      return
    }
    const now = performance.now()
    if (timer) clearTimeout(timer)
    else since = now
    timer = setTimeout(start, Math.max(0, Math.min(quietMs, since + longestMs - now)))
  }

  function checkInBackground() {
    const started = performance.now()
    Promise.all(watchers.map((watcher) => watcher.check())).then(() => {
      checkedMs = performance.now() - started
      noticed()
    })
  }

  function start() {
    timer = null
    clearTimeout(nextCheck)
    const started = performance.now()
    running = indexAll(library, { signal: stop.signal, again: true, background: true })
      .then((report) => {
        hasFailed = false
        options.onReport?.(report)
      })
      .catch((error) => {
        hasFailed = true
        if (stop.signal.aborted) return
        options.onError?.(error)
        // Tried again later: nothing announces, for example, that a full disk has room again.
        retry = setTimeout(noticed, options.retryMs ?? usualRetryMs).unref()
      })
      .then(() => {
        running = null
        if (stop.signal.aborted) return
        const spentMs = performance.now() - started + checkedMs
        const restMs = Math.min(longestRestMs, Math.max(usualLookMs, restForLook * spentMs))
        nextCheck = setTimeout(checkInBackground, options.lookMs ?? restMs).unref()
        if (again) {
          again = false
          noticed()
        }
      })
  }

  const except = await realData(library.settings.data)
  for (const { path } of library.settings.sources) watchers.push(await watchFolder({ path, except }, noticed))
  // One more look finds changes from before the watches were set.
  noticed()

  return {
    async catchUp() {
      await Promise.all(watchers.map((watcher) => watcher.flush()))
      while (!stop.signal.aborted && (timer || running)) {
        if (timer) {
          clearTimeout(timer)
          start()
        }
        await running
      }
      return !hasFailed && !stop.signal.aborted && watchers.every(({ by }) => by === 'events')
    },
    async settled() {
      while (running || timer) await (running ?? new Promise((resolve) => setTimeout(resolve, quietMs)))
    },
    async close() {
      stop.abort()
      if (timer) clearTimeout(timer)
      timer = null
      clearTimeout(retry)
      clearTimeout(nextCheck)
      await Promise.all(watchers.map((watcher) => watcher.close()))
      await running
    },
  }
}
