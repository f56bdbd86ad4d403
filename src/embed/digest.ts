import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Size and hash of a file, read in pieces. */
export async function digest(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
    size += piece.length
    hash.update(piece)
  }
  return { size, sha256: hash.digest('hex') }
}
