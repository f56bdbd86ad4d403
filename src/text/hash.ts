import { createHash, hash } from 'node:crypto'

/** 128 bits of SHA-256 in hexadecimal: short enough to keep with every chunk, long enough never to collide. */
export function hashOf(...parts: (string | Uint8Array)[]): string {
  // In one call where it can be: every chunk passes here, and a hash object a chunk costs more than the hashing.
  if (parts.length === 1) return hash('sha256', parts[0]!, 'hex').slice(0, 32)
  if (parts.every((part) => typeof part === 'string'))
    return hash('sha256', parts.join('\0'), 'hex').slice(0, 32)
  const whole = createHash('sha256')
  for (const [i, part] of parts.entries()) {
    if (i > 0) whole.update('\0')
    whole.update(part)
  }
  return whole.digest('hex').slice(0, 32)
}
