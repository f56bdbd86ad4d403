// A rename changes many files and must be whole. What is to be done is written down first; a process that finds such a
// page left by one that was killed goes on where that one stopped, or takes back the little it had begun.
//
// The order: the page; the new bytes of every file, beside the old; the note under its new name; its old name goes; then the
// files are swapped; then the page goes. Before the old name is gone nothing else has changed, so up to there a rename is
// undone, and from there on finished.
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Library, libraryState } from '../../answer/library.js'
import type { Reader } from '../../answer/shown-to-client.js'
import { type Edit, keepsSaying, withEdits } from '../../graph/frontmatter.js'
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

/** Does what the page says. `note` is what the note becomes, `others` what the files with links to it do. */
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
  throw new Problem('conflict', bothKept(page), removeOne)
}

function changedJustNow({ from }: Page): Problem {
  const hint = 'Read it again and repeat. Nothing was changed.'
  return new Problem('conflict', `${from} was changed by somebody else just now.`, hint)
}

/**
 * Finishes or undoes what a killed process left. Costs a look at a folder when there is nothing. Gives what could not be
 * done, a sentence each. Once begun it goes on behind whoever asked for it, and the library closes after it.
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
 * The same for whoever has the right to write already. What could not be done (a file is read-only, say) is tried again with
 * every change; reading does not wait for it twice.
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

/** What could not be done, or null. */
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
  return state === 'undone' ? null : `${bothKept(page)} ${removeOne}`
}

/** A disk that is not there just now leaves no folder, or an empty one. What was to be done on it must not be forgotten. */
async function requirePresent(root: string, { from, to }: Page) {
  const names = await readdir(root).catch(() => [])
  if (names.some((name) => !name.startsWith('.'))) return
  throw new Problem(
    'provider_error',
    `The rename of ${from} to ${to} waits: there is nothing in ${root} just now.`,
    'It is finished when the files are back.',
  )
}

function bothKept({ from, to }: Page): string {
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

/** Files ready to be swapped, and what the index will say of them. */
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
  // Whoever waits for it hears of it.
  prepared.catch(() => {})
  return { staged: await stage(vault.folder.path, others, mark), prepared }
}

/** One file that cannot be rewritten keeps no other from it. Gives what is left to do, null when nothing is. */
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

/** Takes off the page what is done; the page goes when nothing is left. */
async function cross({ settings }: Library, file: string, rest: Page | null): Promise<Page | null> {
  if (rest) await writeRest(settings.data, file, rest)
  else await removePage(settings.data, file)
  return rest
}

/** Swaps what nobody else has changed, as far as it can be; gives the paths. */
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

/** Rewrites one file after the other as it is now; gives those that cannot be, with the reason. */
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

// The links of files that a rename carries along, rewritten as the files are now: whatever somebody else changed in them
// meanwhile stays.

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

/** What files become, to be swapped together. Those with which anything is wrong are left to be done one by one. */
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
  if (!keepsSaying(note.text, edits))
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

/** Whose change it is, and how it can be stopped until it commits itself; then it is carried out, and says what became of it. */
export interface Asking extends Reader {
  signal?: AbortSignal
  /** Throws when it was stopped. */
  commit?(): void
  /** Hears true while others are writing, and false when it is this one's turn. */
  inLine?(waits: boolean): void
}

/** One writer of notes at a time. */
export function withWriting<T>(
  library: Library,
  work: () => Promise<T>,
  { signal, inLine }: Pick<Asking, 'signal' | 'inLine'> = {},
): Promise<T> {
  const begin = () => {
    inLine?.(false)
    return work()
  }
  inLine?.(true)
  return library.mutex.withLock(writingLease, begin, { signal })
}
