import { existsSync } from 'node:fs'
import type { Library } from '../answer/library.js'
import { restoreMemory } from '../answer/memory/memory.js'
import { inPart, isWorthTelling, lastRunRecord } from '../answer/notes/index-state.js'
import { makeWay } from '../answer/source-records.js'
import { forgetRefusals } from '../ingest/failed-files.js'
import { ingestFolder, wholeFolder } from '../ingest/ingest.js'
import { beginReading, forgetReader, noteReader } from '../ingest/reader-version.js'
import type { Note } from '../model/problem.js'
import type {
  IndexOptions,
  IndexProgress,
  IndexReport,
  LastRun,
  Outcome,
  RunCounts,
} from '../model/reports.js'
import type { Source } from '../model/source.js'
import { indexingLease, underLease } from '../runtime/lease.js'
import { restoreKnowledge } from '../toolsets/knowledge/restore.js'

const mostFailures = 200
const examples = 5

/** Brings the index up to date with every configured source. One process at a time; others wait their turn. */
export async function indexAll(library: Library, options: IndexOptions): Promise<IndexReport> {
  const start = performance.now()
  const progress: IndexProgress = { phase: 'waiting', subject: '', done: 0, total: 0, chunks: 0, bytes: 0 }
  const showProgress = (change: Partial<IndexProgress>) =>
    options.onProgress?.(Object.assign(progress, change))
  const onWait = (holder: { pid: number }) =>
    showProgress({ phase: 'waiting', subject: `process ${holder.pid}, which is indexing` })
  return underLease(
    library.store.leases,
    indexingLease,
    { signal: options.signal, onWait },
    async (signal) => {
      const report: IndexReport = {
        counts: noCounts(),
        bySource: [],
        failures: [],
        inPart: [],
        skipped: [],
        skippedFiles: [],
        notes: [],
        ms: 0,
      }
      await makeWay(library)
      for (const source of library.sources) {
        const counts = await indexSource(library, source, { ...options, signal }, report, showProgress)
        report.bySource.push({ name: source.name, counts })
        add(report.counts, counts)
      }
      if (!options.again) await forgetFolders(library, report)
      await indexOwn(library, { ...options, signal }, report, showProgress)
      showProgress({ phase: 'settling', subject: '' })
      const changed = report.counts.stored + report.counts.forgotten + (await restoreMemory(library)) > 0
      if (changed) await library.store.settle(signal)
      report.inPart = await inPart(library.store)
      await keepLastRun(library, report)
      report.ms = performance.now() - start
      return report
    },
  )
}

async function indexSource(
  library: Library,
  source: Source,
  options: IndexOptions,
  report: IndexReport,
  showProgress: (change: Partial<IndexProgress>) => void,
): Promise<RunCounts> {
  const counts = noCounts()
  const folder = library.settings.sources.find((settings) => settings.name === source.name)
  if (!folder) return counts
  showProgress({ phase: 'listing', subject: source.name, done: 0, total: 0 })
  await keepSource(library, source)
  const run = {
    source: source.id,
    folder,
    limits: library.settings.limits,
    force: options.force || (await beginReading(library.store, source.id)).mustReread,
    background: options.background,
    signal: options.signal,
    onListed: (total: number) => showProgress({ phase: 'reading', total }),
    onRead: (bytes: number) => {
      counts.bytes += bytes
    },
  }
  let away = false
  for await (const outcome of ingestFolder(library, run)) {
    note(counts, report, source.name, outcome)
    away ||= outcome.path === wholeFolder
    showProgress({
      done: counts.found,
      chunks: report.counts.chunks + counts.chunks,
      bytes: report.counts.bytes + counts.bytes,
    })
  }
  if (!away) await noteReader(library.store, source.id)
  if (counts.found === 0 && !folder.implied) report.notes.push(nothingFound(source))
  return counts
}

function nothingFound({ name, location }: Source): Note {
  const why = 'the folder is empty, or ignore files (.gitignore) and globs leave everything in it out'
  return { code: 'nothing_found', message: `There is nothing to read in "${name}" (${location}): ${why}.` }
}

/** Indexes uploads and crawled pages by their records. */
async function indexOwn(
  library: Library,
  options: IndexOptions,
  report: IndexReport,
  showProgress: (change: Partial<IndexProgress>) => void,
) {
  const bySource = new Map<string, RunCounts>()
  const onSource = (subject: string, total: number) =>
    showProgress({ phase: 'reading', subject, done: 0, total })
  const force = options.force || (await beginReading(library.store, ownSources)).mustReread
  const run = { force, signal: options.signal, onSource }
  for await (const { source, bytes, outcome } of restoreKnowledge(library, run)) {
    const counts = bySource.get(source) ?? noCounts()
    bySource.set(source, counts)
    counts.bytes += bytes
    note(counts, report, source, outcome)
    showProgress({ done: counts.found })
  }
  await noteReader(library.store, ownSources)
  for (const [name, counts] of bySource) {
    report.bySource.push({ name, counts })
    add(report.counts, counts)
  }
}

/** Uploads and pages that were crawled, all of them. */
const ownSources = '*'

// A source is written only when something about it is new: every write makes other processes look again.
async function keepSource({ store, settings }: Library, source: Source) {
  const stored = (await store.sources()).find(({ id }) => id === source.id)
  const roots = stored ? rootsOf(stored) : []
  const same =
    stored &&
    stored.name === source.name &&
    stored.location === source.location &&
    stored.description === source.description &&
    roots.includes(settings.root)
  if (same) return
  const details = { ...source.details, roots: [...new Set([...roots, settings.root])] }
  await store.putSource({ ...source, details, createdAt: stored?.createdAt ?? source.createdAt })
}

/** The projects that configure a folder. Several may share a data folder, and none may forget a folder of another. */
function rootsOf({ details }: Source): string[] {
  return Array.isArray(details.roots) ? details.roots.filter((root) => typeof root === 'string') : []
}

/** A folder that was removed from the configuration leaves the index. Its files can be read again, so nothing is lost. */
async function forgetFolders({ whole, sources, settings }: Library, report: IndexReport) {
  const configured = new Set(sources.map(({ id }) => id))
  const { bySource } = await whole.counts()
  for (const source of await whole.sources()) {
    if (source.kind !== 'folder' || configured.has(source.id)) continue
    const roots = rootsOf(source)
    const others = roots.filter((root) => root !== settings.root && existsSync(root))
    if (others.length === 0) {
      await forgetReader(whole, source.id)
      await whole.forgetSource(source.id)
      await forgetRefusals(whole, source.id)
      const counts = { ...noCounts(), forgotten: bySource[source.id]?.documents ?? 0 }
      report.bySource.push({ name: source.name, counts })
      add(report.counts, counts)
    } else if (others.length < roots.length)
      await whole.putSource({ ...source, details: { ...source.details, roots: others } })
  }
}

function note(counts: RunCounts, report: IndexReport, source: string, outcome: Outcome) {
  counts[outcome.state]++
  if (outcome.state !== 'forgotten') counts.found++
  if (outcome.state === 'stored') counts.chunks += outcome.chunks
  if (outcome.state === 'failed') report.failures.push({ source, path: outcome.path, reason: outcome.reason })
  if (outcome.state === 'skipped') noteSkipped(report, source, outcome)
}

function noteSkipped(
  report: IndexReport,
  source: string,
  { path, reason }: Extract<Outcome, { state: 'skipped' }>,
) {
  if (isWorthTelling(reason) && report.skippedFiles.length < mostFailures)
    report.skippedFiles.push({ source, path, reason })
  // Sizes differ from file to file; the reason is one.
  const group = reason.replace(/ \(.*\)/, '')
  const known = report.skipped.find((entry) => entry.reason === group)
  if (!known) report.skipped.push({ reason: group, count: 1, examples: [path] })
  else {
    known.count++
    if (known.examples.length < examples) known.examples.push(path)
  }
}

async function keepLastRun(library: Library, report: IndexReport) {
  const run: LastRun = {
    at: new Date().toISOString(),
    counts: report.counts,
    failures: report.failures.slice(0, mostFailures),
    skippedFiles: report.skippedFiles,
  }
  await library.store.records.put(lastRunRecord.kind, lastRunRecord.id, run)
}

function noCounts(): RunCounts {
  return { found: 0, stored: 0, unchanged: 0, skipped: 0, failed: 0, forgotten: 0, chunks: 0, bytes: 0 }
}

function add(sum: RunCounts, more: RunCounts) {
  for (const key of Object.keys(sum) as (keyof RunCounts)[]) sum[key] += more[key]
}
