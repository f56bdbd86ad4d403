// Unpacks a bundle and verifies all of it against its list before anything is used.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Library } from '../../../answer/library.js'
import { Problem } from '../../../model/problem.js'
import { unpack } from '../../../sources/package/tar.js'
import { openNewFolder } from '../blob-store.js'
import {
  type BundleList,
  bundleVersion,
  documentPath,
  listName,
  listSchema,
  vectorsPath,
} from './contents.js'

export interface OpenBundle {
  list: BundleList
  /** Where its files lie until `close`. */
  folder: string
  close(): Promise<void>
}

export async function openBundle(
  library: Library,
  { file, cwd, signal }: { file: string; cwd: string; signal?: AbortSignal | undefined },
): Promise<OpenBundle> {
  const path = resolve(cwd, file)
  const found = await stat(path).catch(() => null)
  if (!found?.isFile())
    throw new Problem(
      'no_file',
      found
        ? `${path} is ${found.isDirectory() ? 'a folder' : 'something else'}, not a file.`
        : `There is no file ${path}.`,
      'Name a bundle that "carrel export" made.',
    )
  const { folder, close } = openNewFolder(library)
  try {
    const paths = await unpack(path, folder, { signal }).catch(asOurs)
    const list = await readList(folder, paths)
    await prove(folder, list, paths)
    return { list, folder, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function readList(folder: string, paths: readonly string[]): Promise<BundleList> {
  if (!paths.includes(listName)) throw refuse('it is no bundle of a source')
  let list: unknown
  try {
    list = JSON.parse(await readFile(join(folder, listName), 'utf8'))
  } catch {
    throw refuse('its list is no JSON')
  }
  const { version } = (list ?? {}) as { version?: unknown }
  if (typeof version === 'number' && version > bundleVersion)
    throw new Problem('newer_bundle', 'The bundle was made by a newer Carrel.', 'Update Carrel.')
  const parsed = listSchema.safeParse(list)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw refuse(`its list is wrong at ${issue?.path.join('.') || 'the top'} (${issue?.message})`)
}

/** Every file is listed and has its hash; every path is a document's only once. */
async function prove(folder: string, { documents, vectors }: BundleList, paths: readonly string[]) {
  const expected = new Map<string, string>()
  for (const { hash } of documents) expected.set(documentPath(hash), hash)
  for (const [i, { hash }] of vectors?.parts.entries() ?? []) expected.set(vectorsPath(i), hash)
  const unlisted = paths.find((path) => path !== listName && !expected.has(path))
  if (unlisted !== undefined)
    throw refuse(`it has a file that its list does not name (${unlisted.slice(0, 100)})`)
  if (new Set(documents.map(({ path }) => path)).size !== documents.length)
    throw refuse('two of its documents have one address')
  for (const [path, hash] of expected)
    if ((await hashOfFile(join(folder, path))) !== hash) throw refuse(`"${path}" is missing or damaged`)
}

async function hashOfFile(file: string): Promise<string | null> {
  const whole = createHash('sha256')
  try {
    for await (const part of createReadStream(file)) whole.update(part as Buffer)
  } catch {
    return null
  }
  return whole.digest('hex')
}

function refuse(reason: string): Problem {
  return new Problem(
    'bad_bundle',
    `The bundle is refused: ${reason}. Nothing was changed.`,
    'Make it again with "carrel export SOURCE FILE". For notes: carrel import notes FILE.',
  )
}

// The archive's own refusals name the command for packages.
function asOurs(error: unknown): never {
  if (error instanceof Problem && error.code === 'bad_bundle')
    throw refuse(error.message.replace(/^The bundle is refused: |\.$/g, ''))
  throw error
}
