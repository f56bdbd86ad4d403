// Files that a person asked for by name: written whole or not at all.
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../model/problem.js'
import { renameFileSync } from './rename-file.js'

/** Replaces a file in one step, so that a kill leaves the old one or the new one. */
export function writeWholeFile(file: string, bytes: Uint8Array) {
  const temporary = `${file}.new-${process.pid}`
  try {
    const handle = openSync(temporary, 'wx', 0o644)
    try {
      writeFileSync(handle, bytes)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameFileSync(temporary, file)
  } catch (error) {
    try {
      rmSync(temporary, { force: true })
    } catch {
      // The first failure is the one to tell.
    }
    throw notWritten(file, error)
  }
}

/** A refusal of the file system in a sentence; any other error as it is. */
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
