// A file that is deleted or renamed while it is open stays open: what is written to it then, nobody will ever find.
import { lstatSync } from 'node:fs'
import { Problem } from '../../model/problem.js'

/** Throws once the file at the path is another one than that which is there now, or none. */
export function watchFile(file: string): () => void {
  const opened = identityOf(file)
  return () => {
    if (opened === null || identityOf(file) !== opened) throw replaced(file)
  }
}

/** What tells a file from any other that has, had or gets its name; null when there is none. */
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
