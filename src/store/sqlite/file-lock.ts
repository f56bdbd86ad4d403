// A lock for files that are changed from several data folders: that of SQLite on an empty file beside them. The system
// takes it from a process that dies.
import { lstatSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Problem } from '../../model/problem.js'
import { begin } from './database.js'

type Lock = InstanceType<typeof DatabaseSync>

/** One change of a file at a time, among all processes of this machine. Keep it short. */
export async function lockFile<T>(file: string, work: () => T): Promise<T> {
  const lock = await take(file)
  try {
    return work()
  } finally {
    lock?.close()
  }
}

/** Null: there can be no lock in that folder, and so nothing is written either; whoever has to write is told why. */
async function take(file: string): Promise<Lock | null> {
  let lock: Lock | null = null
  try {
    mkdirSync(dirname(file), { recursive: true })
    const path = join(dirname(file), `.${basename(file)}.lock`)
    // SQLite follows links, and makes the file that one leads to.
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
