import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'

/** Writes a file whole or not at all, keeping its rights, and through a link to where it leads. */
export function replaceFile(path: string, text: string) {
  const real = existsSync(path) ? realpathSync(path) : path
  const mode = existsSync(real) ? statSync(real).mode & 0o777 : 0o644
  const temporary = `${real}.${process.pid}.tmp`
  const file = openSync(temporary, 'wx', mode)
  try {
    try {
      writeSync(file, text)
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
