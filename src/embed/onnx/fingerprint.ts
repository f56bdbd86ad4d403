import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Tells large files from others by their sizes and three samples of each: good against a mix-up, quick for any size,
 * and the same wherever the files are copied to. It is no defence against someone who means harm.
 */
export function fingerprint(paths: string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) addSamples(hash, path)
  return hash.digest('hex').slice(0, 8)
}

function addSamples(hash: Hash, path: string): void {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    hash.update(String(size))
    const sample = Buffer.alloc(65_536)
    for (const at of [0, Math.floor(size / 2), Math.max(0, size - sample.length)])
      hash.update(sample.subarray(0, readSync(file, sample, 0, sample.length, at)))
  } finally {
    closeSync(file)
  }
}
