// Notes on gaps of the index: it is empty, a folder was never indexed to its end, the last run skipped files, or a document
// is only partly indexed. Each says how to mend it.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { notRead } from '../../ingest/ingest.js'
import { readToTheEnd } from '../../ingest/reader-version.js'
import type { Note } from '../../model/problem.js'
import type { InPart, LastRun, SkippedFile } from '../../model/reports.js'
import type { Scope } from '../../model/scope.js'
import { type Ref, refKey, type Source } from '../../model/source.js'
import { indexingLease, isFree } from '../../runtime/lease.js'
import { createYielder } from '../../runtime/yield.js'
import { isBareFolder } from '../../sources/require-folder.js'
import type { Store } from '../../store/port.js'
import { cachedPerIndexVersion, type Library } from '../library.js'
import { sessionsSource } from '../memory/records.js'

/**
 * The configured folders that were never read to their end, among those with the ids `sourceIds`, if given. A folder without
 * files lacks nothing: its project has only uploads or crawled pages.
 */
export async function unindexedFolders(library: Library, sourceIds?: readonly string[]): Promise<Source[]> {
  const known = await indexedFolders(library)
  const open = library.sources.filter(({ id }) => !known.has(id) && (sourceIds?.includes(id) ?? true))
  if (open.length === 0) return []
  for (const id of await readToTheEnd(library.store)) known.add(id)
  return open.filter(({ id, location }) => !known.has(id) && !isBareFolder(location))
}

/** A cache of the ids of folders that are known to be read to their end. Valid until the index changes. */
const indexedFolders = cachedPerIndexVersion('indexed folders', async () => new Set<string>())

/** Warns that an answer may be too small, since a folder that it is about was never indexed to its end. */
export async function unindexedFoldersNote(
  library: Library,
  { namedSources }: { namedSources?: readonly string[] | undefined },
): Promise<Note | null> {
  return (await unindexedFoldersNotes(library, namedSources))[0] ?? null
}

/** The same as a list, for answers that are no searches. */
export async function unindexedFoldersNotes(
  library: Library,
  sourceIds?: readonly string[],
): Promise<Note[]> {
  const folders = await unindexedFolders(library, sourceIds)
  if (folders.length === 0) return []
  return [{ code: 'unread', message: unindexedSentence(folders, await isBeingIndexed(library)) }]
}

function unindexedSentence(folders: readonly { name: string }[], isIndexed: boolean): string {
  const names = folders.slice(0, mostNamed).map(({ name }) => `"${name}"`)
  const more = folders.length > mostNamed ? [`${folders.length - mostNamed} more`] : []
  const all = [...names, ...more].join(', ').replace(/, (?=[^,]*$)/, ' and ')
  const [is, was, it, its] =
    folders.length === 1 ? ['is', 'was', 'it', 'its'] : ['are', 'were', 'them', 'their']
  return isIndexed
    ? `${all} ${is} being indexed for the first time, and only a part of ${it} is known by now: ask again in a moment.`
    : `${all} ${was} never indexed to ${its} end, so there may be more than this: run "carrel index".`
}

const mostNamed = 3

/** Whether some process brings the index up to date right now. */
export async function isBeingIndexed({ store }: Library): Promise<boolean> {
  const holder = await store.leases.holder(indexingLease)
  return holder !== null && !isFree(holder)
}

/** All sources that a request may name: the indexed ones, and configured ones that are not indexed yet. */
export async function knownSources({ store, sources }: Library): Promise<Source[]> {
  const stored = await store.sources()
  const known = new Set(stored.map(({ id }) => id))
  return [...stored, ...sources.filter(({ id }) => !known.has(id))]
}

/** Excludes sessions, unless a request names them: elsewhere they would only echo the questions. */
export function withoutSessions(sources: readonly Source[]): Scope {
  const others = sources.filter(({ id, kind }) => !(kind === 'memory' && id === sessionsSource))
  return others.length === sources.length ? {} : { sources: others.map(({ id }) => id) }
}

/** Says that an answer is empty because nothing is indexed yet. */
export async function emptyIndexNote(
  library: Library,
  { isEmpty }: { isEmpty: boolean },
): Promise<Note | null> {
  if (!isEmpty || (await library.store.counts()).documents > 0) return null
  return { code: 'empty_index', message: await emptyIndexSentence(library) }
}

export async function emptyIndexSentence(library: Library): Promise<string> {
  if (await isBeingIndexed(library))
    return 'Nothing is indexed yet, but indexing is under way: ask again in a moment.'
  return `Nothing is indexed yet: run "carrel index".${elsewhere(library)}`
}

/** Names an index in a folder above this one. The user may have meant it, but only `--root` chooses it. */
export function elsewhere({ settings: { root, data } }: Library): string {
  const above = indexAbove(root, data)
  return above === null
    ? ''
    : ` There is an index in ${above}, above this folder: --root "${above}" asks there.`
}

function indexAbove(root: string, data: string): string | null {
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    const place = join(folder, '.carrel')
    if (place !== data && existsSync(join(place, 'index.sqlite'))) return folder
    if (folder === dirname(folder)) return null
  }
}

/** Under which record the store keeps how the last run of indexing went. */
export const lastRunRecord = { kind: '~runs', id: 'last' } as const

/** Whether the skipped file is of a kind that Carrel reads: it is too large, binary or a link. */
export function isWorthTelling(reason: string): boolean {
  return reason !== notRead
}

/** The files that the last run skipped, in all sources or in those with the ids `sourceIds`. */
export async function skippedFiles(library: Library, sourceIds?: readonly string[]): Promise<SkippedFile[]> {
  const last = await library.store.records.get<LastRun>(lastRunRecord.kind, lastRunRecord.id)
  const names = new Set(library.sources.filter(({ id }) => sourceIds?.includes(id)).map(({ name }) => name))
  return (last?.skippedFiles ?? []).filter(({ source }) => !sourceIds || names.has(source))
}

const mostFilesNamed = 3

/** Names skipped files beside an empty answer: the text that the user looks for may be in one of them. */
export async function skippedFilesNote(
  library: Library,
  {
    isEmpty,
    isSilent,
    namedSources,
  }: { isEmpty: boolean; isSilent?: boolean; namedSources?: readonly string[] | undefined },
): Promise<Note | null> {
  const files = isEmpty ? await skippedFiles(library, namedSources) : []
  if (files.length === 0) return null
  if (isSilent) {
    const count = files.length === 1 ? 'One file is' : `${files.length} files are`
    return { code: 'skipped_files', message: `${count} not indexed; "carrel status" says why.` }
  }
  const named = files
    .slice(0, mostFilesNamed)
    .map(({ path, reason }) => `${path} (${reason.replace(/\.$/, '')})`)
  const more = files.length > mostFilesNamed ? ` and ${files.length - mostFilesNamed} more` : ''
  const message = `Not indexed, and so not searched: ${named.join(', ')}${more}. "carrel status" lists them.`
  return { code: 'skipped_files', message }
}

/** The codes of a document's notes that say: the file has more text than the index. */
const codes = ['cut', 'part_unread', 'pages_unread', 'pages_without_text', 'scanned', 'damaged']

/** All partly indexed documents, such as long tables and scans, by the names of their collections. */
export async function inPart(store: Store): Promise<InPart[]> {
  const names = new Map((await store.sources()).map(({ id, name }) => [id, name]))
  const found: InPart[] = []
  const yieldIfDue = createYielder()
  for (;;) {
    const { documents } = await store.documents({ noted: codes }, { offset: found.length, limit: atOnce })
    for (const { ref, notes } of documents)
      found.push({ source: names.get(ref.source) ?? ref.source, path: ref.path, reason: reasonIn(notes) })
    if (documents.length < atOnce) return found
    await yieldIfDue()
  }
}

const atOnce = 500

/** The notes that say which parts of a document are missing. */
export function missingParts(notes: readonly Note[]): Note[] {
  return notes.filter(({ code }) => codes.includes(code))
}

/** Warns when a hit's document, or for an empty answer a document in scope, is only partly indexed (long tables, scans). */
export async function partiallyIndexedNote(
  { store }: Library,
  { scope, hits }: { scope: Scope; hits: readonly { ref: Ref }[] },
): Promise<Note | null> {
  const refs = [...new Map(hits.map(({ ref }) => [refKey(ref), ref])).values()]
  const within = refs.length > 0 ? { documents: refs } : scope
  const { documents, total } = await store.documents(
    { ...within, noted: codes },
    { offset: 0, limit: mostPartsNamed },
  )
  if (total === 0) return null
  const lines = documents.map(({ ref, notes }) => `${ref.path}: ${reasonIn(notes)}`)
  const more =
    total > lines.length ? [`… and ${total - lines.length} more ("carrel status" lists them).`] : []
  return { code: 'in_part', message: ['Indexed in part only:', ...lines, ...more].join(' ') }
}

const mostPartsNamed = 3

function reasonIn(notes: readonly Note[]): string {
  return [...new Set(missingParts(notes).map(({ message }) => message))].join(' ')
}
