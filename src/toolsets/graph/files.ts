// Files of a vault, as far as they may be changed.
import { accessSync, constants, lstatSync, type Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile } from '../../ingest/read-file.js'
import { Problem } from '../../model/problem.js'
import { neverEntered } from '../../sources/excluded-paths.js'
import { neverRead } from '../../sources/path-rules.js'
import { hashOf } from '../../text/hash.js'
import { sameName } from '../../text/normal-forms.js'

/** A path that may be written: relative, plain, without tricks. Throws for everything else. */
export function requirePlainPath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 80))
  const parts = path.split('/')
  if (path.includes('\0') || /^[\\/]|^[a-z]:[\\/]/i.test(path) || parts.includes('..'))
    throw invalid(`The path ${shown} does not lie inside the vault.`, 'Give a path relative to the vault.')
  if (path.length > 1000 || parts.some((part) => Buffer.byteLength(part) > 255))
    throw invalid(`The path ${shown} is too long.`, 'Use shorter names.')
  if (parts.some((part) => /[\p{Cc}\\]/u.test(part)))
    throw invalid(
      `The path ${shown} has signs that no path can have.`,
      'Use letters, digits, spaces and dashes.',
    )
  if (isNeverIndexed(parts))
    throw invalid(`The path ${shown} lies in a folder that is never indexed.`, 'Choose another folder.')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

/** The same path through the folders that are there, by the names that those have on disk. */
export async function asOnDisk(root: string, path: string): Promise<string> {
  const [name, ...folders] = path.split('/').reverse()
  let at = ''
  for (const part of folders.reverse()) at += `${await nameOnDisk(join(root, at), part)}/`
  return at + name
}

/** It may write its accents in the other way, and where the system does not look at case, have other letters. */
async function nameOnDisk(folder: string, written: string): Promise<string> {
  const names = await readdir(folder).catch((): string[] => [])
  if (names.includes(written)) return written
  const same = names.filter((name) => sameName(name) === sameName(written))
  const accents = same.find((name) => name.normalize('NFC') === written.normalize('NFC'))
  if (accents !== undefined) return accents
  return same[0] !== undefined && (await present(join(folder, written))) ? same[0] : written
}

/** By the names of its folders alone, whatever git tracks. The other rules need the file: `createNote` checks them. */
function isNeverIndexed(parts: readonly string[]): boolean {
  const folders = parts.slice(0, -1)
  return folders.some(neverEntered) || neverRead(`${folders.join('/')}/x`) !== null
}

export function invalid(message: string, hint: string): Problem {
  return new Problem('invalid_params', message, hint)
}

export interface NoteFile {
  bytes: Uint8Array
  hash: string
  /** Without the byte order mark. */
  text: string
  mark: boolean
  rights: Rights
}

/** A file's owner and its permissions. */
export type Rights = Pick<Stats, 'mode' | 'uid' | 'gid'>

/** Opens a note's file for changing. Null if there is no file; throws a Problem if it cannot be changed. */
export function openNote(root: string, path: string): NoteFile | null {
  const note = readNote(root, path)
  if (note) requireWritable(root, path, note)
  return note
}

// A writable folder would allow replacing a read-only file, but its owner does not want it changed.
export function requireWritable(root: string, path: string, { rights }: NoteFile) {
  if ((rights.mode & 0o222) === 0 || !isWritable(join(root, path)))
    throw new Problem(
      'provider_error',
      `${path} is read-only.`,
      'Make it writable first. Nothing was changed.',
    )
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The same for looking at, whether or not it may be changed. */
export function readNote(root: string, path: string): NoteFile | null {
  const read = readFile(root, path, mostBytes)
  if ('state' in read) {
    return read.state === 'gone' ? null : unreadable(path, read.reason)
  }
  const there = lstatSync(join(root, path), { throwIfNoEntry: false })
  if (!there) return null
  const { mode, uid, gid } = there
  const rights = { mode, uid, gid }
  return { bytes: read.bytes, hash: hashOf(read.bytes), rights, ...decoded(path, read.bytes) }
}

export const mostBytes = 50_000_000

function decoded(path: string, bytes: Uint8Array): { text: string; mark: boolean } {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), mark }
  } catch {
    throw new Problem(
      'provider_error',
      `${path} is not UTF-8, so it is not changed.`,
      'Convert it to UTF-8 first.',
    )
  }
}

export function encodeNote(text: string, mark: boolean): Uint8Array {
  return Buffer.from(mark ? `\ufeff${text}` : text)
}

/** The hash of a file's bytes now; null only when there is no file: one that cannot be read is there all the same. */
export function hashThere(root: string, path: string): string | null {
  const read = readFile(root, path, mostBytes)
  if ('bytes' in read) return hashOf(read.bytes)
  return read.state === 'gone' ? null : unreadable(path, read.reason)
}

function unreadable(path: string, reason: string): never {
  throw new Problem('provider_error', `${path} cannot be read. ${reason}`, 'Nothing was changed.')
}

export async function present(file: string): Promise<Stats | null> {
  return lstat(file).catch(() => null)
}

export function refusal(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, message } = error as NodeJS.ErrnoException
  return new Problem(
    'provider_error',
    `${path} could not be written (${code ?? message}).`,
    'Nothing was changed.',
    { cause: error },
  )
}
