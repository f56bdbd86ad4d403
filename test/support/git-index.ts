// A repository as far as its index goes, without git.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes a folder a repository that tracks these files, and no others. */
export function track(root: string, paths: readonly string[]) {
  const head = Buffer.alloc(12)
  head.write('DIRC')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(paths.length, 8)
  mkdirSync(join(root, '.git'), { recursive: true })
  writeFileSync(join(root, '.git', 'index'), Buffer.concat([head, ...[...paths].sort().map(entry)]))
}

function entry(path: string): Buffer {
  const name = Buffer.from(path)
  const bytes = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8)
  bytes.writeUInt32BE(0o100644, 24)
  bytes.writeUInt16BE(name.length, 60)
  name.copy(bytes, 62)
  return bytes
}
