// A rename changes many files, all of them or none. It writes its plan to a page of a journal first. When a process is
// killed, the next one finds the page and finishes the rename, or undoes it if it had hardly begun.
//
// The steps: write the page; write the new bytes of every file beside the old file; create the note under its new name;
// remove its old name; swap the files; remove the page. Until the old name is removed nothing else has changed, so a rename
// that was interrupted before that is undone, and one that was interrupted later is finished.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Library, libraryState } from '../../answer/library.js'
import type { Reader } from '../../answer/shown-to-client.js'
import { type Edit, onlyWordsChange, withEdits } from '../../graph/frontmatter.js'
import { ingestFiles, prepareFiles, storeFiles } from '../../ingest/ingest-files.js'
import type { PackedDocument } from '../../ingest/task.js'
import { Problem, reasonOf } from '../../model/problem.js'
import { isMdx } from '../../parse/formats.js'
import { parseMarkdown } from '../../parse/markdown.js'
import { forEachLimit } from '../../runtime/for-each-limit.js'
import { createYielder } from '../../runtime/yield.js'
import { lists } from '../../sources/folder.js'
import { encodeNote, hashThere, readNote, requireWritable } from './files.js'
import {
  type Page,
  type PageFile,
  pagesFolder,
  pagesIn,
  readPage,
  removePage,
  restOf,
  sweepPages,
  writeDown,
  writeRest,
} from './journal-pages.js'
import { type Vault, vaultsOf } from './vaults.js'
import {
  createNote,
  discard,
  type Replacement,
  removeFile,
  replaceFile,
  type Staged,
  settleFolder,
  stage,
  swapIn,
  sweep,
} from './write-files.js'

/**
 * Carries out the plan of a page. `note` is the renamed note's new text, `others` are those of the files that link to it.
 */
export async function carryOut(
  library: Library,
  vault: Vault,
  page: Page,
  note: Pick<Replacement, 'bytes' | 'rights'>,
  others: readonly Replacement[],
) {
  const file = await writeDown(library.settings.data, page)
  recoveryOf(library).attempted.add(file)
  const root = vault.folder.path
  let ready = nothingReady
  try {
    ready = await makeReady(library, vault, page, others)
    if (page.from === page.to) await rewriteNote(root, page, note)
    else await moveNote(library, vault, page, note)
  } catch (error) {
    discard(root, ready.staged)
    await removePage(library.settings.data, file)
    throw error
  }
  const rest = await finish(library, vault, { page, file }, ready).catch((error: Error) => {
    throw unfinished(`${page.from} became ${page.to}, but not all is done. ${error.message}`, error)
  })
  if (rest) throw unfinished(restOf(rest))
}

function unfinished(message: string, cause?: unknown): Problem {
  const hint = 'The rest is done with the next change or at the next start.'
  return new Problem('provider_error', message, hint, { cause })
}

async function rewriteNote(root: string, page: Page, note: Pick<Replacement, 'bytes' | 'rights'>) {
  if (!(await replaceFile(root, { path: page.from, before: page.before, ...note })))
    throw changedJustNow(page)
}

async function moveNote(
  library: Library,
  vault: Vault,
  page: Page,
  note: Pick<Replacement, 'bytes' | 'rights'>,
) {
  const { from, to, before, after, mark } = page
  const root = vault.folder.path
  if (!(await createNote(vault.folder, to, note.bytes, { rights: note.rights, mark })))
    throw new Problem('exists', `There is already a note at ${to}.`, 'Choose another title.')
  const moved = await removeFile(root, from, before).catch((error: Problem) => error)
  if (moved === true) return
  const undone = await removeFile(root, to, after).catch(() => false)
  if (undone || hashThere(root, to) === null) throw moved === false ? changedJustNow(page) : moved
  await ingestFiles(library, runOf(library, vault), [from, to])
  throw new Problem('conflict', bothStay(page), removeOne)
}

function changedJustNow({ from }: Page): Problem {
  const hint = 'Read it again and repeat. Nothing was changed.'
  return new Problem('conflict', `${from} was changed by somebody else just now.`, hint)
}

/**
 * Finishes or undoes the renames of killed processes, and returns a sentence for each step that failed. Without such renames
 * it only lists a folder. Once begun it runs to its end even if the caller stops waiting; closing the library waits for it.
 */
export function recoverRenames(library: Library): Promise<string[]> {
  const recovery = recoveryOf(library)
  recovery.running ??= recoverLeft(library).finally(() => {
    recovery.running = null
  })
  return recovery.running
}

interface Recovery {
  running: Promise<string[]> | null
  /** Pages that this process has written or tried to finish: readers do not wait for them again. */
  attempted: Set<string>
}

const recoveryOf = libraryState('rename recovery', (): Recovery => ({ running: null, attempted: new Set() }))

async function recoverLeft(library: Library): Promise<string[]> {
  if (!existsSync(pagesFolder(library.settings.data))) return []
  const pages = await pagesIn(library.settings.data)
  if (pages.every((file) => recoveryOf(library).attempted.has(file))) return []
  return withWriting(library, () => {
    const work = recoverAsWriter(library)
    library.tasks.start(async () => void (await work))
    return work
  })
}

/**
 * The same for a caller that holds the writing lock. A step that failed (a read-only file, say) is tried again with every
 * change; reading waits for it only once.
 */
export async function recoverAsWriter(library: Library): Promise<string[]> {
  const { data } = library.settings
  const left = existsSync(pagesFolder(data)) ? await pagesIn(data) : []
  if (left.length > 0) await sweepPages(data)
  const troubles: string[] = []
  for (const file of left) {
    const trouble = await recover(library, file).catch(reasonOf)
    if (trouble !== null) troubles.push(trouble)
    recoveryOf(library).attempted.add(file)
  }
  return troubles
}

/** A sentence on what failed, or null. */
async function recover(library: Library, file: string): Promise<string | null> {
  const page = await readPage(file)
  const vault = page && vaultsOf(library).find(({ source }) => source.id === page.source)
  // Another project's, or a folder that is not configured just now.
  if (!page || !vault) return null
  await requirePresent(vault.folder.path, page)
  for (const folder of foldersOf(page)) await sweep(vault.folder.path, folder, page.mark)
  const state = await stateOf(vault, page)
  if (state === 'begun') {
    const others = await rewrittenAll(vault.folder.path, page.files)
    const ready = await makeReady(library, vault, page, others).catch(() => nothingReady)
    const rest = await finish(library, vault, { page, file }, ready)
    return rest && restOf(rest)
  }
  await ingestFiles(library, runOf(library, vault), [page.from, page.to])
  await removePage(library.settings.data, file)
  return state === 'undone' ? null : `${bothStay(page)} ${removeOne}`
}

/** Throws if the folder is missing or empty: its disk may not be mounted, and the rename must not be forgotten. */
async function requirePresent(root: string, { from, to }: Page) {
  const names = await readdir(root).catch(() => [])
  if (names.some((name) => !name.startsWith('.'))) return
  throw new Problem(
    'provider_error',
    `The rename of ${from} to ${to} waits: there is nothing in ${root} just now.`,
    'It is finished when the files are back.',
  )
}

function bothStay({ from, to }: Page): string {
  return `The rename of ${from} to ${to} was interrupted, and ${from} has been written since. Both are kept, and links are as they were.`
}

const removeOne = 'Remove the one that is not wanted.'

/**
 * `begun`: the note has its new name, so that the links have to follow. `undone`: there is no trace of that afterwards.
 * `both`: something else is under the old name now. That may be the note, edited, or another one after the note had gone
 * from there; the new name may have the only copy, so that neither is touched.
 */
async function stateOf(vault: Vault, page: Page): Promise<'begun' | 'undone' | 'both'> {
  const { from, to, title, before, after, moved } = page
  const root = vault.folder.path
  const made = hashThere(root, to)
  if (moved) return made === null ? 'undone' : 'begun'
  if (from === to) {
    const edited = made !== null && made !== before
    return made === after || (edited && titleAt(root, to) === title) ? 'begun' : 'undone'
  }
  const old = hashThere(root, from)
  if (old === null) return made === null ? 'undone' : 'begun'
  if (made !== after) return 'undone'
  if (old !== before) return 'both'
  if (await lists(vault.folder, to)) return (await removeFile(root, from, before)) ? 'begun' : 'both'
  await removeFile(root, to, after)
  return 'undone'
}

function titleAt(root: string, path: string): string | null {
  const note = readNote(root, path)
  return note && parseMarkdown(note.text).title
}

/** Files that are ready to be swapped, and their documents for the index. */
interface Ready {
  staged: readonly Staged[]
  prepared: Promise<ReadonlyMap<string, PackedDocument>>
}

const nothingReady: Ready = { staged: [], prepared: Promise.resolve(new Map()) }

async function makeReady(
  library: Library,
  vault: Vault,
  { mark }: Page,
  others: readonly Replacement[],
): Promise<Ready> {
  const prepared = prepareFiles(library, runOf(library, vault), others)
  // `finish` awaits it, and gets the error.
  prepared.catch(() => {})
  return { staged: await stage(vault.folder.path, others, mark), prepared }
}

/** Rewrites every file that it can, and returns a page with the others; null if none is left. */
async function finish(
  library: Library,
  vault: Vault,
  { page, file }: { page: Page; file: string },
  { staged, prepared }: Ready,
): Promise<Page | null> {
  const done = await swapAll(vault.folder.path, staged)
  const failed = await swapEach(vault.folder.path, {
    ...page,
    files: page.files.filter(({ path }) => !done.has(path)),
  })
  await Promise.all(foldersOf(page).map((folder) => settleFolder(join(vault.folder.path, folder))))
  const documents = await prepared
  const known = staged.flatMap(({ path, stamp }) => {
    const document = done.has(path) ? documents.get(path) : undefined
    return document && stamp ? [{ path, stamp, document }] : []
  })
  await storeFiles(library, known)
  const unread = new Set([page.to, page.from, ...page.files.map(({ path }) => path)])
  for (const { path } of known) unread.delete(path)
  await ingestFiles(library, runOf(library, vault), [...unread])
  return cross(library, file, failed.length > 0 ? { ...page, files: failed, moved: true } : null)
}

/** Replaces the page by the remaining work, or removes it if there is none. */
async function cross({ settings }: Library, file: string, rest: Page | null): Promise<Page | null> {
  if (rest) await writeRest(settings.data, file, rest)
  else await removePage(settings.data, file)
  return rest
}

/** Swaps the files that no one else has changed, and returns the paths of those that succeeded. */
async function swapAll(root: string, staged: readonly Staged[]): Promise<Set<string>> {
  const done = new Set<string>()
  await forEachLimit(staged, async (one) => {
    if (await swapIn(root, one).catch(() => false)) done.add(one.path)
  })
  discard(
    root,
    staged.filter(({ path }) => !done.has(path)),
  )
  return done
}

/** Rewrites the links in the current text of each file, and returns the files that failed, with the reason. */
async function swapEach(root: string, { mark, files }: Page): Promise<PageFile[]> {
  const reasons = new Map<PageFile, string>()
  await forEachLimit(files, async (one) => {
    const reason = await swapLinks(root, mark, one).catch((error: Error) => error.message)
    if (reason !== null) reasons.set(one, reason)
  })
  return files.flatMap((one) => {
    const reason = reasons.get(one)
    return reason === undefined ? [] : { ...one, reason }
  })
}

/** Relative to the vault. */
function foldersOf({ from, to, files }: Page): string[] {
  return [...new Set([from, to, ...files.map(({ path }) => path)].map((path) => dirname(path)))]
}

function runOf({ settings }: Library, vault: Vault) {
  return { source: vault.source.id, folder: vault.folder, limits: settings.limits }
}

// Rewrites links in the current text of the files, so that edits of others in the meantime stay.

const tries = 5

/** Rewrites the links of one file. Null when it is done. */
async function swapLinks(root: string, mark: string, file: PageFile): Promise<string | null> {
  for (let left = tries; left > 0; left--) {
    const becomes = rewritten(root, file)
    if (becomes === null || typeof becomes === 'string') return becomes
    if (await replaceFile(root, becomes, mark)) return null
  }
  return `${file.path} is being changed all the time.`
}

/** The new bytes of files that can be swapped together. Files with a problem are left out, to be rewritten one by one. */
async function rewrittenAll(root: string, files: readonly PageFile[]): Promise<Replacement[]> {
  const all: Replacement[] = []
  const yieldIfDue = createYielder()
  for (const file of files) {
    const becomes = ifItCan(() => rewritten(root, file))
    if (becomes !== null && typeof becomes !== 'string') all.push(becomes)
    await yieldIfDue()
  }
  return all
}

function ifItCan<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Null when there is nothing to rewrite; a sentence when it must not be. */
function rewritten(root: string, { path, swaps }: PageFile): Replacement | string | null {
  const note = readNote(root, path)
  const edits = note ? linkEdits(path, note.text, new Map(swaps)) : []
  if (!note || edits.length === 0) return null
  if (!onlyWordsChange(note.text, edits))
    return `${path} has frontmatter that would say something else: change its links by hand.`
  requireWritable(root, path, note)
  const bytes = encodeNote(withEdits(note.text, edits), note.mark)
  return { path, before: note.hash, bytes, rights: note.rights }
}

/** Some of a text's links replaced, by how they are written. */
function linkEdits(path: string, text: string, swaps: ReadonlyMap<string, string>): Edit[] {
  const { links } = parseMarkdown(text, isMdx(path) ? 'mdx' : 'markdown')
  const edits: Edit[] = []
  let from = 0
  for (const { start, end } of [...links].sort((a, b) => a.start - b.start)) {
    const becomes = swaps.get(text.slice(start, end))
    if (becomes === undefined || start < from) continue
    edits.push({ start, end, becomes })
    from = end
  }
  return edits
}

export const writingLease = 'writing-notes'

/** The client that asks for a change, and how to stop it. From `commit` on a change cannot be stopped. */
export interface WriteOptions extends Reader {
  signal?: AbortSignal
  /** Throws when it was stopped. */
  commit?(): void
  /** Called with true when the change has to wait for other writers, and with false when its turn comes. */
  inLine?(waits: boolean): void
}

/** One writer of notes at a time. */
export function withWriting<T>(
  library: Library,
  work: () => Promise<T>,
  { signal, inLine }: Pick<WriteOptions, 'signal' | 'inLine'> = {},
): Promise<T> {
  const begin = () => {
    inLine?.(false)
    return work()
  }
  inLine?.(true)
  return library.mutex.withLock(writingLease, begin, { signal })
}
