// context.json lists the packages of a project, or of a user for all projects, by alias. context.lock next to it has the
// hashes of their bytes at the last sync.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { readSmallFile } from '../safe-file.js'
import { replaceFile } from '../whole-file.js'
import { wrongShape } from './manifest.js'

export interface ContextEntry {
  url: string
}

export type ContextCollections = Record<string, ContextEntry>

export interface LockEntry {
  url: string
  version?: string | undefined
  commit?: string | undefined
  /** For a manifest or bundle on the web: the server's ETag. */
  etag?: string | undefined
  /** For those and for a local bundle: `sha256:` and the hash of the bytes. */
  hash?: string | undefined
  /** `sha256:` and the hash, by path. */
  files: Record<string, string>
}

export const aliasForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.@-]{0,63}$/u

const context = z.looseObject({
  collections: z.record(z.string(), z.looseObject({ url: z.string().min(1) })).default({}),
})
const lock = z.object({
  collections: z.record(
    z.string(),
    z.object({
      url: z.string(),
      version: z.string().optional(),
      commit: z.string().optional(),
      etag: z.string().optional(),
      hash: z.string().optional(),
      files: z.record(z.string(), z.string()),
    }),
  ),
})

/** The collections in a context.json; none when there is no such file. */
export function readContext(file: string): ContextCollections {
  return readJson(file, context)?.collections ?? {}
}

/** Changes the collections and leaves everything else in the file as it is. */
export function changeContext(file: string, change: (before: ContextCollections) => ContextCollections) {
  const before = readJson(file, context)
  writing(file, () => mkdirSync(dirname(file), { recursive: true }))
  writeJson(file, { ...before, collections: change(before?.collections ?? {}) })
}

export function readLock(contextFile: string): Record<string, LockEntry> {
  return readJson(lockFile(contextFile), lock)?.collections ?? {}
}

export function writeLock(contextFile: string, entries: Record<string, LockEntry>) {
  const inOrder = Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))
  if (JSON.stringify(inOrder) === JSON.stringify(readLock(contextFile))) return
  writeJson(lockFile(contextFile), { collections: inOrder })
}

function lockFile(contextFile: string): string {
  return join(dirname(contextFile), 'context.lock')
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | null {
  const text = textOf(file)
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    throw bad(
      file,
      error instanceof z.ZodError ? wrongShape(error) : `It is not JSON: ${(error as Error).message}.`,
    )
  }
}

/** The lock of a project with a hundred thousand files is a tenth of this. */
const mostBytes = 100_000_000

function textOf(file: string): string | null {
  let read: ReturnType<typeof readSmallFile>
  try {
    read = readSmallFile(file, mostBytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw bad(file, (error as Error).message)
  }
  if ('text' in read) return read.text
  throw bad(file, read.why === 'large' ? 'It is too large.' : 'It is not a file but something else.')
}

function bad(file: string, reason: string): Problem {
  const hint = 'It should hold { "collections": { "ALIAS": { "url": "…" } } }.'
  return new Problem(
    'bad_context',
    `${file} cannot be used: ${reason.replace(/\s+/g, ' ').slice(0, 300)}`,
    hint,
  )
}

function writeJson(file: string, value: unknown) {
  writing(file, () => replaceFile(file, `${JSON.stringify(value, null, 2)}\n`))
}

function writing(file: string, work: () => void) {
  try {
    work()
  } catch (cause) {
    const { code, path = file } = cause as NodeJS.ErrnoException
    const hint = 'See who may write there, and that the disk has space.'
    throw new Problem('closed_file', `${file} cannot be written: ${code} at ${path}.`, hint, { cause })
  }
}
