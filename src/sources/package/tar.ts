// Tar archives, gzipped: enough of the format for files, and nothing that could reach outside the folder they go to.
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gzipSync } from 'node:zlib'
import { Problem } from '../../model/problem.js'
import { insidePath } from './manifest.js'

export interface ArchiveLimits {
  entries: number
  fileBytes: number
  totalBytes: number
}

export const archiveLimits: ArchiveLimits = {
  entries: 50_000,
  fileBytes: 50_000_000,
  totalBytes: 500_000_000,
}

/** Writes the regular files of an archive below a new folder. Links and devices are left out; escapes are refused. */
export async function unpack(
  archive: string,
  folder: string,
  { limits = archiveLimits, signal }: { limits?: ArchiveLimits; signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  const paths: string[] = []
  const write = (path: string, bytes: Buffer) => {
    const inside = insidePath(path)
    if (inside === null) throw refuse(`its entry "${path.slice(0, 100)}" leaves the folder`)
    mkdirSync(dirname(join(folder, inside)), { recursive: true })
    // `wx`: a second entry of the same name overwrites nothing, and no write follows an existing link.
    writeFileSync(join(folder, inside), bytes, { flag: 'wx', mode: 0o600 })
    paths.push(inside)
  }
  const reader = tarReader(limits, write)
  let failure: unknown = null
  const take = async (source: AsyncIterable<Buffer>) => {
    try {
      for await (const part of source) reader.push(part)
      reader.end()
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  try {
    await pipeline(createReadStream(archive), createGunzip(), take, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    // The first failure is the cause; the pipeline may report a consequence.
    const reason = failure ?? error
    if (reason instanceof Problem) throw reason
    throw refuse(whyUnreadable(reason as NodeJS.ErrnoException))
  }
  return paths
}

function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'Z_BUF_ERROR') return 'it is empty or cut short'
  if (message === 'incorrect header check') return 'it is not a .tar.gz file'
  return code === 'Z_DATA_ERROR' ? 'its bytes are damaged' : `it cannot be read (${code ?? message})`
}

function refuse(reason: string): Problem {
  return new Problem('bad_bundle', `The bundle is refused: ${reason}.`, 'Make it again with "carrel pack".')
}

const block = 512

/** Takes an archive in pieces of any size. */
function tarReader(limits: ArchiveLimits, write: (path: string, bytes: Buffer) => void) {
  let parts: Buffer[] = []
  let held = 0
  let header: Header | null = null
  let longName: string | null = null
  let total = 0
  let entries = 0
  let ended = false

  function push(part: Buffer) {
    total += part.length
    if (total > limits.totalBytes) throw refuse(`it unpacks to more than ${limits.totalBytes} bytes`)
    if (ended) return
    parts.push(part)
    held += part.length
    while (step());
  }

  /** The next bytes once they are all there: joined once, however many pieces they came in. */
  function next(length: number): Buffer | null {
    if (held < length) return null
    const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = [all.subarray(length)]
    held -= length
    return all.subarray(0, length)
  }

  function step(): boolean {
    if (!header) {
      const first = next(block)
      if (!first) return false
      if (first.every((byte) => byte === 0)) {
        ended = true
        return false
      }
      header = readHeader(first)
      if (++entries > limits.entries) throw refuse(`it has more than ${limits.entries} entries`)
      if (header.size > limits.fileBytes)
        throw refuse(`its entry "${header.name.slice(0, 100)}" is too large`)
    }
    const padded = next(Math.ceil(header.size / block) * block)
    if (!padded) return false
    const bytes = padded.subarray(0, header.size)
    take(header, bytes)
    header = null
    return true
  }

  function take({ type, name }: Header, bytes: Buffer) {
    if (type === 'L') longName = bytes.toString('utf8').replace(/\0.*$/s, '')
    else if (type === 'x') longName = paxPath(bytes) ?? longName
    else if (type !== 'g') {
      if (type === '0' || type === '\0') write(longName ?? name, bytes)
      longName = null
    }
  }

  function end() {
    if (ended || (!header && held === 0)) return
    throw refuse(entries === 0 ? 'it is not a tar archive' : 'it ends in the middle of a file')
  }

  return { push, end }
}

interface Header {
  name: string
  size: number
  type: string
}

function readHeader(bytes: Buffer): Header {
  const text = (from: number, length: number) =>
    bytes
      .subarray(from, from + length)
      .toString('utf8')
      .replace(/\0.*$/s, '')
  let sum = 0
  for (let i = 0; i < block; i++) sum += i >= 148 && i < 156 ? 32 : bytes[i]!
  if (Number.parseInt(text(148, 8).trim(), 8) !== sum) throw refuse('a checksum in it is wrong')
  const size = Number.parseInt(text(124, 12).trim() || '0', 8)
  if (!Number.isSafeInteger(size) || size < 0) throw refuse('a size in it is not a number')
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : ''
  return { name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100), size, type: text(156, 1) || '\0' }
}

function paxPath(bytes: Buffer): string | null {
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at)
    const length = Number(bytes.subarray(at, space).toString('ascii'))
    if (space < 0 || !Number.isInteger(length) || length <= 0) return null
    const record = bytes.subarray(space + 1, at + length - 1).toString('utf8')
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return null
}

/** The same files give the same bytes: no times, owners or order of the disk. */
export function packTar(files: readonly { path: string; bytes: Uint8Array }[]): Buffer {
  const parts: Buffer[] = []
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) parts.push(...partsOf(file))
  parts.push(Buffer.alloc(2 * block))
  return gzipSync(Buffer.concat(parts), { level: constants.Z_BEST_COMPRESSION })
}

/** Writes an archive file by file, for callers that do not hold all files at once. */
export async function* tarParts(
  files: AsyncIterable<{ path: string; bytes: Uint8Array }>,
): AsyncGenerator<Buffer> {
  for await (const file of files) yield* partsOf(file)
  yield Buffer.alloc(2 * block)
}

function partsOf({ path, bytes }: { path: string; bytes: Uint8Array }): Buffer[] {
  const long = Buffer.byteLength(path) > longestName ? entry('x', 'pax', paxRecord(path)) : []
  return [...long, ...entry('0', path, Buffer.from(bytes))]
}

// The longest path in a header; a longer one needs an extra record before it.
const longestName = 100

function entry(type: string, name: string, bytes: Buffer): Buffer[] {
  const header = Buffer.alloc(block)
  header.write(Buffer.byteLength(name) > longestName ? 'long' : name, 0, longestName, 'utf8')
  header.write(`0000644\0${'0000000\0'.repeat(2)}`, 100, 'ascii')
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'ascii')
  header.write(`${'0'.repeat(11)}\0${' '.repeat(8)}${type}`, 136, 'ascii')
  header.write('ustar\x0000', 257, 'ascii')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii')
  return [header, bytes, Buffer.alloc((block - (bytes.length % block)) % block)]
}

// A record says its own length, digits included.
function paxRecord(path: string): Buffer {
  const rest = Buffer.byteLength(` path=${path}\n`)
  let length = rest + String(rest).length
  length = rest + String(length).length
  return Buffer.from(`${length} path=${path}\n`)
}
