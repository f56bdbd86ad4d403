// A rename changes many files and must be whole. What is to be done is written down first; a process that finds such a
// page left by one that was killed goes on where that one stopped, or takes back the little it had begun.
//
// The order: the page; the note under its new name; its old name goes; then the links, file by file; then the page goes.
// Before the old name is gone nothing else has changed, so up to there a rename is undone, and from there on finished.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ingestFiles } from '../../ingest/ingest-files.js'
import { Problem } from '../../model/problem.js'
import { parseMarkdown } from '../../parse/markdown.js'
import type { Library } from '../library.js'
import { createFile, encodeNote, hashNow, openNote, removeFile, replaceFile, settleFolder } from './files.js'
import { withWriting } from './lock.js'
import { memoryOf, type Vault } from './vaults.js'

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
  files: { path: string; swaps: [written: string, becomes: string][] }[]
}

/** Does what the page says. `note` is what the note becomes, `ready` what the others do. */
export async function carryOut(
  library: Library,
  vault: Vault,
  page: Page,
  note: { bytes: Uint8Array; mode: number },
  ready: ReadonlyMap<string, Ready>,
) {
  const file = await writeDown(library, page)
  triedBy(library).add(file)
  const root = vault.folder.path
  try {
    if (page.from === page.to) await rewriteNote(root, page, note)
    else await moveNote(root, page, note)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  await finish(library, vault, page, file, ready)
}

/** What a file becomes if it is still the one that was planned for. */
export interface Ready {
  before: string
  bytes: Uint8Array
  mode: number
}

async function rewriteNote(root: string, page: Page, note: { bytes: Uint8Array; mode: number }) {
  if (!(await replaceFile(root, page.from, page.before, note.bytes, note.mode))) throw changedJustNow(page)
}

async function moveNote(root: string, page: Page, note: { bytes: Uint8Array; mode: number }) {
  if (!(await createFile(root, page.to, note.bytes, note.mode)))
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
  for (const file of await untried(library)) {
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
  if (await begun(vault, page)) return finish(library, vault, page, file)
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
  if (old === before) return removeFile(root, from, before)
  await removeFile(root, to, after)
  return false
}

async function titleAt(root: string, path: string): Promise<string | null> {
  const note = openNote(root, path)
  return note && parseMarkdown(note.text).title
}

async function finish(
  library: Library,
  vault: Vault,
  page: Page,
  file: string,
  ready: ReadonlyMap<string, Ready> = new Map(),
) {
  await inTurns(page.files, async (one) => {
    const planned = ready.get(one.path)
    const done =
      planned && (await replaceFile(vault.folder.path, one.path, planned.before, planned.bytes, planned.mode))
    if (!done) await swapLinks(vault, one)
  })
  const folders = new Set(page.files.map(({ path }) => dirname(join(vault.folder.path, path))))
  for (const folder of folders) await settleFolder(folder)
  await ingestFiles(library, runOf(library, vault), [
    page.to,
    page.from,
    ...page.files.map(({ path }) => path),
  ])
  await rm(file, { force: true })
}

const tries = 5

/** Rewrites the links of one file as it is now; what somebody else changed in it meanwhile stays. */
async function swapLinks(vault: Vault, { path, swaps }: Page['files'][number]) {
  const root = vault.folder.path
  for (let left = tries; left > 0; left--) {
    const note = openNote(root, path)
    if (!note) return
    const text = swapped(path, note.text, new Map(swaps))
    if (text === note.text) return
    if (await replaceFile(root, path, note.hash, encodeNote(text, note.mark), note.mode)) return
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

const atOnce = 16

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = [...items].reverse()
  const hand = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, hand))
}

async function writeDown(library: Library, page: Page): Promise<string> {
  const folder = folderOf(library)
  await mkdir(folder, { recursive: true })
  const name = `${randomUUID()}.json`
  await createFile(folder, name, Buffer.from(JSON.stringify(page)), 0o600)
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
