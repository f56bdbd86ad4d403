import { explainDisk } from '../answer/disk-errors.js'
import type { Library } from '../answer/library.js'
import { fillVectors } from '../answer/vectors.js'
import { wholeFolder } from '../ingest/ingest.js'
import { reasonOf } from '../model/problem.js'
import type { IndexProgress, IndexReport } from '../model/reports.js'
import { withTimeout } from '../runtime/timeout.js'
import { openMemory } from '../toolsets/context/lifecycle.js'
import { recoverRenames } from '../toolsets/graph/journal.js'
import { keepCrawling } from '../toolsets/knowledge/run-crawls.js'
import { syncNewPackages } from '../toolsets/packages/first-sync.js'
import { indexAll } from './index-all.js'
import { type Fresh, watchAndReindex } from './watch-and-reindex.js'

export interface BackgroundWork {
  /** The present step, for status and instructions; null when all work is done. */
  progress(): IndexProgress | null
  /** Whether there is work, also where nothing can be shown of it yet. */
  isBusy(): boolean
  /** Resolves when the first look at the sources is over, however it went. */
  readonly indexed: Promise<void>
  /** Resumes crawls and syncs packages from the network, if the options kept it from that so far. */
  goOnline(): void
  /** Waits until the files that were written so far are in the index; false when they may not be. */
  catchUp(mostMs: number): Promise<boolean>
  close(): Promise<void>
}

export interface BackgroundOptions {
  onProgress?: (progress: IndexProgress) => void
  /** Called with a sentence on a failure. The server goes on. */
  onTrouble?: (message: string) => void
  /** False for a server that only reads: it resumes no crawls and syncs no packages from the network. */
  network?: boolean
  /** When to begin; at once without it. */
  after?: Promise<unknown>
}

const retryMs = 30_000
const lookMs = 2_000
const careMs = 3_600_000

/** Runs a server's background work: indexing, watching, embedding. Answers come from the present index meanwhile. */
export function runBackgroundWork(library: Library, options: BackgroundOptions = {}): BackgroundWork {
  const stop = new AbortController()
  const { signal } = stop
  let now: IndexProgress | null = null
  let filling: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | undefined

  const onProgress = (progress: IndexProgress) => {
    now = { ...progress }
    options.onProgress?.(progress)
  }
  const trouble = (error: unknown) => {
    if (!signal.aborted) options.onTrouble?.(reasonOf(explainDisk(library.settings, error)))
  }

  // Reported once, not with every check while the folder is missing.
  let away = ''
  function reportMissing({ failures }: IndexReport) {
    const before = away
    away = failures.flatMap(({ path, reason }) => (path === wholeFolder ? reason : [])).join(' ')
    if (away && away !== before) options.onTrouble?.(away)
  }
  // A look that fails is repeated every few seconds; its error is reported once.
  let failing = ''
  function onError(error: unknown) {
    const before = failing
    failing = reasonOf(explainDisk(library.settings, error))
    if (failing !== before) trouble(error)
  }
  function onReport(report: IndexReport) {
    failing = ''
    reportMissing(report)
    if (report.counts.stored > 0) fill()
  }

  /** Embeds, once at a time; chunks that are added meanwhile come after it. */
  function fill() {
    if (signal.aborted || !library.embedder) return
    if (filling) {
      again = true
      return
    }
    filling = fillVectors(library, { signal, onProgress })
      .then(() => undefined)
      .catch((error) => {
        trouble(error)
        timer = setTimeout(fill, retryMs).unref()
      })
      .then(() => {
        filling = null
        now = null
        if (again) {
          again = false
          fill()
        }
      })
  }

  // A rename that a killed process left half done is finished or undone, whether anybody asks for its notes or not.
  let recovering = false
  const recover = async () => {
    if (recovering) return
    recovering = true
    try {
      for (const left of await recoverRenames(library)) options.onTrouble?.(left)
    } finally {
      recovering = false
    }
  }
  // Tools, other processes and imports add chunks without vectors, too. The version of the index shows that.
  let seen: string | null = null
  const look = async () => {
    const version = await library.store.version()
    if (seen !== null && version !== seen) fill()
    seen = version
    await recover()
  }
  let looking: NodeJS.Timeout | undefined
  let caring: NodeJS.Timeout | undefined

  async function takePackages({ offline }: { offline: boolean }) {
    if (signal.aborted) return
    const { reports, notes } = await syncNewPackages(library, { signal, offline })
    for (const note of notes) options.onTrouble?.(note)
    if (reports.some(({ added }) => added > 0)) fill()
  }

  // Before its files are read.
  const indexed = (options.after ?? Promise.resolve())
    .then(recover)
    .catch(trouble)
    .then(() => openMemory(library).catch(trouble))
    .then(() => indexAll(library, { signal, onProgress, background: true }))
    .then(reportMissing, trouble)
    .then(() => {
      now = null
      fill()
      if (signal.aborted) return
      looking = setInterval(() => void look().catch(trouble), lookMs).unref()
      // A server may run for months, and have sessions all the time.
      caring = setInterval(() => void openMemory(library).catch(trouble), careMs).unref()
    })
  // After the first look, and behind it: a server that does not answer must not keep anybody waiting.
  let packages = indexed.then(() => takePackages({ offline: options.network === false })).catch(trouble)
  const fresh: Promise<Fresh | null> = indexed.then(() =>
    library.settings.watch && !signal.aborted ? watchAndReindex(library, { onReport, onError }) : null,
  )
  fresh.catch(trouble)
  const catchUp = async () => (await (await fresh.catch(() => null))?.catchUp()) ?? false
  let isOnline = options.network !== false
  const crawl = () => indexed.then(() => (signal.aborted ? null : keepCrawling(library, trouble)))
  let crawls: Promise<{ close(): void } | null> = isOnline ? crawl() : Promise.resolve(null)

  return {
    progress: () => now,
    isBusy: () => now !== null || filling !== null,
    indexed,
    catchUp: (mostMs) => withTimeout(mostMs, false, catchUp).catch(() => false),
    goOnline() {
      if (isOnline) return
      isOnline = true
      packages = packages.then(() => takePackages({ offline: false })).catch(trouble)
      crawls = crawl()
    },
    async close() {
      stop.abort()
      clearTimeout(timer)
      await indexed
      clearInterval(looking)
      clearInterval(caring)
      await packages
      ;(await crawls)?.close()
      await (await fresh.catch(() => null))?.close()
      await filling
    },
  }
}
