// Writes files atomically: a kill at any moment leaves either the old file or the new one.
import { closeSync, fchmodSync, fsyncSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../model/problem.js'
import { renameFileSync } from './rename-file.js'

/**
 * Replaces a file in one step, and removes the temporary files of killed processes. `mode` is set regardless of the
 * umask.
 */
export function replaceFile(file: string, content: string | Uint8Array, { mode }: { mode?: number } = {}) {
  removeLeftovers(file)
  const temporary = temporaryFor(file)
  try {
    const handle = openSync(temporary, 'wx', mode ?? 0o644)
    try {
      if (mode !== undefined) fchmodSync(handle, mode)
      // Unlike writeSync, this continues after a short write.
      writeFileSync(handle, content)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameFileSync(temporary, file)
  } catch (error) {
    try {
      rmSync(temporary, { force: true })
    } catch {
      // The first failure is the one to report.
    }
    throw error
  }
}

/** Writes a file that the user named. Errors of the file system become sentences. */
export function writeNamedFile(file: string, bytes: Uint8Array) {
  try {
    replaceFile(file, bytes)
  } catch (error) {
    throw notWritten(file, error)
  }
}

/** The temporary name beside a file, used by this process until the file is complete. */
export function temporaryFor(file: string): string {
  return `${file}.new-${process.pid}`
}

/** Removes the temporary files of dead processes. */
export function removeLeftovers(file: string) {
  const beginning = `${basename(file)}.new-`
  let names: string[]
  try {
    names = readdirSync(dirname(file))
  } catch {
    return
  }
  for (const name of names) {
    const [, pid] = /^(\d{1,10})$/.exec(name.startsWith(beginning) ? name.slice(beginning.length) : '') ?? []
    if (pid === undefined || isOther(Number(pid))) continue
    try {
      rmSync(join(dirname(file), name))
    } catch {
      // It is in the way only of a process with the same pid, which would get an error.
    }
  }
}

/** Whether another process with this pid is alive. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** An error of the file system as a Problem; any other error unchanged. */
export function notWritten(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (!/^E[A-Z]+$/.test(code ?? '')) return error
  return new Problem('not_written', whyNot(file, code), 'Name another file.', { cause: error })
}

function whyNot(file: string, code: string | undefined): string {
  if (code === 'EISDIR') return `${file} is a folder, not a file.`
  if (code === 'ENOENT') return `There is no folder ${dirname(file)}.`
  if (code === 'ENOTDIR') return `${dirname(file)} is not a folder.`
  return `${file} cannot be written (${code}).`
}
