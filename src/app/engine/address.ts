// Where the engine of a data folder listens: a socket in the folder that only its user may use.
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync, rmSync, type Stats } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { readDataFile, replaceDataFile } from '../../store/data-files.js'

const socketName = 'engine.sock'
const pipeName = 'engine.pipe'

/** Systems allow 104 to 108 bytes. */
const longestPath = 100

/** The address to connect to; null when nothing of this user's listens there. */
export function findAddress(data: string): string | null {
  try {
    if (process.platform === 'win32') return readPipeName(data)
    const path = socketPath(data)
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found && isOwnSocket(found) && (found.mode & 0o077) === 0 ? path : null
  } catch {
    return null
  }
}

/** The address to listen on, for the holder of the lock. Removes the socket of a dead engine; throws for anything else. */
export function prepareAddress(data: string): string {
  if (process.platform === 'win32') return newPipeName(data)
  const path = socketPath(data)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return path
  if (!isOwnSocket(found))
    throw new Error(`${path} is not a socket of yours, so no engine listens there. Remove it to share one.`)
  rmSync(path)
  return path
}

function socketPath(data: string): string {
  const path = join(realpathSync.native(data), socketName)
  if (Buffer.byteLength(path) <= longestPath) return path
  const folder = join(process.env.XDG_RUNTIME_DIR || tmpdir(), `carrel-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || !isMine(found) || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of yours alone, so no engine listens there.`)
  return join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 24)}.sock`)
}

function isOwnSocket(found: Stats): boolean {
  return found.isSocket() && isMine(found)
}

function isMine({ uid }: Stats): boolean {
  return uid === process.geteuid?.()
}

// On Windows anybody may make a pipe of any name. So the name is random, and stands in the data folder.
function readPipeName(data: string): string | null {
  const name = readDataFile(data, pipeName)?.toString('latin1') ?? ''
  return /^[0-9a-f]{48}$/.test(name) ? `\\\\.\\pipe\\carrel-${name}` : null
}

function newPipeName(data: string): string {
  const name = randomBytes(24).toString('hex')
  replaceDataFile(data, pipeName, name)
  return `\\\\.\\pipe\\carrel-${name}`
}
