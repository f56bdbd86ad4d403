// The folder that the index lies in.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Problem } from '../../model/problem.js'

/** Makes it where it is not there. */
export function prepareFolder(folder: string) {
  try {
    // What was handed in and written down is nobody else's to read.
    makeFolder(folder, 0o700)
    // The folder is nobody's to commit or to index, unless somebody has files of their own there.
    const ours = basename(folder) === '.carrel' || readdirSync(folder).length === 0
    const ignore = join(folder, '.gitignore')
    if (ours && !existsSync(ignore)) writeFileSync(ignore, '*\n')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const hint = 'Choose another one with --data DIR or CARREL_DATA.'
    throw new Problem('data_folder', `The data folder ${folder} cannot be written (${code}).`, hint, {
      cause: error,
    })
  }
}

// One by one: where a system lets nobody make folders (/proc), node's own way with parents tries for ever.
function makeFolder(folder: string, mode?: number) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may be quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
