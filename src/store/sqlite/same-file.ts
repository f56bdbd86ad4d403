// A file that is deleted or renamed while it is open stays open, and everything written to it is lost.
import { lstatSync } from 'node:fs'
import { Problem } from '../../model/problem.js'

/** Returns a check that throws if the path no longer leads to the file that is there now. */
export function watchFile(file: string): () => void {
  const opened = identityOf(file)
  return () => {
    if (opened === null || identityOf(file) !== opened) throw replaced(file)
  }
}

/** Device and inode of a file; null if there is none. */
export function identityOf(file: string): string | null {
  const found = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : null
}

function replaced(file: string): Problem {
  return new Problem(
    'store_replaced',
    `The index ${file} is not the one that this process has open: it was deleted, moved or made anew since. Nothing was written.`,
    'Start this server or command again.',
  )
}
