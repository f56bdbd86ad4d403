// A lock for files that processes with different data folders change: SQLite's lock on an empty file beside them. The
// system releases it when the process dies.
import { lstatSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Problem } from '../../model/problem.js'
import { statDataFile, withDataFile } from '../data-files.js'
import { begin } from './database.js'
import { busy, codeOf } from './database-file.js'

type Lock = InstanceType<typeof DatabaseSync>

/** Runs one change of a file at a time, across all processes of this machine. Keep it short. */
export async function lockFile<T>(file: string, work: () => T): Promise<T> {
  const lock = await take(file)
  try {
    return work()
  } finally {
    lock?.close()
  }
}

/**
 * Takes a lock for as long as the process lives, or until it is released. Null if the folder does not exist or is not
 * writable.
 */
export function tryLock(folder: string, name: string): { release(): void } | 'busy' | null {
  let lock: Lock | null = null
  try {
    // Made here, because SQLite would make it readable for others.
    if (!statDataFile(folder, name)) withDataFile(folder, name, 'open', () => {})
    lock = new DatabaseSync(join(folder, name))
    lock.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    const held = lock
    return { release: () => held.close() }
  } catch (error) {
    lock?.close()
    return codeOf(error) === busy ? 'busy' : null
  }
}

/** Null: the folder cannot hold a lock, so it cannot be written either. The writer's own error says why. */
async function take(file: string): Promise<Lock | null> {
  let lock: Lock | null = null
  try {
    mkdirSync(dirname(file), { recursive: true })
    const path = join(dirname(file), `.${basename(file)}.lock`)
    // SQLite follows links, and would create the target.
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found && !found.isFile()) return null
    lock = new DatabaseSync(path)
    lock.exec('PRAGMA busy_timeout = 0')
    await begin(file, lock)
    return lock
  } catch (error) {
    lock?.close()
    if (error instanceof Problem && error.code === 'store_busy') throw error
    return null
  }
}
