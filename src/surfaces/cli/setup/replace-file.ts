import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'

/** Writes a file whole or not at all, keeping its rights, and through a link to where it leads. A copy has those of `like`. */
export function replaceFile(path: string, text: string, like = path) {
  const real = existsSync(path) ? realpathSync.native(path) : path
  const mode = existsSync(like) ? statSync(like).mode & 0o777 : null
  const temporary = `${real}.${process.pid}.tmp`
  const file = openSync(temporary, 'wx', mode ?? 0o644)
  try {
    try {
      // Else what others may do would be cut down by the mask of this process.
      if (mode !== null) fchmodSync(file, mode)
      // Unlike writeSync, it goes on after a short write.
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, real)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
