// V8's code cache of one script, between runs. V8 runs what is in it without comparing it with the script, and does not
// notice damage. So a file is used only if it and its folder belong to this user alone, as the user's own programs do, and
// if it is whole and was made from the same file, by the same Node with the same flags. Everything else is compiled again.
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'

export interface CodeCache {
  /** Null: there is none that may be used. */
  read(): Buffer | null
  /** Replaces it. Does nothing where it cannot be kept. */
  write(code: Buffer): void
}

const { O_RDONLY } = constants
// Windows has neither flag.
const noLinks = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const hashBytes = 32
/** For other builds and other Nodes. */
const mostFiles = 8

/** The code cache of a script. Null on Windows, where a file does not tell who else may write it. */
export function openCodeCache(folder: string, script: string): CodeCache | null {
  if (process.geteuid === undefined) return null
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(script, { bigint: true })
  const made = [process.version, process.arch, cachedDataVersionTag(), dev, ino, size, mtimeNs, ctimeNs]
  const key = createHash('sha256').update(made.join(' ')).digest('hex')
  const name = `${key.slice(0, 24)}.code`
  const hash = (code: Buffer) => createHash('sha256').update(key).update(code).digest()
  return {
    read() {
      try {
        const bytes = isOwnFolder(folder) ? readOwnFile(join(folder, name)) : null
        const code = bytes?.subarray(hashBytes)
        return code && hash(code).equals(bytes!.subarray(0, hashBytes)) ? code : null
      } catch {
        return null
      }
    },
    write(code) {
      const fresh = join(folder, `${name}.new-${randomBytes(6).toString('hex')}`)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (!isOwnFolder(folder)) return
        writeFileSync(fresh, Buffer.concat([hash(code), code]), { flag: 'wx', mode: 0o600 })
        renameSync(fresh, join(folder, name))
        removeOldest(folder)
      } catch {
        rmSync(fresh, { force: true })
      }
    },
  }
}

function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder)
  return found.isDirectory() && isMineAlone(found)
}

function readOwnFile(file: string): Buffer | null {
  const descriptor = openSync(file, O_RDONLY | noLinks)
  try {
    const found = fstatSync(descriptor)
    return found.isFile() && isMineAlone(found) ? readFileSync(descriptor) : null
  } finally {
    closeSync(descriptor)
  }
}

function isMineAlone({ uid, mode }: Stats): boolean {
  return uid === process.geteuid?.() && (mode & 0o077) === 0
}

function removeOldest(folder: string) {
  const files = readdirSync(folder).map((name) => join(folder, name))
  const byAge = files.map((file) => ({ file, at: lstatSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
  for (const { file } of byAge.slice(mostFiles)) rmSync(file, { force: true })
}
