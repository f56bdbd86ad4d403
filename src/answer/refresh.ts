// Compares documents with their files before they are shown, so that no answer is silently outdated.
import { join } from 'node:path'
import { recall, stillRefused } from '../ingest/failed-files.js'
import { type KnownFile, type Reread, reread } from '../ingest/reread.js'
import type { DocumentSummary } from '../model/document.js'
import type { Note } from '../model/problem.js'
import { type Ref, refKey } from '../model/source.js'
import { withTimeout } from '../runtime/timeout.js'
import { look } from '../sources/safe-file.js'
import type { Library } from './library.js'
import type { NewFiles } from './notes/new-files.js'

export interface Refreshed {
  /** A document was read again or forgotten: the caller must search again. */
  changed: boolean
  /** On documents whose file changed but cannot be read now. */
  notes: Note[]
}

/** How long an answer waits for changed files. Reading them goes on after that. */
export const refreshTimeoutMs = 4_000

/** Reads the files of these documents again if they changed. */
export async function refresh(
  library: Library,
  refs: readonly Ref[],
  timeoutMs = refreshTimeoutMs,
): Promise<Refreshed> {
  if (refs.length === 0) return { changed: false, notes: [] }
  const { documents } = await library.store.documents(
    { documents: [...refs] },
    { offset: 0, limit: refs.length },
  )
  const seen = await allInTime(
    documents.map((document) => refreshOne(library, document)),
    timeoutMs,
  )
  return {
    changed: seen.some(({ state }) => state === 'replaced' || state === 'forgotten'),
    notes: seen.flatMap((one, i) =>
      one.state === 'stale' ? [stale(documents[i]!.ref.path, one.reason)] : [],
    ),
  }
}

/** Why an existing file is not indexed, if the last run found a reason and the file has not changed since. */
export async function failureOfFile(library: Library, { source, path }: Ref): Promise<string | null> {
  const refusals = await recall(library.store, source)
  const place = Object.hasOwn(refusals, path) ? await placeOf(library, { source, path }) : null
  const stamp = place && look(join(place.folder.path, path))
  if (!stamp || typeof stamp === 'string') return null
  return stillRefused(refusals, { path, stamp }, library.settings.limits)?.reason ?? null
}

async function refreshOne(library: Library, { ref, stamp, hash, readAt }: DocumentSummary): Promise<Reread> {
  const place = await placeOf(library, ref)
  if (!place) return { state: 'same' }
  const { limits } = library.settings
  return reread(library, { ...ref, ...place, limits, known: { stamp, hash, readAt } })
}

/** One timer for all documents: a timer for each took longer than looking at the file. */
async function allInTime(looks: readonly Promise<Reread>[], timeoutMs: number): Promise<Reread[]> {
  const seen = looks.map((): Reread => ({ state: 'stale', reason: 'It is still being read.' }))
  const settle = async (look: Promise<Reread>, i: number) => {
    seen[i] = await look
  }
  await withTimeout(timeoutMs, undefined, () => Promise.all(looks.map(settle)))
  return [...seen]
}

type Place = Pick<KnownFile, 'folder' | 'isPinned'>

/** The folder of a document's file; null for documents that change only on request (uploads, crawled pages). */
async function placeOf(library: Library, { source: id, path }: Ref): Promise<Place | null> {
  const configured = library.sources.find((source) => source.id === id)
  if (configured) {
    const folder = library.settings.sources.find(({ name }) => name === configured.name)
    return folder ? { folder } : null
  }
  const { details } = (await library.store.sources()).find((source) => source.id === id) ?? {}
  if (typeof details?.folder !== 'string' || lists(details.elsewhere, path)) return null
  return { folder: { path: details.folder }, isPinned: lists(details.pinned, path) }
}

function lists(paths: unknown, path: string): boolean {
  return Array.isArray(paths) && paths.includes(path)
}

function stale(path: string, reason: string): Note {
  return {
    code: 'stale',
    message: `${path} changed since it was indexed, and this is the older text: ${reason}`,
  }
}

/**
 * Runs `ask`, and runs it again while a file behind the answer has changed, since the documents of the new answer may have
 * changed too. `ask` reports the documents that it is about to show; in a batch, their files are compared while the model
 * still embeds the next question. The refresh ends by `due`. New files that were indexed are a reason to ask again, too.
 */
export async function answerWithFreshFiles<T>(
  library: Library,
  ask: (reportShown: (refs: readonly Ref[]) => void) => Promise<T>,
  { due = Number.POSITIVE_INFINITY, newFiles }: { due?: number; newFiles?: NewFiles | undefined } = {},
): Promise<{ answer: T; notes: Note[] }> {
  const refresher = createRefresher(library, due)
  let until: number | null = null
  for (;;) {
    const answer = await ask(refresher.begin)
    const { changed, notes } = await refresher.outcome()
    const isMore = (await newFiles?.take()) ?? false
    if (!changed && !isMore) return { answer, notes }
    until ??= Math.min(due, performance.now() + refreshTimeoutMs)
    if (performance.now() >= until) return { answer: await ask(() => {}), notes: [...notes, outdated] }
  }
}

const outdated: Note = {
  code: 'stale',
  message: 'Some results may be outdated: files changed since the last index. Run "carrel index".',
}

interface Refresher {
  /** Begins to refresh these documents, each once. */
  begin(refs: readonly Ref[]): void
  /** Whether a document changed among those begun since the last call; the notes are about all documents. */
  outcome(): Promise<Refreshed>
}

function createRefresher(library: Library, due: number): Refresher {
  const seen = new Map<string, Ref>()
  const pending: Promise<Refreshed>[] = []
  const notes: Note[] = []
  const msLeft = () => Math.min(refreshTimeoutMs, Math.max(0, due - performance.now()))
  return {
    begin(refs) {
      const fresh = refs.filter((ref) => !seen.has(refKey(ref)))
      for (const ref of fresh) seen.set(refKey(ref), ref)
      if (fresh.length === 0) return
      const one = refresh(library, distinct(fresh), msLeft())
      // `outcome` reports the error.
      one.catch(() => {})
      pending.push(one)
    },
    async outcome() {
      const all = await Promise.all(pending.splice(0))
      const changed = all.some((one) => one.changed)
      notes.push(...all.flatMap((one) => one.notes))
      if (notes.length === 0 || all.length < 2) return { changed, notes: [...notes] }
      // Refreshed together, the notes stand in the order of the documents, whichever answer came first.
      const again = await refresh(library, [...seen.values()], msLeft())
      notes.splice(0, notes.length, ...again.notes)
      return { changed: changed || again.changed, notes: [...notes] }
    },
  }
}

function distinct(refs: readonly Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()]
}
