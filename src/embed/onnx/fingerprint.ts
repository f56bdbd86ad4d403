import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Tells one large file from another by its size and three samples: good against a mix-up, quick for any size, and the
 * same wherever the file is copied to. It is no defence against someone who means harm.
 */
export function fingerprint(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const hash = createHash('sha256').update(String(size))
    const sample = Buffer.alloc(65_536)
    for (const at of [0, Math.floor(size / 2), Math.max(0, size - sample.length)])
      hash.update(sample.subarray(0, readSync(file, sample, 0, sample.length, at)))
    return hash.digest('hex').slice(0, 8)
  } finally {
    closeSync(file)
  }
}
