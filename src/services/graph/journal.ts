// A rename changes many files and must be whole. What is to be done is written down first; a process that finds such a
// page left by one that was killed goes on where that one stopped, or takes back the little it had begun.
//
// The order: the page; the new bytes of every file, beside the old; the note under its new name; its old name goes; then the
// files are swapped; then the page goes. Before the old name is gone nothing else has changed, so up to there a rename is
// undone, and from there on finished.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ingestFiles, prepareFiles, storeFiles } from '../../ingest/ingest-files.js'
import type { PackedDocument } from '../../ingest/task.js'
import { Problem } from '../../model/problem.js'
import type { FolderSettings } from '../../model/settings.js'
import { parseMarkdown } from '../../parse/markdown.js'
import { lists } from '../../sources/folder.js'
import type { Library } from '../library.js'
import { encodeNote, hashNow, openNote } from './files.js'
import { withWriting } from './lock.js'
import { memoryOf, type Vault } from './vaults.js'
import {
  createFile,
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

export interface Page {
  /** The vault's folder, as its source has it. */
  source: string
  from: string
  to: string
  /** The title it gets. A note may change that and keep its file. */
  title: string
  /** Hashes of the note's bytes under the old name and under the new. */
  before: string
  after: string
  /** In the names of what lies beside the files meanwhile. */
  mark: string
  files: { path: string; swaps: [written: string, becomes: string][] }[]
}

/** Does what the page says. `note` is what the note becomes, `others` what the files with links to it do. */
export async function carryOut(
  library: Library,
  vault: Vault,
  page: Page,
  note: { bytes: Uint8Array; mode: number },
  others: readonly Replacement[],
) {
  const file = await writeDown(library, page)
  triedBy(library).add(file)
  const root = vault.folder.path
  const prepared = prepareFiles(library, runOf(library, vault), others)
  let staged: Staged[] = []
  try {
    staged = await stage(root, others, page.mark)
    if (page.from === page.to) await rewriteNote(root, page, note)
    else await moveNote(vault.folder, page, note)
  } catch (error) {
    discard(staged)
    await rm(file, { force: true })
    throw error
  }
  await finish(library, vault, { page, file }, { staged, prepared }).catch((error) => {
    throw unfinished(page, error)
  })
}

function unfinished({ from, to }: Page, error: unknown): Problem {
  return new Problem(
    'provider_error',
    `${from} became ${to}, but some links to it could not be rewritten yet: ${(error as Error).message}`,
    'The rest is done at the next start.',
    { cause: error },
  )
}

async function rewriteNote(root: string, page: Page, note: { bytes: Uint8Array; mode: number }) {
  if (!(await replaceFile(root, { path: page.from, before: page.before, ...note })))
    throw changedJustNow(page)
}

async function moveNote(folder: FolderSettings, page: Page, note: { bytes: Uint8Array; mode: number }) {
  const root = folder.path
  if (!(await createNote(folder, page.to, note.bytes, { mode: note.mode, mark: page.mark })))
    throw new Problem('exists', `There is already a note at ${page.to}.`, 'Choose another title.')
  if (await removeFile(root, page.from, page.before)) return
  await removeFile(root, page.to, page.after)
  throw changedJustNow(page)
}

function changedJustNow({ from }: Page): Problem {
  const hint = 'Read it again and repeat. Nothing was changed.'
  return new Problem('conflict', `${from} was changed by somebody else just now.`, hint)
}

/** Finishes or undoes what a killed process left. Costs a look at a folder when there is nothing. */
export async function recoverRenames(library: Library): Promise<void> {
  if ((await untried(library)).length > 0) await withWriting(library, () => recoverAsWriter(library))
}

/** The same for whoever has the right to write already. */
export async function recoverAsWriter(library: Library): Promise<void> {
  const left = await untried(library)
  if (left.length > 0) await sweep(folderOf(library))
  for (const file of left) {
    triedBy(library).add(file)
    // A page that cannot be carried out (a file is read-only, say) waits for the next start; reading goes on.
    await recover(library, file).catch(() => {})
  }
}

const tried = new WeakMap<Library, Set<string>>()

function triedBy(library: Library): Set<string> {
  const known = tried.get(library) ?? new Set()
  tried.set(library, known)
  return known
}

async function untried(library: Library): Promise<string[]> {
  if (!existsSync(folderOf(library))) return []
  const seen = triedBy(library)
  return (await pages(library)).filter((file) => !seen.has(file))
}

async function recover(library: Library, file: string) {
  const page = JSON.parse(await readFile(file, 'utf8')) as Page
  const vault = memoryOf(library).vaults.find(({ source }) => source.id === page.source)
  // Another project's, or a folder that is not configured just now.
  if (!vault) return
  for (const folder of foldersOf(vault, page)) await sweep(folder, page.mark)
  if (await begun(vault, page)) return finish(library, vault, { page, file }, nothingReady)
  await ingestFiles(library, runOf(library, vault), [page.from, page.to])
  await rm(file, { force: true })
}

/** Whether the note has its new name, so that the links have to follow; if not, there is no trace of it afterwards. */
async function begun(vault: Vault, { from, to, title, before, after }: Page): Promise<boolean> {
  const root = vault.folder.path
  const [old, made] = [hashNow(root, from), hashNow(root, to)]
  if (from === to)
    return made === after || (made !== null && made !== before && (await titleAt(root, to)) === title)
  if (old === null) return made !== null
  if (made !== after) return false
  if (old === before && (await lists(vault.folder, to))) return removeFile(root, from, before)
  await removeFile(root, to, after)
  return false
}

async function titleAt(root: string, path: string): Promise<string | null> {
  const note = openNote(root, path)
  return note && parseMarkdown(note.text).title
}

/** What a process that was not killed has at hand: files ready to be swapped, and what the index will say of them. */
interface Ready {
  staged: readonly Staged[]
  prepared: Promise<ReadonlyMap<string, PackedDocument>>
}

const nothingReady: Ready = { staged: [], prepared: Promise.resolve(new Map()) }

async function finish(
  library: Library,
  vault: Vault,
  { page, file }: { page: Page; file: string },
  { staged, prepared }: Ready,
) {
  const done = await swapAll(vault.folder.path, staged)
  for (const one of page.files) if (!done.has(one.path)) await swapLinks(vault, page.mark, one)
  await Promise.all(foldersOf(vault, page).map(settleFolder))
  const documents = await prepared
  const known = staged.flatMap(({ path, stamp }) => {
    const document = done.has(path) ? documents.get(path) : undefined
    return document ? [{ path, stamp, document }] : []
  })
  await storeFiles(library, known)
  const rest = new Set([page.to, page.from, ...page.files.map(({ path }) => path)])
  for (const { path } of known) rest.delete(path)
  await ingestFiles(library, runOf(library, vault), [...rest])
  await rm(file, { force: true })
}

/** Swaps what nobody else has changed; gives the paths. */
async function swapAll(root: string, staged: readonly Staged[]): Promise<Set<string>> {
  const done = new Set<string>()
  await inTurns(staged, async (one) => {
    if (await swapIn(root, one)) done.add(one.path)
  })
  discard(staged.filter(({ path }) => !done.has(path)))
  return done
}

// As many as there are threads for such calls: one that waited for a thread after its file was compared with what it was
// would leave others time to change it.
const hands = 4

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = [...items].reverse()
  const hand = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: hands }, hand))
}

function foldersOf({ folder }: Vault, { from, to, files }: Page): string[] {
  return [
    ...new Set([from, to, ...files.map(({ path }) => path)].map((path) => dirname(join(folder.path, path)))),
  ]
}

const tries = 5

/** Rewrites the links of one file as it is now; what somebody else changed in it meanwhile stays. */
async function swapLinks(vault: Vault, mark: string, { path, swaps }: Page['files'][number]) {
  const root = vault.folder.path
  for (let left = tries; left > 0; left--) {
    const note = openNote(root, path)
    if (!note) return
    const text = swapped(path, note.text, new Map(swaps))
    if (text === note.text) return
    const bytes = encodeNote(text, note.mark)
    if (await replaceFile(root, { path, before: note.hash, bytes, mode: note.mode }, mark)) return
  }
  throw new Problem(
    'provider_error',
    `${path} is being changed all the time, so its links could not be rewritten.`,
    'The rename will be finished at the next start.',
  )
}

/** A text with some of its links replaced, by how they are written. */
export function swapped(path: string, text: string, swaps: ReadonlyMap<string, string>): string {
  const { links } = parseMarkdown(text, path.toLowerCase().endsWith('.mdx') ? 'mdx' : 'markdown')
  let [changed, from] = ['', 0]
  for (const { start, end } of [...links].sort((a, b) => a.start - b.start)) {
    const becomes = swaps.get(text.slice(start, end))
    if (becomes === undefined || start < from) continue
    changed += text.slice(from, start) + becomes
    from = end
  }
  return changed + text.slice(from)
}

async function writeDown(library: Library, page: Page): Promise<string> {
  const folder = folderOf(library)
  await mkdir(folder, { recursive: true })
  const name = `${randomUUID()}.json`
  await createFile(folder, name, Buffer.from(JSON.stringify(page)), { mode: 0o600 })
  return join(folder, name)
}

async function pages(library: Library): Promise<string[]> {
  const folder = folderOf(library)
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
}

function folderOf({ settings }: Library): string {
  return join(settings.data, 'renames')
}

function runOf({ settings }: Library, vault: Vault) {
  return { source: vault.source.id, folder: vault.folder, limits: settings.limits }
}
