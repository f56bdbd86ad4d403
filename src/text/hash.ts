import { createHash } from 'node:crypto'

/** 128 bits of SHA-256 in hexadecimal: short enough to keep with every chunk, long enough never to collide. */
export function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const [i, part] of parts.entries()) {
    if (i > 0) hash.update('\0')
    hash.update(part)
  }
  return hash.digest('hex').slice(0, 32)
}
