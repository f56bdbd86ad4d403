// Stores a file that a client names: only from folders that the user allowed, and never a secret.

import { closeSync, read } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Library } from '../../answer/library.js'
import { realData } from '../../answer/library.js'
import { isRead } from '../../ingest/readers.js'
import { Problem } from '../../model/problem.js'
import { leadsElsewhere } from '../../sources/other-machine.js'
import { neverRead } from '../../sources/path-rules.js'
import { isInside, type OpenFile, openInside, type Unread } from '../../sources/safe-file.js'
import { secretIn } from '../../sources/secret-files.js'
import { shownUrl } from '../../sources/web/web-url.js'
import { nearest } from '../../text/nearest.js'
import { normalForms } from '../../text/normal-forms.js'
import { truncate } from '../../text/truncate.js'
import { type StagedBlob, stageBlob } from './blob-store.js'
import { mostBytes, readFormats, tooLarge } from './document-records.js'

export interface StagedFile {
  blob: StagedBlob
  /** The file's own name. */
  name: string
}

/** Keeps the bytes of a file below an allowed folder. Everything that speaks against it is a Problem. */
export async function stageFile(library: Library, written: string): Promise<StagedFile> {
  const file = await openAllowed(library, written)
  try {
    const name = basename(file.path)
    if (!isRead(name)) throw unsupported(name)
    return { blob: await stageBlob(library, readPieces(file.handle, mostBytes)), name }
  } finally {
    closeSync(file.handle)
  }
}

async function openAllowed(library: Library, written: string): Promise<OpenFile> {
  if (written.trim() === '' || written.includes('\0') || written.length > longestPath)
    throw notFound(written, library, null)
  const path = isAbsolute(written) ? resolve(written) : join(library.settings.root, written)
  if (leadsElsewhere(path, allowedFolders(library))) throw outside(written, library)
  const real = await realpathSpelled(path)
  const root = await rootOf(library, real ?? path)
  // Outside the allowed folders the answer does not reveal whether a file exists.
  if (root === null) throw outside(written, library)
  if (real === null) throw notFound(written, library, await closest(root, path))
  const data = await realData(library.settings.data)
  const opened = openInside(root, relative(root, real), {
    maxBytes: mostBytes,
    followLinks: true,
    forbids: (inside) => neverRead(inside) ?? (isInside(data, join(root, inside)) ? basename(data) : null),
  })
  if ('why' in opened) throw refusal(library, written, opened)
  return opened
}

const longestPath = 4_096

async function realpathSpelled(path: string): Promise<string | null> {
  for (const form of normalForms(path)) {
    const real = await realpath(form).catch(() => null)
    if (real !== null) return real
  }
  return null
}

/** The folders that files may be added from, by their real paths. */
export function allowedFolders({ settings }: Library): string[] {
  const { root, sources, uploadFolders = [] } = settings
  return [...new Set([root, ...sources.map(({ path }) => path), ...uploadFolders])]
}

async function rootOf(library: Library, path: string): Promise<string | null> {
  for (const folder of allowedFolders(library)) {
    const real = await realpath(folder).catch(() => null)
    if (real !== null && isInside(real, path)) return real
  }
  return null
}

/** A file in the same folder with a similar name. */
async function closest(root: string, path: string): Promise<string | null> {
  const folder = await realpath(dirname(path)).catch(() => null)
  if (folder === null || !isInside(root, folder)) return null
  const names = (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile() && isRead(entry.name) && !secretIn(entry.name))
    .map(({ name }) => name)
  const found = nearest(basename(path), names)
  return found === null ? null : join(folder, found)
}

function refusal(library: Library, written: string, unread: Unread): Problem {
  switch (unread.why) {
    case 'gone':
      return notFound(written, library, null)
    case 'outside':
      return outside(written, library)
    case 'large':
      return tooLarge(unread.size)
    case 'denied':
      return new Problem(
        'denied',
        `"${short(written)}" is never read: "${unread.rule}" may hold secrets or belongs to a program.`,
        'Name another file, or pass the text that should be known as content with a title.',
      )
    case 'folder':
      return new Problem(
        'not_a_file',
        `"${short(written)}" is a folder.`,
        'Name one file in it and add the files one by one; a whole folder belongs under "sources" in carrel.json.',
      )
    default:
      return new Problem(
        'not_a_file',
        `"${short(written)}" cannot be read: it is no regular file, or reading it is not permitted.`,
        'Name a regular file that this user can read, or pass its text as content with a title.',
      )
  }
}

function notFound(written: string, { settings }: Library, close: string | null): Problem {
  if (/^https?:\/\//i.test(written))
    return new Problem(
      'no_file',
      `File not found: ${shownUrl(written)} is a web address.`,
      `Use crawl_website(url='${shownUrl(written)}') to index its pages.`,
    )
  const hint = close
    ? `Did you mean file_path='${close}'?`
    : `Paths are absolute, or relative to ${settings.root}. Check the path, or pass the text as content with a title.`
  return new Problem('no_file', `File not found: ${short(written) || '(empty)'}`, hint)
}

function outside(written: string, { settings }: Library): Problem {
  return new Problem(
    'outside',
    `"${short(written)}" lies outside the folders that files may be added from.`,
    `Copy the file into ${settings.root} and name it there, or pass its text as content with a title. The user can allow its folder with --set uploadFolders=FOLDER.`,
  )
}

function unsupported(name: string): Problem {
  return new Problem(
    'unsupported',
    `Files like "${short(name)}" are not read.`,
    `Save it as ${readFormats} and name that file.`,
  )
}

function short(path: string): string {
  return truncate(path, 300, '…')
}

const readSome = promisify(read)
const pieceSize = 1_000_000

/** An open file from its start, piece by piece. One that grows past the limit while it is read is a Problem. */
async function* readPieces(handle: number, mostBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await readSome(handle, Buffer.alloc(pieceSize), 0, pieceSize, at)
    if (bytesRead === 0) return
    at += bytesRead
    if (at > mostBytes) throw new Problem('too_large', 'The file grew past the limit while it was read.')
    yield buffer.subarray(0, bytesRead)
  }
}
