// Reads configuration files that a project brings along. Reading always ends, whatever is at the path.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** The text of a file that should be small, or why it is not read. Throws when there is none or it cannot be opened. */
export function readSmallFile(
  path: string,
  mostBytes: number,
): { text: string } | { why: 'irregular' | 'large' } {
  // Without this flag, opening a pipe would wait for a writer for ever.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile()) return { why: 'irregular' }
    if (stat.size > mostBytes) return { why: 'large' }
    return { text: readFileSync(handle, 'utf8') }
  } finally {
    closeSync(handle)
  }
}
