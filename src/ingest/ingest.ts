// The road in for a folder: list, compare, read what changed, store, forget what is gone. One outcome an item.

import type { IndexedDocument } from '../model/document.js'
import type { Outcome } from '../model/reports.js'
import type { FolderSettings, Limits } from '../model/settings.js'
import { createYielder } from '../runtime/yield.js'
import { type Item, type Listing, listFolder, outOfSight } from '../sources/folder.js'
import type { Fingerprint, Store } from '../store/port.js'
import { type Refusals, recall, remember, stillRefused } from './failed-files.js'
import { type FoldersSeen, placeOf, whyAway } from './missing-folder.js'
import { tooLarge } from './read-file.js'
import { readerVersion } from './reader-version.js'
import { type Readers, sizeLimit } from './readers.js'
import { certainlySame } from './reread.js'
import { type Reading, type Refused, unpack, unpackFile } from './task.js'

export interface IngestPorts {
  store: Store
  readers: Readers
  foldersSeen: FoldersSeen
}

export interface FolderRun extends ListingRun {
  folder: FolderSettings
  /** A background run: it reports a missing folder and keeps its documents. */
  background?: boolean
}

export interface ListingRun {
  source: string
  /** Where the files lie: a real path. */
  folder: { path: string }
  limits: Limits
  /** Read everything again, even what looks unchanged. */
  force?: boolean
  signal?: AbortSignal
  onListed?: (count: number) => void
  onRead?: (bytes: number) => void
  /** What the store has of the source, if the caller already read it. */
  known?: Promise<Map<string, Fingerprint>>
  /** Why unlisted files may still exist; null if they are gone. */
  whyUnknown?: () => string | null
}

export async function* ingestFolder(ports: IngestPorts, run: FolderRun): AsyncGenerator<Outcome> {
  const startedAt = Date.now()
  const { source, folder, signal } = run
  const away = () => whyAway(ports.foldersSeen, source, folder.path)
  const before = placeOf(folder.path)
  if (before === null && run.background) return yield { path: wholeFolder, state: 'failed', reason: away()! }
  // Read while ripgrep lists the folder. What another process stores meanwhile is read once more.
  const known = ports.store.fingerprints(source)
  known.catch(() => {})
  const listing = await listFolder(folder, signal)
  const whyUnknown = () => {
    const now = placeOf(folder.path)
    if (now === null) return away()
    return now === before ? (run.background ? away() : null) : replacedMeanwhile(folder.path)
  }
  yield* ingestListing(ports, { ...run, whyUnknown, known }, listing, startedAt)
  if (before !== null && listing.items.length > 0) ports.foldersSeen.set(source, before)
}

/** The path of an outcome about a whole missing folder. */
export const wholeFolder = './'

function replacedMeanwhile(path: string): string {
  return `The folder ${path} was replaced by another while it was read. Run "carrel index" again.`
}

/** The same for a given list of files. Unreadable files keep their documents. */
export async function* ingestListing(
  ports: IngestPorts,
  run: ListingRun,
  listing: Listing,
  startedAt: number,
): AsyncGenerator<Outcome> {
  const { store } = ports
  run.onListed?.(listing.items.length + listing.unreadable.length)
  const known = await (run.known ?? store.fingerprints(run.source))
  const refusals = await recall(store, run.source)
  const gone = new Set(known.keys())
  if (listing.unreadable.length > 0) {
    const isOutOfSight = outOfSight(listing)
    for (const path of known.keys()) if (isOutOfSight(path)) gone.delete(path)
  }
  for (const { path, reason } of listing.unreadable) yield { path, state: 'failed', reason }
  const changed: Item[] = []
  // Handing on an outcome gives nobody else a turn: thousands in a row would stop the process.
  const yieldIfDue = createYielder(run.signal)
  for (const item of listing.items) {
    await yieldIfDue()
    const verdict = judge(item, known.get(item.path), refusals, run)
    // What is passed over is not in the library: an older version of it leaves.
    if (verdict?.state !== 'skipped') gone.delete(item.path)
    if (verdict) yield verdict
    else changed.push(item)
  }
  for await (const outcome of readAndStore(ports, run, changed, known)) {
    if (outcome.state === 'skipped' && known.has(outcome.path)) gone.add(outcome.path)
    yield outcome
  }
  run.signal?.throwIfAborted()
  const reason = gone.size > 0 ? run.whyUnknown?.() : null
  if (reason) yield { path: wholeFolder, state: 'failed', reason }
  else yield* forgetAll(store, run.source, [...gone].sort(), startedAt)
}

/** Why most files are skipped that are: they are pictures, programs and data. */
export const notRead = 'Not a kind of file that is read.'

// Without reading: not a kind we read, too large, unchanged by its stamp, or refused before and still the same file.
function judge(
  item: Item,
  known: Fingerprint | undefined,
  refusals: Refusals,
  run: ListingRun,
): Outcome | null {
  const { path, stamp, at } = item
  const most = sizeLimit(at?.path ?? path, run.limits)
  if (most === null) return { path, state: 'skipped', reason: notRead }
  if (stamp.size > most)
    return { path, state: 'skipped', reason: tooLarge(stamp.size, most, at?.path ?? path) }
  if (run.force) return null
  if (known && certainlySame(item, known)) return { path, state: 'unchanged' }
  const refused = stillRefused(refusals, item, run.limits)
  return refused && { path, state: refused.state, reason: refused.reason }
}

// Batches grow: the first is small, so that something is found soon; later ones are large, since a segment's dictionary
// costs the same whether a few or many documents share it. Towards the end they shrink: nothing is read while the last
// one is written.
const firstBatch = { chars: 500_000, documents: 200 }
const largestBatch = { chars: 2_000_000, documents: 1_000 }
const growth = 2

async function* readAndStore(
  ports: IngestPorts,
  run: ListingRun,
  items: Item[],
  known: Map<string, Fingerprint>,
): AsyncGenerator<Outcome> {
  const { store, readers } = ports
  let batch: IndexedDocument[] = []
  let chars = 0
  let most = firstBatch
  let left = items.reduce((sum, { stamp }) => sum + stamp.size, 0)
  const versions =
    items.length > 0 && !run.force ? await store.shared?.versions(run.source, readerVersion) : undefined
  const adopting: { item: Item; reading: Extract<Reading, { state: 'same' }> }[] = []
  const lost: Item[] = []
  const touched: Parameters<Store['restamp']>[0][number][] = []
  const refused: { path: string; stamp: Item['stamp']; reading: Refused }[] = []

  // One batch is written while the next is read and unpacked.
  let writing: Promise<IndexedDocument[]> | null = null
  async function* written(): AsyncGenerator<Outcome> {
    const documents = (await writing) ?? []
    writing = null
    for (const { ref, chunks, notes } of documents)
      yield { path: ref.path, state: 'stored', chunks: chunks.length, notes: notes.length }
  }
  async function* flush(): AsyncGenerator<Outcome> {
    yield* written()
    const documents = batch
    batch = []
    chars = 0
    most = {
      chars: Math.min(largestBatch.chars, most.chars * growth),
      documents: Math.min(largestBatch.documents, most.documents * growth),
    }
    writing = store.replace(documents).then(() => documents)
    // A failure is met where the batch is awaited; until then it is nobody's.
    writing.catch(() => {})
  }

  // Another worktree has read the same bytes at the same path.
  async function* adopt(): AsyncGenerator<Outcome> {
    const files = adopting.splice(0)
    const adopted = await store.shared!.adopt(
      files.map(({ item: { path }, reading: { hash, stamp, readAt } }) => ({
        ref: { source: run.source, path },
        hash,
        reader: readerVersion,
        stamp,
        readAt,
      })),
    )
    for (const [i, one] of adopted.entries()) {
      const { item } = files[i]!
      if (one) yield { path: item.path, state: 'stored', ...one }
      else lost.push(item)
    }
  }

  // Answers come in bursts, and a burst gives nobody else a turn.
  const yieldIfDue = createYielder(run.signal)
  for await (const { item, reading } of readAhead(readers, run, items, { known, versions })) {
    await yieldIfDue()
    const { path, stamp } = item
    left -= stamp.size
    if (reading.state === 'same' && reading.hash !== known.get(path)?.hash) {
      adopting.push({ item, reading })
      if (adopting.length >= adoptedAtOnce) yield* adopt()
    } else if (reading.state === 'same') {
      touched.push({ ref: { source: run.source, path }, stamp: reading.stamp, readAt: reading.readAt })
      yield { path, state: 'unchanged' }
    } else if (reading.state === 'read') {
      // What is kept under another name may have a title that somebody gave it.
      const document = item.at ? unpack(reading.document) : unpackFile(reading.document)
      run.onRead?.(reading.bytes)
      batch.push(document)
      chars += document.text.length
      const enough = Math.min(most.chars, Math.max(firstBatch.chars, left))
      if (chars >= enough || batch.length >= most.documents) yield* flush()
    } else if (reading.state === 'gone')
      yield { path, state: 'skipped', reason: 'It went away while the folder was read.' }
    else {
      if (!reading.passing) refused.push({ path, stamp, reading })
      yield { path, state: reading.state, reason: reading.reason }
    }
  }
  if (batch.length > 0) yield* flush()
  yield* written()
  if (adopting.length > 0) yield* adopt()
  if (lost.length > 0) yield* readAndStore(ports, { ...run, force: true }, lost, known)
  if (touched.length > 0) await store.restamp(touched)
  await remember(store, run.source, refused)
}

const adoptedAtOnce = 1_000

const filesAhead = 150
const bytesAhead = 3_000_000

/** Reads some files ahead of the writer, and hands them on in order: the same folder gives the same index. */
async function* readAhead(
  readers: Readers,
  run: ListingRun,
  items: Item[],
  { known, versions }: { known: Map<string, Fingerprint>; versions: Map<string, string[]> | undefined },
): AsyncGenerator<{ item: Item; reading: Reading }> {
  const begun: Promise<Reading>[] = []
  let waiting = 0
  const begin = (item: Item, at = item.at ?? { root: run.folder.path, path: item.path }) =>
    readers.read({
      ...at,
      ...(item.at ? { as: { path: item.path, name: at.path } } : {}),
      source: run.source,
      maxBytes: sizeLimit(at.path, run.limits) ?? 0,
      knownHash: run.force ? null : (known.get(item.path)?.hash ?? null),
      ...(versions?.has(item.path) && !item.at ? { sharedHashes: versions.get(item.path)! } : {}),
    })
  for (const [i, item] of items.entries()) {
    while (
      begun.length < items.length &&
      (begun.length - i < readers.size * 2 || (begun.length - i < filesAhead && waiting < bytesAhead))
    ) {
      const next = items[begun.length]!
      waiting += next.stamp.size
      begun.push(begin(next))
    }
    run.signal?.throwIfAborted()
    yield { item, reading: await begun[i]! }
    begun[i] = undefined as never
    waiting -= item.stamp.size
  }
}

const forgottenAtOnce = 400

async function* forgetAll(
  store: Store,
  source: string,
  paths: string[],
  asOf: number,
): AsyncGenerator<Outcome> {
  for (let i = 0; i < paths.length; i += forgottenAtOnce) {
    const some = paths.slice(i, i + forgottenAtOnce)
    await store.forget(
      some.map((path) => ({ source, path })),
      asOf,
    )
    for (const path of some) yield { path, state: 'forgotten' }
  }
}
