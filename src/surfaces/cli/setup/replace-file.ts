import { existsSync, realpathSync, statSync } from 'node:fs'
import { replaceFile as replaceWhole } from '../../../sources/whole-file.js'

/** Writes a file whole or not at all, keeping its rights, and through a link to where it leads. A copy has those of `like`. */
export function replaceFile(path: string, text: string, like = path) {
  const real = existsSync(path) ? realpathSync.native(path) : path
  replaceWhole(real, text, existsSync(like) ? { mode: statSync(like).mode & 0o777 } : {})
}
