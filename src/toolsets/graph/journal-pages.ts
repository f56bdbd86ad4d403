// The pages of the journal of renames: one for each rename that is not over, in the data folder.
import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { Problem, reasonOf } from '../../model/problem.js'
import { listDataFolder, makeDataFolder, readDataFile } from '../../store/data-files.js'
import { hashOf } from '../../text/hash.js'
import { createFile, removeOwn, replaceFile, sweep } from './write-files.js'

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
  /** Part of the names of the temporary files beside the notes. */
  mark: string
  /** Those whose links are to be rewritten. */
  files: PageFile[]
  /** The note has its new name for good; whatever comes under the old one is another. */
  moved?: true
}

export interface PageFile {
  path: string
  swaps: [written: string, becomes: string][]
  /** Why it could not be rewritten when that was last tried. */
  reason?: string
}

export function pagesFolder(data: string): string {
  return join(data, renames)
}

const renames = 'renames'

/** Inside the vault: a page is acted on. Where files are opened, paths are checked again. */
const path = z
  .string()
  .min(1)
  .refine((path) => !/^[\\/]|\0/.test(path) && !path.split('/').includes('..'))
const pageForm: z.ZodType<Page> = z.object({
  source: z.string(),
  from: path,
  to: path,
  title: z.string(),
  before: z.string(),
  after: z.string(),
  mark: z.string().regex(/^[\da-f]{12}$/),
  files: z.array(
    z.object({
      path,
      swaps: z.array(z.tuple([z.string(), z.string()])),
      reason: z.string().optional(),
    }),
  ),
  moved: z.literal(true).optional(),
}) as z.ZodType<Page>
const ownOnly = { mode: 0o600 }

export async function writeDown(data: string, page: Page): Promise<string> {
  const folder = makeDataFolder(data, renames)
  const name = `${randomUUID()}.json`
  await createFile(rootOf(data), `${renames}/${name}`, bytesOf(page), { rights: ownOnly })
  return join(folder, name)
}

/** Replaces a page by one with the remaining work. */
export async function writeRest(data: string, file: string, page: Page): Promise<void> {
  const path = `${renames}/${basename(file)}`
  const before = hashOf(readDataFile(data, path) ?? Buffer.alloc(0))
  await replaceFile(rootOf(data), {
    path,
    before,
    bytes: bytesOf(page),
    rights: ownOnly,
  })
}

export async function removePage(data: string, file: string): Promise<void> {
  await removeOwn(rootOf(data), `${renames}/${basename(file)}`)
}

/** Removes temporary files that killed processes left beside the pages. */
export async function sweepPages(data: string): Promise<void> {
  await sweep(rootOf(data), renames)
}

/** Pages are written below the real data folder, and nowhere else. */
function rootOf(data: string): string {
  return realpathSync.native(data)
}

// With a checksum, because the text of a page is written into notes.
function bytesOf(page: Page): Uint8Array {
  return Buffer.from(JSON.stringify({ ...page, sum: sumOf(page) }))
}

function sumOf(page: Page): string {
  return hashOf(JSON.stringify(page))
}

/** The files of all pages. */
export async function pagesIn(data: string): Promise<string[]> {
  const folder = pagesFolder(data)
  return listDataFolder(data, renames)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
}

/** Null when the page went in the meantime. */
export async function readPage(file: string): Promise<Page | null> {
  try {
    const bytes = readDataFile(dirname(dirname(file)), `${renames}/${basename(file)}`)
    if (bytes === null) return null
    const written = JSON.parse(bytes.toString('utf8')) as (Page & { sum?: string }) | null
    const page = pageForm.parse(written)
    const { sum, ...summed } = written!
    // Pages of an older Carrel have no checksum.
    if (sum !== undefined && sum !== sumOf(summed)) throw new Error('It does not match its checksum.')
    return page
  } catch (error) {
    const why = error instanceof z.ZodError ? 'It is no page.' : reasonOf(error)
    throw new Problem(
      'provider_error',
      `What a rename had left to do cannot be read from ${file}: ${why}`,
      '"carrel graph check" tells which links are broken; remove the file when they are mended.',
      { cause: error },
    )
  }
}

const mostNamed = 5

/** A sentence on the remaining work of a rename. */
export function restOf({ from, to, files }: Page): string {
  const change = from === to ? `The change of the title of ${from}` : `The rename of ${from} to ${to}`
  if (!files.some(({ reason }) => reason)) return `${change} was interrupted.`
  const named = files
    .slice(0, mostNamed)
    .map(({ path, reason = 'It waits.' }) => (reason.startsWith(path) ? reason : `${path}: ${reason}`))
  const more = files.length > mostNamed ? ` And ${files.length - mostNamed} more.` : ''
  const where = files.length === 1 ? 'one file' : `${files.length} files`
  return `${change} is done but for the links in ${where}. ${named.join(' ')}${more}`
}

/** Sentences on the remaining work of the renames that gave a note its present path. */
export async function restAt(data: string, { source, path }: { source: string; path: string }) {
  const pages = await Promise.all((await pagesIn(data)).map((file) => readPage(file).catch(() => null)))
  return pages.flatMap((page) => (page?.source === source && page.to === path ? restOf(page) : []))
}

/** The pages that wait, as sentences. */
export async function waitingRenames(data: string): Promise<string[]> {
  const sentences = (await pagesIn(data)).map(async (file) => {
    const page = await readPage(file).catch(reasonOf)
    if (page === null) return []
    return typeof page === 'string' ? page : restOf(page)
  })
  return (await Promise.all(sentences)).flat()
}
